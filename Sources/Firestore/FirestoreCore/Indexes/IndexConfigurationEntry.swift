// SPDX-License-Identifier: Apache-2.0

/// An index as `firestore.indexes.json` lists it.
package struct IndexConfigurationEntry: Sendable {
    /// The list of the file that it belongs to.
    package let section: String
    package let json: JSON

    package init(_ definition: IndexDefinition) {
        // Indexes of single fields are exceptions from what the service creates by default.
        if !definition.isListed {
            self = IndexConfigurationEntry(overrides: [definition])
            return
        }
        section = "indexes"
        json = Self.whole(definition)
    }

    /// What to add to the file for these indexes: one entry per field that gets indexes of its own, in order of appearance.
    package static func all(for definitions: [IndexDefinition]) -> [IndexConfigurationEntry] {
        var entries: [IndexConfigurationEntry] = []
        var rest = definitions
        while let first = rest.first {
            let same = first.isListed ? [first] : rest.filter { !$0.isListed && $0.isOfField(of: first) }
            entries.append(first.isListed ? IndexConfigurationEntry(first) : IndexConfigurationEntry(overrides: same))
            rest.removeAll { same.contains($0) }
        }
        return entries
    }

    /// All indexes of one field of one collection id; at least one.
    init(overrides definitions: [IndexDefinition], expires: Bool = false) {
        section = "fieldOverrides"
        let field = [
            ("collectionGroup", JSON.string(definitions[0].collectionID)),
            ("fieldPath", .string(definitions[0].fields[0].path.canonical)),
        ]
        let indexes = JSON.array(definitions.map { .object([Self.mode($0.fields[0].mode), Self.scope($0)]) })
        json = .object(field + (expires ? [("ttl", .boolean(true))] : []) + [("indexes", indexes)])
    }

    /// An index with all its fields, also one of a single field: the form of `indexes` in the file.
    package static func whole(_ definition: IndexDefinition) -> JSON {
        .object([
            ("collectionGroup", .string(definition.collectionID)), scope(definition), ("fields", .array(fields(of: definition))),
        ])
    }

    private static func fields(of definition: IndexDefinition) -> [JSON] {
        var fields = definition.fields.map { field -> JSON in
            .object([("fieldPath", .string(field.path.canonical)), mode(field.mode)])
        }
        // Only where it does not follow from the last field.
        if definition.nameDirection != IndexDefinition(collectionID: "", fields: definition.fields).nameDirection {
            let mode = mode(definition.nameDirection == .descending ? .descending : .ascending)
            fields.append(.object([("fieldPath", .string("__name__")), mode]))
        }
        return fields
    }

    private static func mode(_ mode: IndexDefinition.Field.Mode) -> (name: String, value: JSON) {
        switch mode {
        case .ascending: ("order", .string("ASCENDING"))
        case .descending: ("order", .string("DESCENDING"))
        case .arrayContains: ("arrayConfig", .string("CONTAINS"))
        }
    }

    private static func scope(_ definition: IndexDefinition) -> (name: String, value: JSON) {
        ("queryScope", .string(definition.scope == .collection ? "COLLECTION" : "COLLECTION_GROUP"))
    }
}

extension IndexDefinition {
    /// For indexes of one field.
    fileprivate func isOfField(of other: IndexDefinition) -> Bool {
        equalUTF8(collectionID, other.collectionID) && fields[0].path == other.fields[0].path
    }
}
