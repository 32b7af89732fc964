/// An index as `firestore.indexes.json` lists it, for messages that say what to add.
package struct IndexConfigurationEntry: Sendable {
    /// The list of the file it belongs in.
    package let section: String
    package let json: String

    package init(_ definition: IndexDefinition) {
        let id = Self.quoted(definition.collectionID)
        let scope = Self.quoted(definition.scope == .collection ? "COLLECTION" : "COLLECTION_GROUP")
        // Indexes of single fields are exceptions from what the service does by itself.
        if let field = definition.fields.first, definition.isSingleField {
            section = "fieldOverrides"
            json = """
                {"collectionGroup": \(id), "fieldPath": \(Self.quoted(field.path.canonical)), \
                "indexes": [{\(Self.kind(field.mode)), "queryScope": \(scope)}]}
                """
            return
        }
        section = "indexes"
        var fields = definition.fields.map { (path: $0.path.canonical, kind: Self.kind($0.mode)) }
        let usual = IndexDefinition(collectionID: "", fields: definition.fields).nameDirection
        if usual != definition.nameDirection {
            fields.append(("__name__", Self.kind(definition.nameDirection == .ascending ? .ascending : .descending)))
        }
        let list = fields.map { "{\"fieldPath\": \(Self.quoted($0.path)), \($0.kind)}" }.joined(separator: ", ")
        json = "{\"collectionGroup\": \(id), \"queryScope\": \(scope), \"fields\": [\(list)]}"
    }

    private static func kind(_ mode: IndexDefinition.Field.Mode) -> String {
        switch mode {
        case .ascending: "\"order\": \"ASCENDING\""
        case .descending: "\"order\": \"DESCENDING\""
        case .arrayContains: "\"arrayConfig\": \"CONTAINS\""
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\":
                result.append("\\")
                result.unicodeScalars.append(character)
            case "\u{0}"..<" ":
                let digits = String(character.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(character)
            }
        }
        return result + "\""
    }
}
