// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What is written without a user while a sign-in is in progress: it is queued and shown, but not sent until the sign-in has ended. If it
/// succeeds, the batches move to the queue of the user who has signed in (docs/decisions/0044-writes-during-a-sign-in.md).
struct SignInHold {
    private(set) var isBegun = false
    /// Ascending.
    private(set) var batches: [BatchID] = []

    /// The first batch that is not sent.
    var first: BatchID? { batches.first }

    mutating func begin() { isBegun = true }

    mutating func end() { isBegun = false }

    mutating func add(_ id: BatchID) { if batches.last.map({ $0 < id }) ?? true { batches.append(id) } }

    /// Takes the batches, because they have moved or are sent where they are.
    mutating func release() { batches = [] }
}

extension SyncEngine {
    /// Whether what is written now waits for a sign-in.
    var holdsNewWrites: Bool { signInHold.isBegun && store.ownUser.uid == nil && wantedUser == nil }

    var firstHeldBatch: BatchID? { signInHold.first }

    /// A sign-in has begun, or has ended: with a change of the user before, or without one.
    package func setSigningIn(_ isSigningIn: Bool) {
        guard isSigningIn != signInHold.isBegun else { return }
        if isSigningIn { return signInHold.begin() }
        signInHold.end()
        // Otherwise the store still has to change the user, and the batches with it.
        if wantedUser == nil { releaseSignInHold() }
    }

    func releaseSignInHold() {
        guard signInHold.first != nil else { return }
        signInHold.release()
        onQueueChange?()
        streams.fillPipeline()
    }

    /// The held writes with their callers, for the queue of the user who has signed in, which is in another cache. They stay in this one
    /// until they are in the other one. Those that may have been sent stay.
    func takeHeldCalls() throws(FirestoreError) -> [(id: BatchID, call: WriteCall)] {
        guard signInHold.first != nil else { return [] }
        let held = Set(signInHold.batches)
        let sent = try store.writeStream().sentUpTo
        let queued = try store.nextBatches(after: held.min().map { $0 - 1 }, limit: .max, bytes: .max)
        let calls = queued.filter { held.contains($0.id) && $0.id > sent }.map { batch in
            let handler = handlers.removeValue(forKey: batch.id)
            let rule = batch.bases == nil ? ConflictRule.lastWriteWins : .requireUnchanged(handler)
            let completion = completions.removeValue(forKey: batch.id) ?? { _ in }
            return (batch.id, WriteCall(writes: batch.writes, onConflict: rule, completion: completion))
        }
        signInHold.release()
        return calls
    }

    /// Writes to the log, once for each user, that writes wait for a user who is not signed in.
    func noteQueuesOfOthers() {
        // If they cannot be read now, they are mentioned after the next change of the user.
        for (user, count) in (try? store.queuesOfOthers()) ?? [] where notedQueues.insert(user).inserted {
            let subject = count == 1 ? "1 write" : "\(count) writes"
            let reason =
                user.uid == nil
                ? "made while no user was signed in: not sent as the user who is signed in now, but when that user has signed out"
                : "of a user who is not signed in: sent when that user signs in again"
            settings.log("the cache holds \(subject) \(reason) (pendingWrites.countOfOtherUsers())")
        }
    }
}
