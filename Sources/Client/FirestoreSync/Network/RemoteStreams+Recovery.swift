// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension RemoteStreams {
    typealias Work = (RemoteStreams) throws(FirestoreError) -> Void

    /// Work that failed because of the store, and is tried again until it succeeds.
    struct Recovery {
        let work: Work
        /// Whether the network waits for it.
        let holdsNetwork: Bool
    }

    /// What needs the store.
    enum StoreUse {
        /// A report of the authority. It is reported again when the streams are open again.
        case report
        /// Reading the queue, done again when the streams are open again.
        case queue
        /// The place where the Write stream continues from now on.
        case token
        /// An answer to a batch, which comes only once, and the place where the last Write stream ended: done before the streams
        /// are opened again.
        case essential
    }

    /// Does work that needs the store. If that fails, the client stays offline until the store works again (SY-159): a read of it tells,
    /// at once. If the same use fails again, although the store could be read, it is tried again later and later.
    func recoverably(_ use: StoreUse, _ work: @escaping Work) {
        do throws(FirestoreError) {
            try work(self)
            storeFailures[use] = nil
        } catch {
            let failures = (storeFailures[use] ?? 0) + 1
            storeFailures[use] = failures
            syncer.noteAnomaly("the cache cannot be used: \(error)")
            offlineCauses.insert(.storeFailure)
            suspend()
            perform(onlineState.set(.offline))
            let probe: Work = { (streams) throws(FirestoreError) in try streams.store.probe() }
            let again: Work = { (streams) throws(FirestoreError) in
                try work(streams)
                streams.storeFailures[use] = nil
            }
            if failures > 1, recoveries.isEmpty { waitForStore(settings.backoff.delay(afterFailures: failures - 1)) }
            retry(use == .essential ? again : probe, holdsNetwork: true)
        }
    }

    /// Tries until it succeeds, after everything that is being tried already.
    func retry(_ work: @escaping Work, holdsNetwork: Bool = false) {
        recoveries.append(Recovery(work: work, holdsNetwork: holdsNetwork))
        if recoveries.count == 1 { recover() }
    }

    /// Tries for the first time after a while.
    func retryLater(_ work: @escaping Work) {
        recoveries.append(Recovery(work: work, holdsNetwork: false))
        if recoveries.count == 1 { waitForStore(settings.backoff.delay(afterFailures: 1)) }
    }

    private func waitForStore(_ delay: Duration) {
        waitsForStore = true
        timers.start(.storeRetry, after: delay)
    }

    func storeRetryFired() {
        waitsForStore = false
        recover()
    }

    private func recover() {
        while !waitsForStore, let first = recoveries.first {
            do throws(FirestoreError) {
                try first.work(self)
                recoveries.removeFirst()
                recoveryFailures = 0
                guard first.holdsNetwork, !recoveries.contains(where: \.holdsNetwork) else { continue }
                offlineCauses.remove(.storeFailure)
                resume()
            } catch {
                recoveryFailures += 1
                waitForStore(settings.backoff.delay(afterFailures: recoveryFailures))
            }
        }
    }
}
