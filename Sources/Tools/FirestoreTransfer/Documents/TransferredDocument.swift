// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A document that is exported or imported. It has no times, because they belong to the database.
package struct TransferredDocument: Sendable, Hashable {
    package var key: DocumentKey
    package var fields: FieldBytes

    package init(key: DocumentKey, fields: FieldBytes) {
        self.key = key
        self.fields = fields
    }

    /// The write that imports it, whatever is stored.
    package var write: Write { Write(key: key, operation: .set(fields)) }
}
