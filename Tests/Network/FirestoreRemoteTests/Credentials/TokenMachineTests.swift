// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreRemote

/// Which token calls use, and when the next one is fetched: every event in every state.
struct TokenMachineTests {
    /// Tokens live for an hour from the second 1,000; the state is looked at then, if it says nothing else.
    enum State: String, CaseIterable, Sendable {
        case empty
        case fetching
        case held
        /// After 55 minutes and a second; the next one is being fetched, or not.
        case old, oldFetching
        /// Nine seconds before the end.
        case expired
        /// A server has rejected the token; the next one is being fetched, or not.
        case rejected, rejectedFetching
        /// The last fetch has failed, now or more than two seconds ago.
        case failed, failedLongAgo
        /// The caller changed while a token was fetched.
        case changed
        /// No user is signed in.
        case anonymous
        case over
    }

    enum Event: String, CaseIterable, Sendable {
        case ready, ask, rejected, invalidate, otherRejected
        /// The user has changed, or has got another token.
        case otherUser, sameUser
        /// A fetch for the latest caller has ended; a caller waits.
        case token, failure
        case shutDown
    }

    /// What an event returns, and what a call gets then; what is not in the table does nothing.
    static let table: [Event: [State: String]] = [
        .ready: [
            .held: "t0", .old: "t0, fetch", .oldFetching: "t0", .anonymous: "nobody",
        ],
        .ask: [
            .empty: "wait, fetch", .fetching: "wait", .held: "t0", .old: "t0", .oldFetching: "t0", .expired: "wait, fetch",
            .rejected: "wait, fetch another", .rejectedFetching: "wait", .failed: "unauthenticated", .failedLongAgo: "wait, fetch", .changed: "wait",
            .anonymous: "nobody", .over: "failedPrecondition",
        ],
        .rejected: [
            .held: "wait, fetch another", .old: "wait, fetch another", .oldFetching: "wait", .expired: "wait, fetch another",
        ],
        .invalidate: [
            .held: "wait, fetch another", .old: "wait, fetch another", .oldFetching: "wait", .expired: "wait, fetch another",
        ],
        .otherRejected: [:],
        .otherUser: every("other, wait, fetch", but: [
            .fetching: "other, wait", .oldFetching: "other, wait", .rejectedFetching: "other, wait", .changed: "other, wait",
            .over: "other, failedPrecondition",
        ]),
        .sameUser: every("same, wait, fetch", but: [
            .fetching: "same, wait", .oldFetching: "same, wait", .rejectedFetching: "same, wait", .changed: "same, wait",
            .over: "same, failedPrecondition",
        ]),
        .token: [
            .fetching: "answer, t1", .oldFetching: "answer, t1", .rejectedFetching: "answer, t1", .changed: "fetch again, wait",
            .over: "answer, failedPrecondition",
        ],
        .failure: [
            .fetching: "answer, unauthenticated", .oldFetching: "answer, t0", .rejectedFetching: "answer, unauthenticated",
            .changed: "fetch again, wait", .over: "answer, failedPrecondition",
        ],
        .shutDown: every("failedPrecondition", but: [:]),
    ]

    private static func every(_ text: String, but others: [State: String]) -> [State: String] {
        Dictionary(uniqueKeysWithValues: State.allCases.map { ($0, text) }).merging(others) { $1 }
    }

    private static let second: Int64 = 1_000_000
    private static let start = 1_000 * second
    private static let token = AccessToken("t0", expiry: start + 3_600 * second)

    private static func now(_ state: State) -> Int64 {
        switch state {
        case .old, .oldFetching: start + 3_301 * second
        case .expired: start + 3_591 * second
        case .failedLongAgo: start + 3 * second
        default: start
        }
    }

