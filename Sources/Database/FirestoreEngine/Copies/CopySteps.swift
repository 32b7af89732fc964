// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// Makes a copy of the database on the committer's thread: a step between two groups of commits, or when a timer fires while there are
/// none. Steps take at most a tenth of the thread's time, and half of it while the database grows as fast as it is copied.
final class CopySteps: Sendable {
    typealias Completion = @Sendable (Result<Void, FirestoreError>) -> Void

    private struct Running {
        let copy: StoreCopy
        let number: Int
        var due: DispatchTime
        let completion: Completion
    }

    private struct State {
        var last = 0
        var isBusy = false
        var running: Running?
        /// The last copy that is not wanted any more.
        var cancelled = 0
    }

    /// The thread is left alone for this many times as long as a step has taken, unless the database has grown by as much.
    private static let rest: UInt64 = 9
    private let store: SQLiteStore
    private let thread: DispatchQueue
    private let state = Mutex(State())

    /// nil if the database is not in a file or memory of this process.
    init?(_ store: any DocumentStore, thread: DispatchQueue) {
        guard let store = store as? SQLiteStore else { return nil }
        self.store = store
        self.thread = thread
    }

    /// Begins a copy into a new file; returns its number.
    func begin(_ path: String, completion: @escaping Completion) throws(FirestoreError) -> Int {
        let number = state.withLock { state -> Int? in
            guard !state.isBusy else { return nil }
            state.isBusy = true
            state.last += 1
            return state.last
        }
        guard let number else {
            throw FirestoreError(.aborted, "a copy of the database is being made already; try again when it is complete")
        }
        thread.async { [self] in
            do throws(FirestoreError) {
                if state.withLock({ $0.cancelled == number }) { throw .copyCancelled }
                let copy = try store.beginCopy(to: path)
                state.withLock { $0.running = Running(copy: copy, number: number, due: .now(), completion: completion) }
                stepIfDue()
            } catch {
                state.withLock { $0.isBusy = false }
                completion(.failure(error))
            }
        }
        return number
    }

    /// Whether a copy is being made.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    func cancel(_ number: Int) {
        state.withLock { $0.cancelled = max($0.cancelled, number) }
        thread.async { [self] in
            guard state.withLock({ $0.running?.number == number }) else { return }
            finish(.failure(.copyCancelled))
        }
    }

    /// On the committer's thread: the next step, if there is a copy and it has rested.
    func stepIfDue() {
        let begun = DispatchTime.now()
        guard let copy = state.withLock({ state in state.running.flatMap { $0.due <= begun ? $0.copy : nil } }) else { return }
        let before = copy.pagesLeft
        do throws(FirestoreError) {
            if try store.step(copy) { return finish(.success(())) }
        } catch {
            return finish(.failure(error))
        }
        let ended = DispatchTime.now()
        // A database that grows as fast as it is copied would never be complete.
        let isCatchingUp = (copy.pagesLeft ?? 0) < before ?? .max
        let rest = (ended.uptimeNanoseconds - begun.uptimeNanoseconds) * (isCatchingUp ? Self.rest : 1)
        let due = DispatchTime(uptimeNanoseconds: ended.uptimeNanoseconds + rest)
        state.withLock { $0.running?.due = due }
        thread.asyncAfter(deadline: due) { [weak self] in self?.stepIfDue() }
    }

    /// Ends the copy before the store is closed. Not on the committer's thread.
    func close() { thread.sync { finish(.failure(.isShutDown)) } }

    private func finish(_ result: Result<Void, FirestoreError>) {
        let running = state.withLock { state in
            defer { state.isBusy = false }
            return state.running.take()
        }
        guard let running else { return }
        store.end(running.copy)
        running.completion(result)
    }
}

extension FirestoreError {
    static let copyCancelled = FirestoreError(.cancelled, "the copy was cancelled")
}
