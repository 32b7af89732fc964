// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import TestSupport
import Testing

@testable import FirestoreRemote

/// The token of the signed-in user, who may change at any time.
@Suite(.timeLimit(.minutes(2)))
struct UserTokenTests {
    private let clock = ManualClock(microseconds: 1_000_000_000_000)
    private let sleeps = SleepRecorder()

    private func source(_ user: ScriptedUser) -> TokenSource {
        TokenSource(UserTokens(source: user.source(clock)), clock: clock, backoff: sleeps.backoff(first: .seconds(1)))
    }

    @Test func `a caller without a sign-in is anonymous, and its token is not requested again`() async throws {
        let user = ScriptedUser(nil)
        let source = source(user)
        #expect(try await source.token(until: nil).isAnonymous)
        #expect(source.ready()?.isAnonymous == true)
        #expect(user.requests == ["-"])
    }

    @Test func `an anonymous call has no authorization header, one of a user has the token`() async throws {
        let user = ScriptedUser(nil)
        let headers = CallHeaders(DatabaseID(projectID: "p"), RPCMetadata(), source(user))
        #expect(try await headers.headers(until: nil).metadata["authorization"] == nil)
        user.signIn("anna")
        #expect(try await headers.headers(until: nil).metadata["authorization"] == "Bearer anna-1")
        user.signIn(nil)
        #expect(try await headers.headers(until: nil).metadata["authorization"] == nil)
    }

    @Test func `a change of the user drops the token of the one before`() async throws {
        let user = ScriptedUser("anna")
        let source = source(user)
        #expect(try await source.token(until: nil).value == "anna-0")
        user.signIn("bert")
        #expect(source.ready() == nil)
        #expect(try await source.token(until: nil).value == "bert-1")
    }

    @Test func `a request that a change has overtaken is made again`() async throws {
        let user = ScriptedUser("anna")
        let gate = Gate()
        user.hold(gate)
        let source = source(user)
        async let token = source.token(until: nil)
        await until { user.requests.count == 1 }
        user.signIn("bert")
        gate.open()
        #expect(try await token.value == "bert-1")
        #expect(user.requests == ["anna", "bert"])
    }

    @Test func `a token that a server rejects is fetched anew, by force`() async throws {
        let user = ScriptedUser("anna")
        let source = source(user)
        let first = try await source.token(until: nil)
        source.rejected(first)
        #expect(try await source.token(until: nil).value == "anna-1")
        #expect(user.requests == ["anna", "anna!"])
        clock.advance(microseconds: 3_600_000_000)
        #expect(try await source.token(until: nil).value == "anna-2")
        #expect(user.requests == ["anna", "anna!", "anna"])
    }

    @Test func `dependents learn whether the user has changed, or only the token`() async throws {
        let user = ScriptedUser("anna")
        let source = source(user)
        let received = Mutex<[Bool]>([])
        source.whenCallerChanges { isSameUser in
            received.withLock { $0.append(isSameUser) }
            return true
        }
        for name in ["anna", "bert", "bert", nil, nil, "anna"] { user.signIn(name) }
        #expect(received.withLock { $0 } == [true, false, true, false, true, false])
    }

    @Test func `an observer is notified of changes as long as the source lives`() async throws {
        let user = ScriptedUser("anna")
        do { _ = try await source(user).token(until: nil) }
        #expect(user.observers == 0)
    }
}

/// A user as a test says.
private final class ScriptedUser: Sendable {
    private final class Observation: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private struct Weak: Sendable { weak let observation: Observation? }

    private struct State {
        var name: String?
        var requests: [String] = []
        var gate: Gate?
        var observations: [Weak] = []
    }

    private let state: Mutex<State>

    init(_ name: String?) { state = Mutex(State(name: name)) }

    /// Names of those whose token was asked for; with an exclamation mark if by force.
    var requests: [String] { state.withLock { $0.requests } }

    var observers: Int { state.withLock { $0.observations.count { $0.observation != nil } } }

    func hold(_ gate: Gate) { state.withLock { $0.gate = gate } }

    func signIn(_ name: String?) {
        let observations = state.withLock { state in
            state.name = name
            return state.observations.compactMap(\.observation)
        }
        for observation in observations { observation.body() }
    }

    func source(_ clock: ManualClock) -> UserTokenSource {
        UserTokenSource(
            user: { [self] in state.withLock { $0.name } },
            token: { [self] isForced in
                let (name, number, gate) = state.withLock { state in
                    defer { state.gate = nil }
                    state.requests.append((state.name ?? "-") + (isForced ? "!" : ""))
                    return (state.name, state.requests.count - 1, state.gate)
                }
                await gate?.wait()
                return name.map { AccessToken("\($0)-\(number)", expiry: clock.now() + 3_600_000_000) }
            },
            observe: { [self] body in
                let observation = Observation(body)
                state.withLock { $0.observations.append(Weak(observation: observation)) }
                return observation
            })
    }
}
