// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// Whether a database may delete by its clock after it was opened: compares the clock with what the last process has noted, and notes it
/// for the next one (`ClockNote`).
///
/// A database without policies notes nothing.
final class ExpiryGuard: Sendable {
    private struct State {
        var isChecked = false
        /// By the time since the machine was started.
        var suspendedUntil = Int64.min
        /// The last note, and whether it says that the clock is doubted.
        var noted: (boot: Int64, isDoubt: Bool)?
    }

    /// Between two notes of a clock that is trusted, in microseconds.
    static let interval: Int64 = 600_000_000

    private let store: any DocumentStore
    private let clock: ExpiryClock
    private let state = Mutex(State())

    init(store: any DocumentStore, clock: ExpiryClock) { (self.store, self.clock) = (store, clock) }

    /// For how many microseconds nothing expires; nil if the clock is trusted. Call it before deletions, and at least every few minutes.
    func suspension() throws(FirestoreError) -> Int64? {
        guard let now = clock.reading else { return nil }
        if !state.withLock({ $0.isChecked }) { try check(now) }
        let (left, isDue) = state.withLock { state in
            let left = state.suspendedUntil.subtractingReportingOverflow(now.boot)
            let isOver = left.overflow || left.partialValue <= 0
            let isDue = state.noted.map { $0.isDoubt || now.boot - $0.boot >= Self.interval } ?? true
            return (isOver ? nil : left.partialValue, isOver && isDue)
        }
        if isDue { try note(ClockNote(now)) }
        return left
    }

    /// The clock was set while this process ran: the next one is to know.
    func doubt(for left: Int64) throws(FirestoreError) {
        guard let now = clock.reading, !state.withLock({ $0.noted?.isDoubt ?? false }) else { return }
        state.withLock { $0.isChecked = true }
        try note(ClockNote(now, until: now.wall.addingReportingOverflow(left).partialValue))
    }

    private func check(_ now: ClockNote.Reading) throws(FirestoreError) {
        let (note, last) = try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            (ClockNote(try snapshot.fact(ClockNote.fact)), snapshot.readTime)
        }
        switch ClockNote.verdict(note, lastCommit: last.microseconds, now: now) {
        case .trusted: break
        case .suspended(let left, let jump):
            state.withLock { $0.suspendedUntil = now.boot + left }
            if let jump { clock.report(jump) }
            try self.note(ClockNote(now, until: now.wall.addingReportingOverflow(left).partialValue))
        }
        state.withLock { $0.isChecked = true }
    }

    private func note(_ note: ClockNote) throws(FirestoreError) {
        try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
            try transaction.setFact(ClockNote.fact, note.bytes)
        }
        state.withLock { $0.noted = (note.reading.boot, note.until != nil) }
    }
}
