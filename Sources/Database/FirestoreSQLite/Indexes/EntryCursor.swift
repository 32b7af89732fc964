// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB

/// Entries in a range of an index, read with a separate statement.
///
/// A seek binds the bound again and restarts: one descent in SQLite's tree. Nothing else uses the statement while the cursor has
/// its slot.
final class EntryCursor: IndexCursor {
    private let statement: SQLStatement
    private let slots: CursorSlots
    private let slot: Int
    private let descending: Bool
    private var lower: [UInt8]
    private var upper: [UInt8]
    private var isFinished = false
    private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var document = DocumentHandle(0)

    /// No key begins with FF.
    static let end: [UInt8] = [0xFF]
    private static let lowerBound: Int32 = 3
    private static let upperBound: Int32 = 4

    init(
        index: Int64, collection: Int64, range: IndexRange, descending: Bool, slots: CursorSlots
    ) throws(FirestoreError) {
        (statement, slot) = try slots.take(descending: descending)
        self.slots = slots
        self.descending = descending
        lower = range.lower
        upper = range.upper ?? Self.end
        statement.bind(1, index)
        statement.bind(2, collection)
        statement.bind(Self.lowerBound, copying: lower)
        statement.bind(Self.upperBound, copying: upper)
    }

    deinit { finish() }

    func next() throws(FirestoreError) -> Bool {
        guard !isFinished else { return false }
        guard try statement.step() else {
            finish()
            return false
        }
        guard let key = statement.blob(0) else { throw statement.errors.damaged("an index entry") }
        self.key = key
        document = DocumentHandle(statement.integer(1))
        return true
    }

    func seek(_ key: [UInt8]) throws(FirestoreError) {
        guard !isFinished else { return }
        statement.restart()
        if descending {
            let bound = key + [0]
            guard bound.lexicographicallyPrecedes(upper) else { return }
            upper = bound
            statement.bind(Self.upperBound, copying: bound)
        } else {
            guard lower.lexicographicallyPrecedes(key) else { return }
            lower = key
            statement.bind(Self.lowerBound, copying: key)
        }
    }

    /// Releases the statement, which must not be used from here on.
    private func finish() {
        guard !isFinished else { return }
        isFinished = true
        key = UnsafeRawBufferPointer(start: nil, count: 0)
        statement.reset()
        slots.giveBack(slot, descending: descending)
    }
}

/// The statements that the cursors of one transaction use.
///
/// Several cursors are open simultaneously and each needs a separate statement, prepared once per connection. GRDB caches statements by
/// their text, so the texts differ in a comment: the number of the slot.
final class CursorSlots {
    private let database: Database
    private let errors: StoreErrors
    /// The slots in use, as bits, per direction.
    private var ascending: UInt64 = 0
    private var descending: UInt64 = 0

    init(_ database: Database, errors: StoreErrors) {
        self.database = database
        self.errors = errors
    }

    func take(descending isDescending: Bool) throws(FirestoreError) -> (SQLStatement, slot: Int) {
        let slot = (~(isDescending ? descending : ascending)).trailingZeroBitCount
        let texts = isDescending ? Self.descendingTexts : Self.ascendingTexts
        guard slot < texts.count else {
            // More cursors than are ever merged: prepared for this one only.
            return (try SQLStatement(once: texts[0], on: database, errors: errors), slot)
        }
        let statement = try SQLStatement(texts[slot], on: database, errors: errors)
        if isDescending { descending |= 1 << UInt64(slot) } else { ascending |= 1 << UInt64(slot) }
        return (statement, slot)
    }

    func giveBack(_ slot: Int, descending isDescending: Bool) {
        guard slot < 64 else { return }
        if isDescending { descending &= ~(1 << UInt64(slot)) } else { ascending &= ~(1 << UInt64(slot)) }
    }

    private static let ascendingTexts = texts("")
    private static let descendingTexts = texts(" DESC")

    private static func texts(_ direction: String) -> [String] {
        (0..<64).map { slot in
            "SELECT key, document FROM index_entries WHERE idx = ?1 AND collection = ?2 AND key >= ?3 AND key < ?4 "
                + "ORDER BY key\(direction) /* \(slot) */"
        }
    }
}
