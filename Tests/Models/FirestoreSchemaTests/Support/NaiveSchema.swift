// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

@testable import FirestoreSchema

/// The slow, obvious inference: stores every value of every position (MP-80).
struct NaiveSchema {
    private var values: [String: [(id: String, value: Value)]] = [:]
    private var parents: [String: Int] = [:]

    init(_ documents: [TestDocument]) {
        for document in documents { add(document.id, .map(FieldMap(document.fields.map { ($0.key, $0.value) })), "") }
    }

    private mutating func add(_ id: String, _ value: Value, _ path: String) {
        if !path.isEmpty { values[path, default: []].append((id, value)) }
        switch value {
        case .map(let map):
            guard map.entries.first?.name != "__type__" else { return }
            parents[path, default: 0] += 1
            for (name, inner) in map.entries { add(id, inner, path + "/" + name) }
        case .array(let elements): for element in elements { add(id, element, path + "[]") }
        default: break
        }
    }

    /// A line per position, sorted.
    var lines: [String] { values.map { path, values in line(path, values) }.sorted() }

    private func line(_ path: String, _ values: [(id: String, value: Value)]) -> String {
        var types: [String: [String]] = [:]
        for (id, value) in values { types[Self.name(value), default: []].append(id) }
        let counts = types.map { name, ids in "\(name) \(ids.count) \(Set(ids).sorted().prefix(3))" }.sorted()
        var facts: [String] = []
        let strings = values.compactMap { if case .string(let text) = $0.value { text } else { nil } }
        if !strings.isEmpty {
            let distinct = Set(strings).count
            let letters = strings.filter { !$0.isEmpty }.allSatisfy { TextPatternsNaive.isWord($0) }
            facts.append("strings \(strings.count) empty \(strings.count(where: \.isEmpty)) distinct \(distinct > 64 ? "many" : "\(distinct)") words \(letters)")
        }
        let lengths = values.compactMap { if case .array(let elements) = $0.value { elements.count } else { nil } }
        if let least = lengths.min(), let most = lengths.max() { facts.append("lengths \(least) \(most)") }
        if let count = parents[path] { facts.append("maps \(count)") }
        return "\(path): \(counts) \(facts)"
    }

    private static func name(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .double: "double"
        case .timestamp: "timestamp"
        case .string: "string"
        case .bytes: "bytes"
        case .reference: "reference"
        case .geoPoint: "geopoint"
        case .array: "array"
        case .map(let map): map.entries.first?.name == "__type__" ? "vector" : "map"
        }
    }

    /// The lines of a tree.
    static func lines(of tree: SchemaTree) -> [String] {
        var lines: [String] = []
        func walk(_ node: SchemaNode, _ path: String) {
            let counts = node.types.map { "\($0.type.name) \($0.count) \($0.examples.ids[...])" }.sorted()
            var facts: [String] = []
            if let texts = node.texts {
                let distinct = texts.distinct.isMany ? "many" : "\(texts.distinct.count)"
                facts.append("strings \(texts.count) empty \(texts.empty) distinct \(distinct) words \(texts.patterns.contains(.word))")
            }
            if let lengths = node.array?.lengths { facts.append("lengths \(lengths.least) \(lengths.most)") }
            if let map = node.map { facts.append("maps \(map.instances)") }
            lines.append("\(path): \(counts) \(facts)")
            if let element = node.array?.element { walk(element, path + "[]") }
            for child in node.map?.children ?? [] { walk(child.node, path + "/" + child.text) }
        }
        for child in tree.root.children { walk(child.node, "/" + child.text) }
        return lines.sorted()
    }
}

private enum TextPatternsNaive {
    static func isWord(_ text: String) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter, text.utf8.count <= 32 else { return false }
        return text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || " _-".unicodeScalars.contains($0)) }
    }
}
