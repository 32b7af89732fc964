// SPDX-License-Identifier: Apache-2.0

extension SwiftPrinter {
    /// Warnings for options whose paths have no effect, as sentences that begin with the option.
    package func warnings(_ tree: SchemaTree) -> [String] {
        var review = PathReview(decider: TypeDecider(options: types))
        review.look(tree.root, SchemaPath(), words: [], isTop: true)
        return review.warnings
    }
}

/// Finds the places that options name.
private struct PathReview {
    let decider: TypeDecider
    private let asked: Set<String>
    private var found: [String: (node: SchemaNode, place: TypeDecider.Place)] = [:]

    init(decider: TypeDecider) {
        self.decider = decider
        let options = decider.options
        asked = options.enumPaths.union(options.stringPaths).union(options.mapPaths).union(options.structPaths)
    }

    /// In the order in which types are decided, so that a path is the one that reports show.
    mutating func look(_ map: MapFacts, _ path: SchemaPath, words: [String], isTop: Bool = false) {
        if map.isCut || asked.isEmpty { return }
        if map.entry != nil || !isTop && decider.dictionaryReason(map, path) != nil {
            return look(map.mergedValues(), path.values, words: Singular.of(words))
        }
        for child in map.children { look(child.node, path.field(child.text), words: NameWords.of(child.text)) }
    }

    private mutating func look(_ node: SchemaNode, _ path: SchemaPath, words: [String]) {
        if asked.contains(path.text) { found[path.text] = (node, TypeDecider.Place(path: path, words: words)) }
        if let element = node.array?.element { look(element, path.elements, words: Singular.of(words)) }
        if let map = node.map { look(map, path, words: words) }
    }

    var warnings: [String] {
        let options = decider.options
        let all: [(option: String, paths: Set<String>, reason: (SchemaNode, TypeDecider.Place) -> String?)] = [
            ("--enum", options.enumPaths, noEnumeration), ("--no-enum", options.stringPaths, { _, _ in nil }),
            ("--map", options.mapPaths, { node, _ in node.map == nil ? "it is never a map" : nil }),
            ("--struct", options.structPaths, noStructure),
        ]
        return all.flatMap { option, paths, reason in
            paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { path -> String? in
                let name = "\(option) \(StoredText.plain(path))"
                guard let (node, place) = found[path] else { return "\(name) names no field that was read" }
                return reason(node, place).map { "\(name) has no effect: \($0)" }
            }
        }
    }

    private func noEnumeration(_ node: SchemaNode, _ place: TypeDecider.Place) -> String? {
        guard let texts = node.texts else { return "it is never a string" }
        guard TypeDecider.distinguished(node).count == 1 else { return "it is not always a string" }
        return decider.noWordsReason(texts, place)
    }

    private func noStructure(_ node: SchemaNode, _ place: TypeDecider.Place) -> String? {
        guard let map = node.map else { return "it is never a map" }
        guard let reason = decider.dictionaryReason(map, place.path) else { return nil }
        return "its names are not known (\(reason))"
    }
}
