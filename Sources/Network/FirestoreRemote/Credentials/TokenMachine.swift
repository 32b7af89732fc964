// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Decides which token calls use, and when the next one is fetched. Pure: events come with their times, in microseconds since 1970, and
/// return what to do.
struct TokenMachine {
    private enum Holding {
        case token(AccessToken, renewAt: Int64)
        case nothing
        /// A server has rejected the last token: the next one has to be another.
        case rejected
    }

    private enum Work {
        case resting
        case fetching
        case over
    }

    /// Rounds of attempts that have failed since the last success.
    private struct Trouble {
        var rounds: Int
        var error: FirestoreError
        /// No new round starts before.
        var end: Int64
    }

    /// A round of attempts to get a token.
    struct Fetch: Equatable {
        /// A token requested before the last change of the caller is not used.
        let caller: Int
        let afterRejection: Bool
    }

    private var holding = Holding.nothing
    private var work = Work.resting
    private var trouble: Trouble?
    /// Counts the changes of the caller.
    private var caller = 0
    /// The current user's id; nil if no user is signed in.
    private var user: String?

    /// A token this close to its end may have expired when it arrives.
    private static let margin: Int64 = 10_000_000
    private static let earliness: Int64 = 300_000_000

    /// Whether calls have no token, because no user is signed in.
    var isAnonymous: Bool {
        if case .token(let token, _) = holding { token.isAnonymous } else { false }
    }

    private func valid(at now: Int64) -> (token: AccessToken, renewAt: Int64)? {
        guard case .token(let token, let renewAt) = holding, token.expiry - Self.margin > now else { return nil }
        return (token, renewAt)
    }

    // MARK: Calls

    enum ReadyAction {
        case nothing
        /// `fetch`: the next one is fetched meanwhile.
        case use(AccessToken, fetch: Fetch?)
    }

    /// A call wants a token without waiting.
    mutating func ready(at now: Int64) -> ReadyAction {
        guard let (token, renewAt) = valid(at: now) else { return .nothing }
        return .use(token, fetch: now >= max(renewAt, trouble?.end ?? 0) ? beginFetch() : nil)
    }

    enum AskAction {
        case use(AccessToken)
        case fail(FirestoreError)
        /// `fetch` is nil if one is in flight.
        case wait(fetch: Fetch?)
    }

    /// A call waits for a token if it must.
    mutating func ask(at now: Int64) -> AskAction {
        if case .over = work { return .fail(.hasShutDown) }
        if let (token, _) = valid(at: now) { return .use(token) }
        if case .resting = work, let trouble, now < trouble.end { return .fail(trouble.error) }
        return .wait(fetch: beginFetch())
    }

    /// The server has not accepted the token. Has no effect for a token before the latest.
    mutating func rejected(_ token: AccessToken) {
        guard case .token(let current, _) = holding, equalUTF8(current.value, token.value) else { return }
        holding = .rejected
    }

    /// The server has not accepted the latest token. A caller without one stays anonymous.
    mutating func invalidate() {
        guard case .token(let token, _) = holding, !token.isAnonymous else { return }
        holding = .rejected
    }

    // MARK: Callers

    /// The user when the source was made, unless that has changed meanwhile.
    mutating func begin(with user: String?) {
        if caller == 0 { self.user = user }
    }

    /// The user or the user's token has changed: earlier tokens are not used any more. Returns whether the user is the same one.
    mutating func callerChanged(to user: String?) -> Bool {
        defer { self.user = user }
        caller += 1
        holding = .nothing
        trouble = nil
        return self.user == user
    }

    // MARK: Fetching

    private mutating func beginFetch() -> Fetch? {
        guard case .resting = work else { return nil }
        work = .fetching
        let afterRejection = if case .rejected = holding { true } else { false }
        return Fetch(caller: caller, afterRejection: afterRejection)
    }

    /// The number of failed rounds, should the one in flight fail, too.
    var nextFailure: Int { (trouble?.rounds ?? 0) + 1 }

    enum FetchedAction: Equatable {
        /// Give the answer to the waiting callers.
        case answer
        /// The caller has changed. Fetch for the new one, if a caller waits.
        case outdated(Fetch?)
    }

    /// A fetch has ended. After a failure, none begins within `pause` microseconds.
    mutating func fetched(
        _ answer: Result<AccessToken, FirestoreError>, by fetch: Fetch, at now: Int64, pause: Int64, isAwaited: Bool
    ) -> FetchedAction {
        guard case .fetching = work else { return .answer }
        work = .resting
        guard fetch.caller == caller else { return .outdated(isAwaited ? beginFetch() : nil) }
        switch answer {
        case .success(let token):
            holding = .token(token, renewAt: token.expiry - min(Self.earliness, (token.expiry - now) / 4))
            trouble = nil
        case .failure(let error): trouble = Trouble(rounds: nextFailure, error: error, end: now + pause)
        }
        return .answer
    }

    mutating func shutDown() {
        work = .over
        holding = .nothing
    }
}
