// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore
import FirestoreRules

/// Distinguishes users, and the tokens of one user.
enum CallerIdentity: Hashable {
    case stated(SecurityRules.User)
    case signedIn(uid: String, token: String?)
    case signedOut
}

/// The latest caller. The user is read for each operation, and readings of several threads overlap: one that has begun before the last
/// applied one may be out of date, and is not used. Pure.
struct LatestCaller {
    /// Numbers ascend with each caller.
    struct Numbered {
        var caller = RequestContext.Caller.anonymous
        var number = 0
    }

    private var latest = Numbered()
    /// nil before the first.
    private var identity: CallerIdentity?
    private var lastReading = 0
    private var appliedReading = 0

    /// A reading of the user begins. Returns its number.
    mutating func beginReading() -> Int {
        lastReading += 1
        return lastReading
    }

    /// The user was read. Returns the caller to use; nil if it has to be made, for `apply`.
    mutating func read(_ identity: CallerIdentity, by reading: Int) -> Numbered? {
        guard reading > appliedReading else { return latest }
        guard identity == self.identity else { return nil }
        appliedReading = reading
        return latest
    }

    /// The caller of a user was made. Returns the caller to use.
    mutating func apply(_ caller: RequestContext.Caller, of identity: CallerIdentity, by reading: Int) -> Numbered {
        guard reading > appliedReading else { return latest }
        appliedReading = reading
        if identity != self.identity {
            self.identity = identity
            latest = Numbered(caller: caller, number: latest.number + 1)
        }
        return latest
    }
}

/// Whether listeners are being judged. Judgements come one after the other, so that the last one is that of the last user; a change during
/// one is followed by another. Pure.
enum JudgingState: Hashable {
    case resting
    case judging
    /// A judgement is about to begin, or to follow.
    case due

    /// The user may have changed. Returns whether the caller has to judge, as long as `next` returns true.
    mutating func userChanged() -> Bool {
        defer { self = .due }
        return self == .resting
    }

    /// Returns whether another judgement begins.
    mutating func next(hasListeners: Bool) -> Bool {
        self = self == .due && hasListeners ? .judging : .resting
        return self == .judging
    }
}
