// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What an event says about a document: `google.events.cloud.firestore.v1.DocumentEventData`. Its documents and values have the numbers of
/// `google.firestore.v1`.
package struct DocumentEventData: Sendable {
    package let database: DatabaseID
    /// The states before and after; nil where the document did not exist, or is left out.
    package let before: Document?
    package let after: Document?

    package init(database: DatabaseID, before: Document?, after: Document?) {
        self.database = database
        self.before = before
        self.after = after
    }

    /// The emulator always sends an update mask, and it is always empty.
    package func encoded() -> [UInt8] {
        var writer = ReverseWriter(capacity: 512 + (before?.fields.bytes.count ?? 0) + (after?.fields.bytes.count ?? 0))
        writer.message(3) { _ in }
        if let before { writer.document(2, database, before) }
        if let after { writer.document(1, database, after) }
        return writer.array
    }

    package func json() throws(FirestoreError) -> JSON {
        var members: [(name: String, value: JSON)] = []
        if let after { members.append(("value", try after.json(in: database))) }
        if let before { members.append(("oldValue", try before.json(in: database))) }
        members.append(("updateMask", .object([])))
        return .object(members)
    }
}
