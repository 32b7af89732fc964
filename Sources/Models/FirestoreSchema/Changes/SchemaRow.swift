// SPDX-License-Identifier: Apache-2.0

/// A place in the documents as a row of a table (MP-37).
package struct SchemaRow: Sendable {
    package var path: String
    /// `string 812, null 3`
    package var types: String
    /// How often it occurs, of how many times it could.
    package var present: Int
    package var parents: Int
    package var notes: String

    package static func all(of tree: SchemaTree, options: TypeOptions = TypeOptions()) -> [SchemaRow] {
        var lister = SchemaLister(decider: TypeDecider(options: options))
        lister.list(tree.root, SchemaPath(), words: [], isTop: true)
        return lister.rows
    }
}

private struct SchemaLister {
    let decider: TypeDecider
    var rows: [SchemaRow] = []

    mutating func list(_ map: MapFacts, _ path: SchemaPath, words: [String], isTop: Bool = false) {
        if map.isCut { return }
        if map.entry != nil || !isTop && decider.dictionaryReason(map, path) != nil {
            let values = map.mergedValues()
            return list(values, path.values, words: Singular.of(words), of: values.present)
        }
        for child in map.children { list(child.node, path.field(child.text), words: NameWords.of(child.text), of: map.instances) }
    }

    private mutating func list(_ node: SchemaNode, _ path: SchemaPath, words: [String], of parents: Int) {
        let types =
            node.types.count == 1
            ? node.types.map(\.type.name).joined()
            : node.types.map { "\($0.type.name) \(Figures.grouped($0.count))" }.joined(separator: ", ")
        rows.append(
            SchemaRow(
                path: path.text, types: types, present: node.present, parents: parents,
                notes: notes(node, path, words).joined(separator: "; ")))
        if let element = node.array?.element { list(element, path.elements, words: Singular.of(words), of: element.present) }
        if let map = node.map { list(map, path, words: words) }
    }

    private func notes(_ node: SchemaNode, _ path: SchemaPath, _ words: [String]) -> [String] {
        var notes: [String] = []
        if let texts = node.texts {
            let place = TypeDecider.Place(path: path, words: words)
            if let cases = decider.words(of: texts, place) {
                notes.append("one of \(cases.count) values")
            } else if let hint = TypeDecider.hint(of: texts) {
                notes.append(hint)
            }
        }
        if let map = node.map {
            if let reason = decider.dictionaryReason(map, path) { notes.append("dictionary: \(reason)") }
            if map.isCut { notes.append("too deep to be looked at") }
        }
        if let moved = node.times?.movedByDate, !moved.ids.isEmpty { notes.append("finer than Date: \(Figures.list(moved))") }
        if let hint = TypeDecider.hint(ofIntegers: node) { notes.append(hint) }
        if let beyond = node.integers?.beyondDouble, !beyond.ids.isEmpty { notes.append("beyond 2^53: \(Figures.list(beyond))") }
        if let odd = node.doubles?.notFinite, !odd.ids.isEmpty { notes.append("not finite: \(Figures.list(odd))") }
        if case .one(let collection)? = node.references?.collection {
            notes.append("to \(StoredText.plain(String(decoding: collection, as: UTF8.self)))")
        }
        if let dimensions = node.dimensions {
            notes.append(
                dimensions.least == dimensions.most
                    ? "\(dimensions.least) dimensions" : "\(dimensions.least) to \(dimensions.most) dimensions")
        }
        let types = TypeDecider.distinguished(node)
        let total = types.reduce(0) { $0 + $1.count }
        if types.count > 1 {
            for facts in types where facts.count * 100 < total { notes.append("\(facts.type.name) in \(Figures.list(facts.examples))") }
        }
        if node.array?.isCut == true { notes.append("too deep to be looked at") }
        return notes
    }
}
