// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreStorage

/// The commits of all processes that share a database, in their order: those of this process from memory while nothing was missed, all
/// others from the change log (decision 53).
///
/// Because commits of a database never overlap, everything later than the position is everything that was missed. One queue is the only
/// caller of `WatchHub.publish`. Acknowledgements do not wait for it; a watch that begins does.
final class FollowingFeed: ChangeFeed {
    private struct State {
        /// The watches have every commit up to here.
        var position = DocumentVersion.none
        var isLooking = false
        var isClosed = false
        var handle: (any FollowHandle)?
        /// Consecutive failed reads of the log.
        var failures = 0
    }

    /// Changes per look into the log.
    private static let stretch = 1_000
    private static let patience: [Int] = [10, 50, 200, 1_000]

    private let hub: WatchHub
    private let log: any CommitLog
    /// Called when the history of the database was cut: the engine cannot continue.
    private let whenEnded: @Sendable () -> Void
    private let queue = DispatchQueue(label: "hearth.follow", qos: .userInitiated)
    private let state = Mutex(State())
    /// Groups of this process in flight; the committer waits when it is too far ahead.
    private let room = DispatchSemaphore(value: 64)

    init(hub: WatchHub, log: any CommitLog, whenEnded: @escaping @Sendable () -> Void) {
        self.hub = hub
        self.log = log
        self.whenEnded = whenEnded
    }

    func begin(at time: DocumentVersion) {
        hub.begin(at: time)
        state.withLock { $0.position = time }
        let handle = log.follow { [weak self] in
            self?.look()
        } ended: { [weak self] error in
            self?.end(error)
            self?.whenEnded()
        }
        state.withLock { $0.handle = handle }
    }

    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion, after previous: DocumentVersion) -> Bool {
        // A group that changed nothing has no time of its own.
        guard time > previous else { return false }
        queue.async { [self] in
            defer { room.signal() }
            // Commits of others in between, or a gap: the log has all of it, in order.
            if position == previous { deliver(commits, upTo: time) } else if position < time { readLog() }
        }
        return true
    }

    func waitForRoom() { room.wait() }

    func afterAcknowledged(_ body: @escaping @Sendable (Result<Void, FirestoreError>) -> Void) {
        if DeliberateDefect.joinWithoutLook.isOn { return body(.success(())) }
        Task { [self] in
            do throws(FirestoreError) {
                let time = try await log.lastCommit()
                if position < time { look() }
                hub.whenPublished(time) { body(.success(())) }
            } catch {
                body(.failure(error))
            }
        }
    }

    func afterOwnCommits(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    func close() {
        let handle = state.withLock { state in
            defer { state.handle = nil }
            state.isClosed = true
            return state.handle
        }
        handle?.stop()
        queue.sync {}
    }

    private var position: DocumentVersion { state.withLock { $0.position } }

    /// Looks into the log soon. Calls while a look waits for its turn are one look.
    private func look() {
        let isFirst = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard isFirst else { return }
        queue.async { [self] in
            state.withLock { $0.isLooking = false }
            readLog()
        }
    }

    // MARK: On the queue

    private func deliver(_ commits: [CommittedChanges], upTo time: DocumentVersion) {
        if hub.publish(commits, upTo: time) { hub.waitForRoom() }
        state.withLock { $0.position = max($0.position, time) }
    }

    private func readLog() {
        do throws(FirestoreError) {
            var isLast = try skipUnwatched()
            while !isLast {
                let found = try log.commits(after: position, limit: Self.stretch)
                isLast = found.isLast
                if found.end > position { deliver(found.commits, upTo: found.end) }
            }
            state.withLock { $0.failures = 0 }
        } catch {
            recover(from: error)
        }
    }

    /// Moves to the last commit while nothing is watched. Returns whether it did.
    private func skipUnwatched() throws(FirestoreError) -> Bool {
        guard !hub.hasWatches else { return false }
        let end = try log.commits(after: position, limit: 0).end
        // Asked again: a watch that has begun in the meantime may have read an earlier state. A later one reads this state or a later one.
        guard !hub.hasWatches else { return false }
        deliver([], upTo: end)
        return true
    }

    private func recover(from error: FirestoreError) {
        // Read before the watches end: a watch that begins after that reads a state that has all of it.
        if error.code == .outOfRange, let last = try? log.commits(after: position, limit: 0).end {
            end(error)
            return deliver([], upTo: last)
        }
        let pause = state.withLock { state in
            defer { state.failures += 1 }
            return state.isClosed ? nil : Self.patience[min(state.failures, Self.patience.count - 1)]
        }
        guard let pause else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in self?.look() }
    }

    /// What the watches know cannot be continued: they end, and their clients begin again.
    private func end(_ error: FirestoreError) {
        hub.failAll(FirestoreError(.unavailable, "the listener has to begin again: " + error.message, cause: error))
    }
}
