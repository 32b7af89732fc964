// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An index entry of an earlier state of a document.
struct PastEntry {
    let key: ByteSlice
    let document: DocumentHandle
}

/// A walk over an earlier state of an index: the current entries except for some documents, and those of earlier documents in their places.
final class PastCursor: IndexCursor {
    private enum Position {
        case base
        case past(PastEntry)
    }

    private let base: any IndexCursor
    private let changed: Set<DocumentHandle>
    private let isDescending: Bool
    /// In reading direction; the next one is the first of the rest.
    private var rest: ArraySlice<PastEntry>
    private var position = Position.base
    /// Whether the base is at an entry that has not been returned yet; nil if it must move to find out.
    private var isBaseAhead: Bool?

    /// `entries` in reading direction.
    init(_ base: any IndexCursor, without changed: Set<DocumentHandle>, with entries: [PastEntry], descending: Bool) {
        self.base = base
        self.changed = changed
        rest = entries[...]
        isDescending = descending
    }

    var key: UnsafeRawBufferPointer {
        switch position {
        case .base: base.key
        case .past(let entry): entry.key.buffer
        }
    }

    var document: DocumentHandle {
        switch position {
        case .base: base.document
        case .past(let entry): entry.document
        }
    }

    func next() throws(FirestoreError) -> Bool {
        let hasBase = try moveBase()
        if let entry = rest.first, !hasBase || precedes(entry.key.buffer, base.key) {
            rest.removeFirst()
            position = .past(entry)
            return true
        }
        position = .base
        // At the end it remains known that there are no more.
        if hasBase { isBaseAhead = nil }
        return hasBase
    }

    func seek(_ key: [UInt8]) throws(FirestoreError) {
        let skipped = key.withUnsafeBytes { key in rest.prefix { precedes($0.key.buffer, key) }.count }
        rest.removeFirst(skipped)
        switch isBaseAhead {
        case false?: return
        case true? where !key.withUnsafeBytes({ precedes(base.key, $0) }): return
        default:
            try base.seek(key)
            isBaseAhead = nil
        }
    }

    private func moveBase() throws(FirestoreError) -> Bool {
        if let isBaseAhead { return isBaseAhead }
        var isThere = try base.next()
        while isThere, changed.contains(base.document) { isThere = try base.next() }
        isBaseAhead = isThere
        return isThere
    }

    private func precedes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        isDescending ? compareBytes(right, left) < 0 : compareBytes(left, right) < 0
    }
}
