// SPDX-License-Identifier: Apache-2.0

/// Makes one type of nested types with the same name and the same content in different places (MP-21).
///
/// It is declared in the document's type, where every other type of the document sees it.
enum SharedTypes {
    static func unite(in root: DeclaredType) {
        var found: [DeclaredType] = []
        collect(root.nested, into: &found)
        var members: Set<String> = []
        if case .structure(let structure) = root.body { members = Set(structure.properties.map(\.name)) }
        var replaced: [ObjectIdentifier: DeclaredType] = [:]
        for (name, group) in Dictionary(grouping: found, by: \.name) where group.count > 1 && !members.contains(name) {
            // A type of this name with other content would be hidden, or hide it.
            guard Set(group.map(signature)).count == 1, group.allSatisfy({ !$0.isChoice }) else { continue }
            let first = group[0]
            for other in group.dropFirst() { replaced[ObjectIdentifier(other)] = first }
            first.notes = []
        }
        guard !replaced.isEmpty else { return }
        let shared = Set(replaced.values.map { ObjectIdentifier($0) })
        let gone = Set(replaced.keys)
        // Types that are declared only inside one that is gone go with it.
        let kept = found.filter { type in shared.contains(ObjectIdentifier(type)) }
        rewrite(root, gone: gone, shared: shared, replaced)
        root.nested += kept.filter { type in !root.nested.contains { $0 === type } }
        root.nested.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// In the order of their paths.
    private static func collect(_ types: [DeclaredType], into found: inout [DeclaredType]) {
        for type in types {
            found.append(type)
            collect(type.nested, into: &found)
        }
    }

    private static func rewrite(
        _ type: DeclaredType, gone: Set<ObjectIdentifier>, shared: Set<ObjectIdentifier>, _ replaced: [ObjectIdentifier: DeclaredType]
    ) {
        for nested in type.nested { rewrite(nested, gone: gone, shared: shared, replaced) }
        type.nested.removeAll { gone.contains(ObjectIdentifier($0)) || shared.contains(ObjectIdentifier($0)) }
        switch type.body {
        case .structure(var structure):
            for index in structure.properties.indices {
                structure.properties[index].type = rewritten(structure.properties[index].type, replaced)
            }
            type.body = .structure(structure)
        case .choice(let cases):
            type.body = .choice(cases.map { ChoiceCase(stored: $0.stored, name: $0.name, type: rewritten($0.type, replaced)) })
        case .wholeDictionary(let value): type.body = .wholeDictionary(rewritten(value, replaced))
        case .words: break
        }
    }

    private static func rewritten(_ type: FieldType, _ replaced: [ObjectIdentifier: DeclaredType]) -> FieldType {
        switch type {
        case .array(let inner): .array(rewritten(inner, replaced))
        case .dictionary(let inner): .dictionary(rewritten(inner, replaced))
        case .optional(let inner): .optional(rewritten(inner, replaced))
        case .declared(let declared): .declared(replaced[ObjectIdentifier(declared)] ?? declared)
        default: type
        }
    }

    private static func signature(_ type: DeclaredType) -> String {
        switch type.body {
        case .structure(let structure):
            let properties = structure.properties.map { "\(StoredText.literal($0.stored)):\($0.wrapper.rawValue):\(signature($0.type))" }
            return "{" + properties.joined(separator: ",") + "}"
        case .choice(let cases): return "(" + cases.map { "\($0.name):\(signature($0.type))" }.joined(separator: "|") + ")"
        case .words(let cases, let isOpen): return "\(isOpen)<" + cases.map { StoredText.literal($0.text) }.joined(separator: ",") + ">"
        case .wholeDictionary(let value): return "[:\(signature(value))]"
        }
    }

    private static func signature(_ type: FieldType) -> String {
        switch type {
        case .declared(let declared): declared.name + signature(declared)
        case .array(let inner): "[\(signature(inner))]"
        case .dictionary(let inner): "[:\(signature(inner))]"
        case .optional(let inner): "\(signature(inner))?"
        default: "\(type)"
        }
    }
}

extension DeclaredType {
    fileprivate var isChoice: Bool { if case .choice = body { true } else { false } }
}
