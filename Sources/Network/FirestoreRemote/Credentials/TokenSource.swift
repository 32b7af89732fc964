// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Keeps a token, and gets the next one before it expires: one request at a time, for any number of waiting calls.
///
/// Calls use a valid token without waiting. Near its end (five minutes, or a quarter of a short life) the next one is fetched while
/// calls continue with the old one, so that a short outage of the endpoint has no effect. A failure is reported to all waiting
/// calls and to calls within the next moment; then the endpoint is tried again.
final class TokenSource: Sendable {
    private typealias Answer = Result<AccessToken, FirestoreError>

    private struct State {
        var token: AccessToken?
        /// Microseconds since 1970.
        var renewAt: Int64 = 0
        var renewal: Task<Void, Never>?
        var waiters: [UInt64: CheckedContinuation<Answer, Never>] = [:]
        var lastWaiter: UInt64 = 0
        /// The number of consecutive failed rounds of attempts, the last error, and the time before which no new round starts.
        var failures = 0
        var failure: FirestoreError?
        var askAgainAt: Int64 = 0
        /// Whether a server has rejected the last token.
        var wasRejected = false
        /// Counts the changes of the caller: a token requested before the last change is not used.
        var caller = 0
        /// Who that is; nil if none is signed in.
        var user: String?
        var isShutDown = false
        /// Called after a change of the caller; those that return false are dropped.
        var dependents: [UInt64: @Sendable (Bool) -> Bool] = [:]
        var lastDependent: UInt64 = 0
    }

    let fetcher: any TokenFetching
    private let clock: any WallClock
    private let backoff: Backoff
    private let state = Mutex(State())
    private let observation = Mutex<(any Sendable)?>(nil)

    /// The number of attempts in one round, if trying again may help.
    private static let attempts = 4
    /// A token this close to its end may have expired when it arrives.
    private static let margin: Int64 = 10_000_000
    private static let earliness: Int64 = 300_000_000

    init(_ fetcher: any TokenFetching, clock: any WallClock, backoff: Backoff) {
        self.fetcher = fetcher
        self.clock = clock
        self.backoff = backoff
        let observation = fetcher.observe { [weak self] in self?.callerChanged() }
        self.observation.withLock { $0 = observation }
        let user = fetcher.user
        state.withLock { if $0.caller == 0 { $0.user = user } }
    }

    deinit { state.withLock { $0.renewal }?.cancel() }

    /// Whether calls have no token, because no user is signed in.
    var isAnonymous: Bool { state.withLock { $0.token?.isAnonymous == true } }

    // MARK: Asking

    /// A valid token, if there is one: does not wait.
    func ready() -> AccessToken? {
        let now = clock.now()
        return state.withLock { state in
            guard let token = state.token, token.expiry - Self.margin > now else { return nil }
            if now >= state.renewAt, now >= state.askAgainAt { renew(&state) }
            return token
        }
    }

