// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Keeps a token, and gets the next one before it expires: one request at a time, for any number of waiting calls.
///
/// Calls use a valid token without waiting. Near its end (five minutes, or a quarter of a short life) the next one is fetched while
/// calls continue with the old one, so that a short outage of the endpoint has no effect. A failure is reported to all waiting
/// calls and to calls within the next moment; then the endpoint is tried again. `TokenMachine` decides.
final class TokenSource: Sendable {
    private typealias Answer = Result<AccessToken, FirestoreError>

    private struct State {
        var machine = TokenMachine()
        var renewal: Task<Void, Never>?
        var waiters: [UInt64: CheckedContinuation<Answer, Never>] = [:]
        var lastWaiter: UInt64 = 0
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

    init(_ fetcher: any TokenFetching, clock: any WallClock, backoff: Backoff) {
        self.fetcher = fetcher
        self.clock = clock
        self.backoff = backoff
        let observation = fetcher.observe { [weak self] in self?.callerChanged() }
        self.observation.withLock { $0 = observation }
        let user = fetcher.user
        state.withLock { $0.machine.begin(with: user) }
    }

    deinit { state.withLock { $0.renewal }?.cancel() }

    /// Whether calls have no token, because no user is signed in.
    var isAnonymous: Bool { state.withLock { $0.machine.isAnonymous } }

    // MARK: Asking

    /// A valid token, if there is one: does not wait.
    func ready() -> AccessToken? {
        let now = clock.now()
        return state.withLock { state in
            guard case .use(let token, let fetch) = state.machine.ready(at: now) else { return nil }
            if let fetch { start(fetch, &state) }
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

    /// Returns an available answer, or adds a waiting call.
    private func join(_ waiter: UInt64, _ continuation: CheckedContinuation<Answer, Never>) -> Answer? {
        let now = clock.now()
        return state.withLock { state -> Answer? in
            switch state.machine.ask(at: now) {
            case .use(let token): return .success(token)
            case .fail(let error): return .failure(error)
            case .wait(let fetch):
                state.waiters[waiter] = continuation
                if let fetch { start(fetch, &state) }
                return nil
            }
        }
    }

    private func give(_ waiter: UInt64, _ answer: Answer) {
        state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: answer)
    }

    /// The server has not accepted the token (LS-41): the next call uses another one. Has no effect for a token before the latest.
    func rejected(_ token: AccessToken) { state.withLock { $0.machine.rejected(token) } }

    /// As `rejected`, for the latest token, whatever it is. A caller without one stays anonymous.
    func invalidate() { state.withLock { $0.machine.invalidate() } }

    /// The tokens of the previous caller are not used any more; waiting calls get those of the new one.
    private func callerChanged() {
        let user = fetcher.user
        let (isSameUser, dependents) = state.withLock { ($0.machine.callerChanged(to: user), $0.dependents) }
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
            state.machine.shutDown()
            defer { state.waiters = [:] }
            return (state.renewal, Array(state.waiters.values))
        }
        renewal?.cancel()
        for waiter in waiters { waiter.resume(returning: .failure(.hasShutDown)) }
    }

    // MARK: Fetching

    /// Under the lock.
    private func start(_ fetch: TokenMachine.Fetch, _ state: inout State) {
        state.renewal = Task { [weak self, fetcher, backoff] in
            let answer = await Self.fetch(fetcher, afterRejection: fetch.afterRejection, backoff)
            self?.fetched(answer, by: fetch)
        }
    }

    private static func fetch(_ fetcher: any TokenFetching, afterRejection: Bool, _ backoff: Backoff) async -> Answer {
        var failures = 0
        while true {
            do throws(FirestoreError) {
                return .success(afterRejection ? try await fetcher.fetchAfterRejection() : try await fetcher.fetch())
            } catch {
                failures += 1
                guard error.code == .unavailable, failures < attempts, !Task.isCancelled else { return .failure(error) }
                await backoff.sleep(backoff.delay(afterFailures: failures))
            }
        }
    }

    private func fetched(_ answer: Answer, by fetch: TokenMachine.Fetch) {
        let now = clock.now()
        let pause = Int64(backoff.delay(afterFailures: state.withLock { $0.machine.nextFailure } + 1) / .microseconds(1))
        let waiters = state.withLock { state -> [CheckedContinuation<Answer, Never>] in
            state.renewal = nil
            let isAwaited = !state.waiters.isEmpty
            switch state.machine.fetched(answer, by: fetch, at: now, pause: pause, isAwaited: isAwaited) {
            case .answer:
                defer { state.waiters = [:] }
                return Array(state.waiters.values)
            case .outdated(let next):
                if let next { start(next, &state) }
                return []
            }
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }
}
