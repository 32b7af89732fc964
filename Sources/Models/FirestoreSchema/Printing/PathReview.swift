// SPDX-License-Identifier: Apache-2.0

/// A path for which the options choose a type without an effect.
package struct PathWarning: Sendable {
    /// What the path was to become.
    package enum Choice: Sendable {
        case enumeration, string, map, structure
    }

    package let choice: Choice
    package let path: String
    /// The end of a sentence that begins with the path.
    package let problem: String
}

extension SwiftPrinter {
    package func warnings(_ tree: SchemaTree) -> [PathWarning] {
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

    var warnings: [PathWarning] {
        let options = decider.options
        let all: [(choice: PathWarning.Choice, paths: Set<String>, reason: (SchemaNode, TypeDecider.Place) -> String?)] = [
            (.enumeration, options.enumPaths, noEnumeration), (.string, options.stringPaths, { _, _ in nil }),
            (.map, options.mapPaths, { node, _ in node.map == nil ? "it is never a map" : nil }),
            (.structure, options.structPaths, noStructure),
        ]
        return all.flatMap { choice, paths, reason in
            paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { path -> PathWarning? in
                let problem: String? =
                    if let (node, place) = found[path] {
                        reason(node, place).map { "has no effect: \($0)" }
                    } else {
                        "names no field that was read"
                    }
                return problem.map { PathWarning(choice: choice, path: StoredText.plain(path), problem: $0) }
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
