// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore

/// What only the process may do that sends and listens: it does it itself, or the leader is asked.
extension CacheSharing {
    /// Runs `body` while no other process can send anything or listen: as the leader, or holding the leader's lock while there is no
    /// leader, because the network is disabled in all processes. Returns nil if another process leads.
    func deciding<R>(_ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R? {
        tryToLead()
        if leads { return try body() }
        guard isStarted, isOfThisUser, let lock = membership.folder.lead() else { return nil }
        defer { withExtendedLifetime(lock) {} }
        // What the leader before has done is done.
        try takeChanges()
        guard isOfThisUser else { return nil }
        if otherHasLed {
            try engine.streams.loadResumption()
            otherHasLed = false
        }
        membership.isFollower = false
        defer { membership.isFollower = true }
        return try body()
    }

    private var isOfThisUser: Bool { engine.store.user == engine.store.ownUser }

    // MARK: Cancellation

    func cancel(_ id: BatchID, _ completion: @escaping (Result<Void, FirestoreError>) -> Void) {
        do throws(FirestoreError) {
            guard isOfThisUser else { throw membership.showsOtherUser(engine.store.user) }
            if try deciding({ () throws(FirestoreError) in try engine.cancel(id) }) == nil {
                guard try engine.store.pendingBatches().contains(where: { $0.id == id }) else { throw .noPendingWrite(id) }
                try engine.store.requestCancellation(of: id)
                return cancellations.append((id, completion))
            }
            completion(.success(()))
        } catch {
            completion(.failure(error))
        }
    }

    /// Answers calls for which the leader has decided.
    func settleCancellations(_ changes: ForeignChanges) throws(FirestoreError) {
        guard !cancellations.isEmpty else { return }
        let outcomes = try engine.store.outcomes(of: cancellations.map(\.id))
        for id in Set(cancellations.map(\.id)) {
            if let outcome = outcomes[id] {
                if case .failure(let error) = outcome, error.code == .cancelled {
                    settle(id, .success(()))
                } else {
                    settle(id, .failure(.noPendingWrite(id)))
                }
            } else if changes.refused.contains(id) {
                settle(id, .failure(.wasSent(id)))
            } else if !changes.isComplete {
                // The request may have been forgotten, or its refusal.
                try engine.store.requestCancellation(of: id)
            }
        }
    }

    /// The process that could be asked may have ended.
    func cancelAlone() {
        for id in Set(cancellations.map(\.id)) {
            do throws(FirestoreError) {
                if try deciding({ () throws(FirestoreError) in try engine.cancel(id) }) != nil { settle(id, .success(())) }
            } catch {
                settle(id, .failure(error))
            }
        }
    }

    func abandonCancellations() {
        for (id, _) in cancellations { settle(id, .failure(.clientIsTerminated)) }
    }

    private func settle(_ id: BatchID, _ result: Result<Void, FirestoreError>) {
        let settled = cancellations.filter { $0.id == id }
        cancellations.removeAll { $0.id == id }
        for call in settled { call.completion(result) }
    }

    // MARK: The leader

    /// Does what other processes have asked for. What fails is tried again with the next tick.
    func answerRequests() throws(FirestoreError) {
        // Before the start it is not known what was sent.
        guard hasRequests, leads, !engine.streams.offlineCauses.contains(.notStarted) else { return }
        for request in try engine.store.openRequests() {
            switch request {
            case .cancel(let id): try answerCancellation(of: id)
            case .offer(let query, let holder): try engine.takeOffer(query, from: holder)
            }
        }
        hasRequests = false
    }

    private func answerCancellation(of id: BatchID) throws(FirestoreError) {
        do throws(FirestoreError) {
            try engine.cancel(id)
            settle(id, .success(()))
        } catch {
            guard error.code == .failedPrecondition || error.code == .notFound else { throw error }
            try engine.store.refuseCancellation(of: id)
            // Its own, from before it led.
            settle(id, .failure(error))
        }
    }
}
