// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore

/// What only the process may do that sends and listens: it does it itself, or the leader is asked.
extension CacheSharing {
    /// Runs `body` while no other process can send anything or listen: as the leader, or holding the leader's lock while there is no
    /// leader, because the network is disabled in all processes. Returns false if another process leads.
    func exclusively(_ body: () throws(FirestoreError) -> Void) throws(FirestoreError) -> Bool {
        tryToLead()
        if leads {
            try body()
            return true
        }
        guard isStarted, isOfThisUser, let lock = membership.folder.lead() else { return false }
        defer { withExtendedLifetime(lock) {} }
        // What the leader before has done is done.
        try takeChanges()
        guard isOfThisUser else { return false }
        if otherHasLed {
            try engine.streams.loadResumption()
            otherHasLed = false
        }
        membership.isFollower = false
        defer { membership.isFollower = true }
        try body()
        return true
    }

    // MARK: Cancellation

    func cancel(_ id: BatchID, _ completion: @escaping (Result<Void, FirestoreError>) -> Void) {
        do throws(FirestoreError) {
            guard isOfThisUser else { throw membership.showsOtherUser(engine.store.user) }
            if try !exclusively({ () throws(FirestoreError) in try engine.cancel(id) }) {
                guard try engine.store.isPending(id) else { throw .noPendingWrite(id) }
                try engine.store.requestCancellation(of: id)
                return cancellations.append((id, completion))
            }
            completion(.success(()))
        } catch {
            completion(.failure(error))
        }
    }

    /// Answers calls for which the leader has decided.
    func finishCancellations(_ changes: ForeignChanges) throws(FirestoreError) {
        guard !cancellations.isEmpty else { return }
        let outcomes = try engine.store.outcomes(of: cancellations.map(\.id))
        for id in Set(cancellations.map(\.id)) {
            if let outcome = outcomes[id] {
                if case .failure(let error) = outcome, error.code == .cancelled {
                    finish(id, .success(()))
                } else {
                    finish(id, .failure(.noPendingWrite(id)))
                }
            } else if changes.rejected.contains(id) {
                finish(id, .failure(.wasSent(id)))
            } else if !changes.isComplete {
                // The request may have been forgotten, or its rejection.
                try engine.store.requestCancellation(of: id)
            }
        }
    }

    /// The process that could be asked may have ended.
    func cancelAlone() {
        for id in Set(cancellations.map(\.id)) {
            do throws(FirestoreError) {
                if try exclusively({ () throws(FirestoreError) in try engine.cancel(id) }) { finish(id, .success(())) }
            } catch {
                finish(id, .failure(error))
            }
        }
    }

    func abandonCancellations() {
        for (id, _) in cancellations { finish(id, .failure(.clientIsTerminated)) }
    }

    private func finish(_ id: BatchID, _ result: Result<Void, FirestoreError>) {
        let finished = cancellations.filter { $0.id == id }
        cancellations.removeAll { $0.id == id }
        for call in finished { call.completion(result) }
    }

    // MARK: The leader

    /// Does what other processes have asked for. What fails is tried again with the next tick.
    func answerRequests() throws(FirestoreError) {
        // Before the start it is not known what was sent.
        guard hasRequests, leads, !engine.streams.offlineCauses.contains(.notStarted) else { return }
        for request in try engine.store.openRequests() {
            switch request {
            case .cancel(let id): try answerCancellation(of: id)
            case .takeOver(let request): for feature in engine.features where try feature.answer(request) { break }
            }
        }
        hasRequests = false
    }

    private func answerCancellation(of id: BatchID) throws(FirestoreError) {
        do throws(FirestoreError) {
            try engine.cancel(id)
            finish(id, .success(()))
        } catch {
            guard error.code == .failedPrecondition || error.code == .notFound else { throw error }
            try engine.store.rejectCancellation(of: id)
            // Its own, from before it led.
            finish(id, .failure(error))
        }
    }
}
