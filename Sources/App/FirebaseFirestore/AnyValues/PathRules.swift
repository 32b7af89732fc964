// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The rules for names and paths in data, beyond their grammar.
enum PathRules {
    /// Checks one field name (DM-15); the error says where it stands.
    static func checkName(_ name: String, in parent: [String]) throws(FirestoreError) {
        var text = name
        guard let violation = text.withUTF8({ NameRules.fieldName(UnsafeRawBufferPointer($0)) }) else { return }
        let path = name.utf8.isEmpty ? parent : parent + [name]
        throw .invalidArgument(
            "a field name \(violation.explanation)", at: FieldPathSegments(checked: path).map { "field \($0.canonical)" })
    }

    /// References among the operands of a transform must belong to the database that is written to.
    static func checkReferences(
        in kind: FieldTransform.Kind, database: DatabaseID, field: FieldPathSegments
    ) throws(FirestoreError) {
        switch kind {
        case .appendMissingElements(let values), .removeAllFromArray(let values):
            for value in values { try checkReferences(in: value, database: database, place: "field \(field.canonical)") }
        case .serverTimestamp, .increment, .maximum, .minimum: break
        }
    }

    static func checkReferences(
        in value: Value, database: DatabaseID, place: String
    ) throws(FirestoreError) {
        switch value {
        case .reference(let name):
            guard name.utf8.starts(with: database.documentsPrefix.utf8) else {
                throw .invalidArgument("a reference must belong to the same database", at: place)
            }
        case .array(let values):
            for value in values { try checkReferences(in: value, database: database, place: place) }
        case .map(let map):
            for entry in map.entries { try checkReferences(in: entry.value, database: database, place: place) }
        default: break
        }
    }
}

extension FieldPathSegments {
    /// nil for no segments, which name no field.
    init?(checked segments: [String]) {
        guard !segments.isEmpty else { return nil }
        self.init(segments)
    }
}