    /// A machine, and the fetch in flight.
    private static func machine(in state: State) -> (TokenMachine, TokenMachine.Fetch?) {
        var machine = TokenMachine()
        machine.begin(with: "ada")
        guard state != .empty else { return (machine, nil) }
        guard case .wait(let fetch?) = machine.ask(at: start) else { return (machine, nil) }
        switch state {
        case .empty, .fetching: return (machine, fetch)
        case .changed:
            _ = machine.callerChanged(to: "ada")
            return (machine, fetch)
        case .failed, .failedLongAgo:
            _ = machine.fetched(.failure(FirestoreError(.unauthenticated, "no")), by: fetch, at: start, pause: 2 * second, isAwaited: true)
        case .anonymous: _ = machine.fetched(.success(.anonymous), by: fetch, at: start, pause: 0, isAwaited: true)
        case .held, .old, .oldFetching, .expired, .rejected, .rejectedFetching, .over:
            _ = machine.fetched(.success(token), by: fetch, at: start, pause: 0, isAwaited: true)
        }
        if state == .rejected || state == .rejectedFetching { machine.invalidate() }
        if state == .over { machine.shutDown() }
        guard state == .oldFetching || state == .rejectedFetching else { return (machine, nil) }
        switch (machine.ready(at: now(state)), machine.ask(at: now(state))) {
        case (.use(_, let fetch?), _), (_, .wait(let fetch?)): return (machine, fetch)
        default: return (machine, nil)
        }
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `every event in every state`(state: State, event: Event) {
        var (machine, fetch) = Self.machine(in: state)
        let now = Self.now(state)
        var words: [String] = []
        switch event {
        case .ready:
            switch machine.ready(at: now) {
            case .nothing: break
            case .use(let token, let fetch): words = [Self.text(token)] + (fetch == nil ? [] : ["fetch"])
            }
        case .ask: words = Self.asked(&machine, now)
        case .rejected, .otherRejected, .invalidate:
            let before = Self.asked(machine, now)
            switch event {
            case .rejected: machine.rejected(Self.token)
            case .otherRejected: machine.rejected(AccessToken("t9", expiry: .max))
            default: machine.invalidate()
            }
            let after = Self.asked(machine, now)
            if after != before { words = after }
        case .otherUser: words = [machine.callerChanged(to: "bert") ? "same" : "other"] + Self.asked(&machine, now)
        case .sameUser: words = [machine.callerChanged(to: "ada") ? "same" : "other"] + Self.asked(&machine, now)
        case .token, .failure:
            guard fetch != nil || state == .over else { break }
            let answer: Result<AccessToken, FirestoreError> =
                event == .token ? .success(AccessToken("t1", expiry: .max)) : .failure(FirestoreError(.unauthenticated, "no"))
            let ended = fetch ?? TokenMachine.Fetch(caller: 0, afterRejection: false)
            switch machine.fetched(answer, by: ended, at: now, pause: 2 * Self.second, isAwaited: true) {
            case .answer: words = ["answer"]
            case .outdated(let next): words = [next == nil ? "forget" : "fetch again"]
            }
            words += Self.asked(&machine, now)
        case .shutDown:
            machine.shutDown()
            words = Self.asked(&machine, now)
        }
        #expect(words.joined(separator: ", ") == Self.table[event]?[state] ?? "", "\(event) when \(state)")
        fetch = nil
    }

    @Test func `a fetch for an earlier caller is forgotten if no caller waits`() {
        var (machine, fetch) = Self.machine(in: .changed)
        guard let first = fetch.take() else { return }
        #expect(machine.fetched(.success(Self.token), by: first, at: Self.start, pause: 0, isAwaited: false) == .outdated(nil))
        #expect(Self.asked(machine, Self.start) == ["wait", "fetch"])
    }

    @Test func `failures add up until a token comes or the caller changes`() {
        var machine = TokenMachine()
        var now = Self.start
        for round in 1...3 {
            guard case .wait(let fetch?) = machine.ask(at: now) else { return }
            #expect(machine.nextFailure == round)
            _ = machine.fetched(.failure(FirestoreError(.unavailable, "down")), by: fetch, at: now, pause: Self.second, isAwaited: false)
            now += Self.second
        }
        #expect(machine.nextFailure == 4)
        _ = machine.callerChanged(to: "ada")
        #expect(machine.nextFailure == 1)
    }

    @Test func `a short-lived token is renewed in the last quarter of its life`() {
        var machine = TokenMachine()
        guard case .wait(let fetch?) = machine.ask(at: Self.start) else { return }
        let token = AccessToken("short", expiry: Self.start + 100 * Self.second)
        _ = machine.fetched(.success(token), by: fetch, at: Self.start, pause: 0, isAwaited: false)
        guard case .use(_, nil) = machine.ready(at: Self.start + 74 * Self.second) else { return #expect(Bool(false), "renewed too early") }
        guard case .use(_, _?) = machine.ready(at: Self.start + 75 * Self.second) else { return #expect(Bool(false), "not renewed") }
    }

    // MARK: Words

    private static func asked(_ machine: TokenMachine, _ now: Int64) -> [String] {
        var machine = machine
        return asked(&machine, now)
    }

    private static func asked(_ machine: inout TokenMachine, _ now: Int64) -> [String] {
        switch machine.ask(at: now) {
        case .use(let token): [text(token)]
        case .fail(let error): ["\(error.code)"]
        case .wait(nil): ["wait"]
        case .wait(let fetch?): ["wait", fetch.afterRejection ? "fetch another" : "fetch"]
        }
    }

    private static func text(_ token: AccessToken) -> String { token.isAnonymous ? "nobody" : token.value }
}
