// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Work that failed because of the store, and is tried again until it succeeds, oldest first (SY-159). Decides when; performs nothing.
struct StoreRecovery {
    typealias Work = (RemoteStreams) throws(FirestoreError) -> Void

    /// The operation that needs the store.
    enum Use {
        /// A report of the authority. It is reported again when the streams are open again.
        case report
        /// Reading the queue, done again when the streams are open again.
        case queue
        /// The position where the Write stream continues from now on.
        case token
        /// An answer to a batch, which comes only once, and the position where the last Write stream ended: done before the streams
        /// are opened again.
        case essential
    }

    private struct Item {
        let work: Work
        /// Whether the network waits for it.
        let holdsNetwork: Bool
    }

    private var items: [Item] = []
    private var failures = 0
    /// Whether the work waits for the timer.
    private(set) var isWaiting = false
    /// How often in a row each use of the store has failed.
    private var failuresOfUse: [Use: Int] = [:]

    var isEmpty: Bool { items.isEmpty }

    /// The work to try now; nil if there is none, or while the timer runs.
    var next: Work? { isWaiting ? nil : items.first?.work }

    mutating func succeeded(_ use: Use) { failuresOfUse[use] = nil }

    /// Returns how often the use has failed in a row.
    mutating func failed(_ use: Use) -> Int {
        failuresOfUse[use, default: 0] += 1
        return failuresOfUse[use] ?? 1
    }

    /// Adds work behind everything that is being tried. Returns whether it is the first.
    mutating func add(_ work: @escaping Work, holdsNetwork: Bool) -> Bool {
        items.append(Item(work: work, holdsNetwork: holdsNetwork))
        return items.count == 1
    }

    /// The oldest work has succeeded. Returns whether the network may be used again.
    mutating func finishFirst() -> Bool {
        failures = 0
        return items.removeFirst().holdsNetwork && !items.contains(where: \.holdsNetwork)
    }

    /// The oldest work has failed again. Returns how often in a row.
    mutating func failedAgain() -> Int {
        failures += 1
        return failures
    }

    mutating func wait() { isWaiting = true }

    mutating func timerFired() { isWaiting = false }
}

extension RemoteStreams {
    /// Does work that needs the store. If that fails, the client stays offline until the store works again (SY-159), which is probed
    /// immediately. If the same use fails again, although the store could be read, it is tried again later and later.
    func recoverably(_ use: StoreRecovery.Use, _ work: @escaping StoreRecovery.Work) {
        do throws(FirestoreError) {
            try work(self)
            recovery.succeeded(use)
        } catch {
            let failures = recovery.failed(use)
            syncer.noteAnomaly("the cache cannot be used: \(error)")
            offlineCauses.insert(.storeFailure)
            suspend()
            perform(onlineState.set(.offline))
            let again: StoreRecovery.Work = { (streams) throws(FirestoreError) in
                guard use == .essential else { return try streams.store.probe() }
                try work(streams)
                streams.recovery.succeeded(use)
            }
            if failures > 1, recovery.isEmpty { waitForStore(settings.backoff.delay(afterFailures: failures - 1)) }
            retry(again, holdsNetwork: true)
        }
    }

    /// Tries until it succeeds, after everything that is being tried already.
    func retry(_ work: @escaping StoreRecovery.Work, holdsNetwork: Bool = false) {
        if recovery.add(work, holdsNetwork: holdsNetwork) { recover() }
    }

    /// Tries for the first time after a while.
    func retryLater(_ work: @escaping StoreRecovery.Work) {
        if recovery.add(work, holdsNetwork: false) { waitForStore(settings.backoff.delay(afterFailures: 1)) }
    }

    private func waitForStore(_ delay: Duration) {
        recovery.wait()
        timers.start(.storeRetry, after: delay)
    }

    func storeRetryFired() {
        recovery.timerFired()
        recover()
    }

    private func recover() {
        while let work = recovery.next {
            do throws(FirestoreError) {
                try work(self)
                guard recovery.finishFirst() else { continue }
                offlineCauses.remove(.storeFailure)
                resume()
            } catch {
                waitForStore(settings.backoff.delay(afterFailures: recovery.failedAgain()))
            }
        }
    }
}
