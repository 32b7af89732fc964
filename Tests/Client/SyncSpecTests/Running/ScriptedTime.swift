// SPDX-License-Identifier: Apache-2.0
import FirestoreSync

/// The queue of an engine: jobs that wait until the runner drains it.
///
/// `@unchecked Sendable`: used on the thread of its test only, where the engine and the fake server post.
final class SpecQueue: @unchecked Sendable {
    private var jobs: [@Sendable (SyncEngine) -> Void] = []
    private var next = 0

    func post(_ job: @escaping @Sendable (SyncEngine) -> Void) { jobs.append(job) }

    func removeFirst() -> (@Sendable (SyncEngine) -> Void)? {
        guard next < jobs.count else {
            jobs = []
            next = 0
            return nil
        }
        defer { next += 1 }
        return jobs[next]
    }
}

/// Timers that run when the scenario says so (SY-227), in the order of a clock that moves with them.
final class ScriptedTimers: SyncTimers {
    private struct Waiting {
        let timer: SyncTimer
        let due: Duration
        /// In the order of starting.
        let number: Int
    }

    private var startCount = 0
    private var now: Duration = .zero
    private var waiting: [Waiting] = []
    /// Whether the Listen stream waits for a step that lets it open again.
    private(set) var holdsListenBackoff = false

    func start(_ timer: SyncTimer, after delay: Duration) {
        cancel(timer)
        startCount += 1
        waiting.append(Waiting(timer: timer, due: now + delay, number: startCount))
    }

    func cancel(_ timer: SyncTimer) {
        waiting.removeAll { $0.timer == timer }
        if timer == .listenBackoff { holdsListenBackoff = false }
    }

    func cancelAll() {
        waiting = []
        holdsListenBackoff = false
    }

    func isWaiting(_ timer: SyncTimer) -> Bool { waiting.contains { $0.timer == timer } }

    /// Leaves the backoff of the Listen stream waiting, if it does.
    func holdListenBackoff() { holdsListenBackoff = isWaiting(.listenBackoff) }

    /// A timer that nothing waits for in a scenario: the delay before a stream opens again.
    func takeBackoff(holding isHeld: Bool) -> SyncTimer? {
        let backoffs: [SyncTimer] = isHeld || holdsListenBackoff ? [.writeBackoff] : [.listenBackoff, .writeBackoff]
        guard let timer = backoffs.first(where: isWaiting) else { return nil }
        cancel(timer)
        return timer
    }

    /// A timer that waited when it was asked for.
    struct Entry {
        let timer: SyncTimer
        fileprivate let number: Int
    }

    /// The timers up to and including one of them, or all, in the order of their times. Collection of garbage has a step of
    /// its own.
    func due(_ timers: SpecAction.Timers) -> [Entry] {
        var entries = waiting.filter { $0.timer != .garbageCollection }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        switch timers {
        case .all: break
        case .none: return []
        case .upTo(let timer):
            guard let last = entries.firstIndex(where: { $0.timer == timer }) else { return [] }
            entries = Array(entries[...last])
        }
        return entries.map { Entry(timer: $0.timer, number: $0.number) }
    }

    /// Moves the clock to a timer; false if it no longer waits.
    func take(_ entry: Entry) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.number == entry.number }) else { return false }
        now = max(now, waiting[index].due)
        cancel(entry.timer)
        return true
    }
}
