// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Keeps the lock file up to date with the commits of an open database.
///
/// Writes at most every ten seconds by commit times, without a sync: after a crash the note is old, and older than the file.
final class HistoryNotes: Sendable {
    private struct State {
        var last: DocumentVersion
        var noted: DocumentVersion
    }

    private static let interval: Int64 = 10_000_000

    private let history: UInt64
    private let lock: FileLock
    private let state: Mutex<State>

    init(_ lock: FileLock, history: UInt64, lastCommit: DocumentVersion) {
        self.lock = lock
        self.history = history
        state = Mutex(State(last: lastCommit, noted: lastCommit))
        write(lastCommit)
    }

    func committed(_ time: DocumentVersion) {
        let isDue = state.withLock { state in
            state.last = time
            guard time.microseconds - state.noted.microseconds >= Self.interval else { return false }
            state.noted = time
            return true
        }
        if isDue { write(time) }
    }

    /// Notes the last commit.
    func close() { write(state.withLock { $0.last }) }

    private func write(_ time: DocumentVersion) { lock.note(.known(history: history, lastCommit: time)) }
}
