package import FirestoreCore

/// A document on its way between a database and a file: times stay behind, for they belong to the database.
package struct TransferredDocument: Sendable, Hashable {
    package var key: DocumentKey
    package var fields: FieldBytes

    package init(key: DocumentKey, fields: FieldBytes) {
        self.key = key
        self.fields = fields
    }

    /// The write that brings it in, whatever was there.
    package var write: Write { Write(key: key, operation: .set(fields)) }
}
