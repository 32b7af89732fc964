// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The change of the user that the store has not made yet, and what is written without a user while a sign-in is in progress (SY-77).
///
/// Such writes are queued and shown, but not sent until the sign-in has ended. If it succeeds, they move to the queue of the user who has
/// signed in (docs/decisions/0044-writes-during-a-sign-in.md).
struct UserTransition {
    /// The writes of a sign-in.
    struct Hold {
        private(set) var isBegun = false
        /// Ascending.
        private(set) var batches: [BatchID] = []

        mutating func set(_ isBegun: Bool) { self.isBegun = isBegun }

        mutating func add(_ id: BatchID) { if batches.last.map({ $0 < id }) ?? true { batches.append(id) } }

        /// Forgets the batches, because they have moved or are sent in the queue of the signed-out user.
        mutating func release() { batches = [] }
    }

    /// The user that the store is to be changed to; nil if that is done.
    private(set) var wanted: SyncUser?
    var hold = Hold()
    private var mentioned: Set<SyncUser> = []

    /// The user changes. Of several changes that have to wait the last one applies.
    mutating func begin(_ user: SyncUser) { wanted = user }

    mutating func end() {
        wanted = nil
        hold.release()
    }

    /// Whether what `user` writes now waits for a sign-in.
    func holdsNewWrites(of user: SyncUser) -> Bool { hold.isBegun && user.uid == nil && wanted == nil }

    /// The error of a write while the cache is still that of the user before, in whose queue it must not be.
    func missing(_ shown: SyncUser) -> FirestoreError? {
        guard let wanted, wanted != shown else { return nil }
        return FirestoreError(.unavailable, "the cache could not be changed to the user who is signed in now; try again later")
    }

    /// Whether the writes of a user who is not signed in were not mentioned before.
    mutating func mention(_ user: SyncUser) -> Bool { mentioned.insert(user).inserted }
}

extension SyncEngine {
    /// Changes the user whose writes are queued and shown (SY-77). Tried again until the store has done it.
    package func changeUser(to user: SyncUser) {
        users.begin(user)
        streams.beginUserChange()
        streams.retry { [weak self] (streams) throws(FirestoreError) in
            guard let self, let wanted = users.wanted else { return }
            try apply(wanted)
            try streams.loadResumption()
            users.end()
            streams.endUserChange()
            notify(.userChangeEnded)
        }
    }

    private func apply(_ user: SyncUser) throws(FirestoreError) {
        // A retry continues where the attempt before has failed.
        if user != store.user || user != store.ownUser {
            let isSignIn = store.ownUser.uid == nil && user.uid != nil
            let (changes, oldestLeft) = try store.changeUser(to: user, moving: isSignIn ? users.hold.batches : [])
            // Calls that wait for nothing but what has moved continue to wait.
            let hasMoved = isSignIn && !users.hold.batches.isEmpty
            for waiter in calls.takeWaiters((hasMoved ? oldestLeft ?? .max : .min)...) {
                waiter(.failure(FirestoreError(.cancelled, "the user changed while the call waited for pending writes; wait again")))
            }
            deliver(changes)
            noteQueuesOfOthers()
            notify(.userChanged)
        }
        for feature in features { try feature.load() }
    }

    /// A sign-in has begun, or has ended: with a change of the user before, or without one.
    package func setSigningIn(_ isSigningIn: Bool) {
        guard isSigningIn != users.hold.isBegun else { return }
        users.hold.set(isSigningIn)
        // Otherwise the store still has to change the user, and the batches with it.
        guard !isSigningIn, users.wanted == nil, !users.hold.batches.isEmpty else { return }
        users.hold.release()
        observers.changed(.queue)
        streams.fillPipeline()
    }

    /// The held writes with their callers, for the queue of the user who has signed in, which is in another cache. They stay in this one
    /// until they are in the other one. Those that may have been sent stay.
    func takeHeldCalls() throws(FirestoreError) -> [(id: BatchID, call: WriteCall)] {
        guard let first = users.hold.batches.first else { return [] }
        let held = Set(users.hold.batches)
        let sent = try store.writeStream().sentUpTo
        let queued = try store.nextBatches(after: first - 1, limit: .max, bytes: .max)
        let taken = queued.filter { held.contains($0.id) && $0.id > sent }.map { batch in
            let option = features.lazy.compactMap { $0.option(of: batch) }.first
            notify(.ended(batch.id))
            return (batch.id, WriteCall(writes: batch.writes, option: option, completion: calls.take(batch.id) ?? { _ in }))
        }
        users.hold.release()
        return taken
    }

    /// Writes to the log, once for each user, that writes wait for a user who is not signed in.
    func noteQueuesOfOthers() {
        // If they cannot be read now, they are mentioned after the next change of the user.
        for (user, count) in (try? store.queuesOfOthers()) ?? [] where users.mention(user) {
            let subject = count == 1 ? "1 write" : "\(count) writes"
            let reason =
                user.uid == nil
                ? "made while no user was signed in: not sent as the user who is signed in now, but when that user has signed out"
                : "of a user who is not signed in: sent when that user signs in again"
            settings.log("the cache holds \(subject) \(reason) (pendingWrites.countOfOtherUsers())")
        }
    }
}
