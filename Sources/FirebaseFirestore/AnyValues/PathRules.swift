import FirestoreCore

/// What holds for names and paths in data, beyond their grammar.
enum PathRules {
    /// A field name is not empty and does not both start and end with `__` (DM-15, api.md section 12).
    static func checkName(_ name: String, in parent: [String]) throws(FirestoreError) {
        guard !name.utf8.isEmpty else {
            let place = FieldPathSegments(checked: parent).map { "field \($0.canonical)" }
            throw .invalidArgument("a field name must not be empty", at: place)
        }
        guard !isReserved(name) else {
            throw .invalidArgument(
                "a field name must not both start and end with \"__\"",
                at: "field \(FieldPathSegments(parent + [name]).canonical)")
        }
    }

    static func checkWritable(_ path: FieldPathSegments) throws(FirestoreError) {
        for name in path.segments { try checkName(name, in: path.segments) }
    }

    private static func isReserved(_ name: String) -> Bool {
        name.utf8.starts(with: "__".utf8) && name.utf8.reversed().starts(with: "__".utf8)
    }

    /// References among the operands of a transform belong to the database that is written to.
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
    /// nil for no segments, where there is no field to name.
    init?(checked segments: [String]) {
        guard !segments.isEmpty else { return nil }
        self.init(segments)
    }
}
