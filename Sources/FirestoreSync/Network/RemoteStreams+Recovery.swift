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

    /// Does work that needs the store. If that fails, the client stays offline until the store works again (SY-159).
    ///
    /// What the authority reported is reported again when the streams are open again: then it is enough that the store can be
    /// written. An answer to a batch comes only once: it `mustSucceed`, and is applied first.
    func recoverably(mustSucceed: Bool = false, _ work: @escaping Work) {
        do throws(FirestoreError) {
            try work(self)
        } catch {
            syncer.noteAnomaly("the cache cannot be used: \(error)")
            offlineCauses.insert(.storeFailure)
            suspend()
            perform(onlineState.set(.offline))
            let probe: Work = { (streams) throws(FirestoreError) in try streams.store.probe() }
            retry(mustSucceed ? work : probe, holdsNetwork: true, afterFailures: repeatedFailures())
        }
    }

    /// Tries until it succeeds, after everything that is being tried already.
    func retry(_ work: @escaping Work, holdsNetwork: Bool = false, afterFailures failures: Int = 0) {
        recoveries.append(Recovery(work: work, holdsNetwork: holdsNetwork))
        guard recoveries.count == 1 else { return }
        if failures == 0 { recover() } else { timers.start(.storeRetry, after: settings.backoff.delay(afterFailures: failures)) }
    }

    /// How often the store has failed lately before now. Where it can be written, but not what the server sends, the streams must not be
    /// opened again and again without a pause.
    private func repeatedFailures() -> Int {
        let now = settings.now()
        if let last = lastStoreFailure, now - last < .seconds(60) { storeFailures += 1 } else { storeFailures = 0 }
        lastStoreFailure = now
        return storeFailures
    }

    func recover() {
        while let first = recoveries.first {
            do throws(FirestoreError) {
                try first.work(self)
                recoveries.removeFirst()
                recoveryFailures = 0
                guard first.holdsNetwork, !recoveries.contains(where: \.holdsNetwork) else { continue }
                offlineCauses.remove(.storeFailure)
                resume()
            } catch {
                recoveryFailures += 1
                timers.start(.storeRetry, after: settings.backoff.delay(afterFailures: recoveryFailures))
                return
            }
        }
    }
}
