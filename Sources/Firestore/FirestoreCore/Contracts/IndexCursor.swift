// SPDX-License-Identifier: Apache-2.0

/// An index that is complete in the snapshot it came from.
package struct ReadyIndex: Sendable {
    /// The database's number for it.
    package let number: Int64
    package let definition: IndexDefinition

    package init(number: Int64, definition: IndexDefinition) {
        self.number = number
        self.definition = definition
    }
}

/// A walk over entries of one index, in byte order of their keys or backwards.
///
/// Starts before the first entry. Valid inside the closure that received the source; used by one thread.
package protocol IndexCursor: AnyObject {
    /// Moves to the next entry. Returns false at the end of the range, and from then on.
    func next() throws(FirestoreError) -> Bool

    /// Continues before the first entry at `key`, or beyond it in walking direction, within the range. Forward only: `key`
    /// must not lie behind the cursor.
    func seek(_ key: [UInt8]) throws(FirestoreError)

    /// The key of the current entry, borrowed until the cursor moves.
    var key: UnsafeRawBufferPointer { get }

    /// The document the entry belongs to, for `DocumentSource.withDocument`.
    var document: DocumentHandle { get }
}

/// Keys from `lower` up to, but excluding, `upper`; nil for open.
package struct IndexRange: Sendable, Hashable {
    package var lower: [UInt8]
    package var upper: [UInt8]?

    package init(lower: [UInt8] = [], upper: [UInt8]? = nil) {
        self.lower = lower
        self.upper = upper
    }
}
