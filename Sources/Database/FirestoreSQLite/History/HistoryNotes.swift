// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Updates the lock file with the commits of an open database.
///
/// Writes with the first commit, then at most every ten seconds by commit times, without a sync. After a crash the note is older than the
/// file, but newer than every copy that was made before the file was opened.
final class HistoryNotes: Sendable {
    private struct State {
        var last: DocumentVersion
        var noted: DocumentVersion
        /// nil once it is closed: the lock is released with its last reference.
        var lock: FileLock?
    }

    private static let interval: Int64 = 10_000_000

    private let history: UInt64
    private let state: Mutex<State>

    init(_ lock: FileLock, history: UInt64, lastCommit: DocumentVersion) {
        self.history = history
        state = Mutex(State(last: lastCommit, noted: .none, lock: lock))
        write(lastCommit, to: lock)
    }

    func committed(_ time: DocumentVersion) {
        let lock: FileLock? = state.withLock { state in
            state.last = time
            guard time.microseconds - state.noted.microseconds >= Self.interval else { return nil }
            state.noted = time
            return state.lock
        }
        if let lock { write(time, to: lock) }
    }

    /// Notes the last commit, and lets go of the lock.
    func close() {
        let (lock, last) = state.withLock { state in
            defer { state.lock = nil }
            return (state.lock, state.last)
        }
        if let lock { write(last, to: lock) }
    }

    private func write(_ time: DocumentVersion, to lock: FileLock) { lock.note(.known(history: history, lastCommit: time)) }
}
