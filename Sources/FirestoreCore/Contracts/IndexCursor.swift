// SPDX-License-Identifier: Apache-2.0

/// An index that is complete in the snapshot that handed it out.
package struct ReadyIndex: Sendable {
    /// What the database calls it.
    package let number: Int64
    package let definition: IndexDefinition

    package init(number: Int64, definition: IndexDefinition) {
        self.number = number
        self.definition = definition
    }
}

/// A walk over entries of one index, in byte order of their keys or backwards.
///
/// Begins in front of the first entry. Valid inside the closure that handed out the source; used by one thread.
package protocol IndexCursor: AnyObject {
    /// Moves to the next entry; false at the end of the range, and from then on.
    func next() throws(FirestoreError) -> Bool

    /// Goes on in front of the first entry at `key` or behind it in walking direction, still within the range. Forward
    /// only: `key` does not lie behind the cursor.
    func seek(_ key: [UInt8]) throws(FirestoreError)

    /// The key of the current entry, borrowed until the cursor moves.
    var key: UnsafeRawBufferPointer { get }

    /// The document the entry belongs to, for `DocumentSource.withDocument`.
    var document: DocumentHandle { get }
}

/// Keys from `lower` up to but without `upper`; nil for open.
package struct IndexRange: Sendable, Hashable {
    package var lower: [UInt8]
    package var upper: [UInt8]?

    package init(lower: [UInt8] = [], upper: [UInt8]? = nil) {
        self.lower = lower
        self.upper = upper
    }
}