    /// A valid token. Waits for it if necessary, until the deadline or until the calling task is cancelled.
    func token(until deadline: ContinuousClock.Instant?) async throws(FirestoreError) -> AccessToken {
        if let token = ready() { return token }
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = deadline.map { deadline in
            Task { [weak self] in
                try? await Task.sleep(until: deadline, clock: .continuous)
                if !Task.isCancelled { self?.give(waiter, .failure(Self.tooLate)) }
            }
        }
        defer { timer?.cancel() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let answer = join(waiter, continuation) {
                    continuation.resume(returning: answer)
                } else if Task.isCancelled {
                    give(waiter, .failure(Self.cancelled))
                } else if let deadline, deadline <= .now {
                    give(waiter, .failure(Self.tooLate))
                }
            }
        } onCancel: {
            give(waiter, .failure(Self.cancelled))
        }
        return try answer.get()
    }

    private static let tooLate = FirestoreError(.deadlineExceeded, "the deadline has passed while waiting for a token")
    private static let cancelled = FirestoreError(.cancelled, "the call was cancelled")

    /// Resumes with an available answer, or adds a waiting call.
    private func join(_ waiter: UInt64, _ continuation: CheckedContinuation<Answer, Never>) -> Answer? {
        let now = clock.now()
        return state.withLock { state -> Answer? in
            if state.isShutDown { return .failure(.hasShutDown) }
            if let token = state.token, token.expiry - Self.margin > now { return .success(token) }
            if state.renewal == nil, let failure = state.failure, now < state.askAgainAt { return .failure(failure) }
            renew(&state)
            state.waiters[waiter] = continuation
            return nil
        }
    }

    private func give(_ waiter: UInt64, _ answer: Answer) {
        state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: answer)
    }

    /// The server has not accepted the token (LS-41): the next call uses another one. Has no effect for a token before the latest.
    func rejected(_ token: AccessToken) {
        state.withLock { state in
            guard let current = state.token, equalUTF8(current.value, token.value) else { return }
            state.token = nil
            state.wasRejected = true
        }
    }

    /// Discards the latest token, whatever it is. A caller without one stays anonymous.
    func invalidate() {
        state.withLock { state in
            guard let token = state.token, !token.isAnonymous else { return }
            state.token = nil
            state.wasRejected = true
        }
    }

    /// The tokens of the previous caller are not used any more; waiting calls get those of the new one.
    private func callerChanged() {
        let user = fetcher.user
        let (isSameUser, dependents) = state.withLock { state in
            let isSameUser = state.user == user
            state.user = user
            state.caller += 1
            (state.token, state.wasRejected) = (nil, false)
            (state.failures, state.failure, state.askAgainAt) = (0, nil, 0)
            return (isSameUser, state.dependents)
        }
        for (number, body) in dependents where !body(isSameUser) { state.withLock { $0.dependents[number] = nil } }
    }

    /// Calls `body` after every change of the caller or the token, as long as it returns true.
    func whenCallerChanges(_ body: @escaping @Sendable (_ isSameUser: Bool) -> Bool) {
        state.withLock { state in
            state.lastDependent += 1
            state.dependents[state.lastDependent] = body
        }
    }

    func shutDown() {
        let (renewal, waiters) = state.withLock { state in
            state.isShutDown = true
            state.token = nil
            defer { state.waiters = [:] }
            return (state.renewal, Array(state.waiters.values))
        }
        renewal?.cancel()
        for waiter in waiters { waiter.resume(returning: .failure(.hasShutDown)) }
    }

    // MARK: Renewing

    private func renew(_ state: inout State) {
        guard state.renewal == nil, !state.isShutDown else { return }
        let (caller, wasRejected) = (state.caller, state.wasRejected)
        state.renewal = Task { [weak self, fetcher, backoff] in
            let answer = await Self.fetch(fetcher, wasRejected: wasRejected, backoff)
            self?.renewed(answer, of: caller)
        }
    }

    private static func fetch(_ fetcher: any TokenFetching, wasRejected: Bool, _ backoff: Backoff) async -> Answer {
        var failures = 0
        while true {
            do throws(FirestoreError) {
                return .success(wasRejected ? try await fetcher.fetchAfterRejection() : try await fetcher.fetch())
            } catch {
                failures += 1
                guard error.code == .unavailable, failures < attempts, !Task.isCancelled else { return .failure(error) }
                await backoff.sleep(backoff.delay(afterFailures: failures))
            }
        }
    }

    private func renewed(_ answer: Answer, of caller: Int) {
        let now = clock.now()
        let waiters = state.withLock { state -> [CheckedContinuation<Answer, Never>] in
            state.renewal = nil
            guard caller == state.caller || state.isShutDown else {
                if !state.waiters.isEmpty { renew(&state) }
                return []
            }
            switch answer {
            case .success(let token) where !state.isShutDown:
                (state.token, state.wasRejected) = (token, false)
                state.renewAt = token.expiry - min(Self.earliness, (token.expiry - now) / 4)
                (state.failures, state.failure, state.askAgainAt) = (0, nil, 0)
            case .success: break
            case .failure(let error):
                state.failures += 1
                state.failure = error
                let pause = backoff.delay(afterFailures: state.failures + 1)
                state.askAgainAt = now + Int64(pause / .microseconds(1))
            }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }
}
