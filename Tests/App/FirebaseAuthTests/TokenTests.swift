// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirebaseAuth

/// When tokens are requested: by whom, how often, and after failures.
@Suite(.timeLimit(.minutes(2)))
struct TokenTests {
    /// Local accounts that count their refreshes, hold them and let them fail.
    final class Backend: IdentityBackend {
        struct State {
            var refreshes = 0
            var gate: Gate?
            var failures: [AuthErrorCode] = []
            var lifetimes: [Int64] = []
        }

        let base: LocalIdentity
        let clock: any WallClock
        let state = Mutex(State())

        init(_ configuration: IdentityConfiguration) {
            base = LocalIdentity(project: configuration.project, clock: configuration.clock)
            clock = configuration.clock
        }

        var refreshes: Int { state.withLock { $0.refreshes } }

        func refresh(_ refreshToken: String) async throws(AuthFailure) -> IDTokens {
            let (gate, failure, lifetime) = state.withLock { state in
                state.refreshes += 1
                return (
                    state.gate, state.failures.isEmpty ? nil : state.failures.removeFirst(),
                    state.lifetimes.isEmpty ? nil : state.lifetimes.removeFirst()
                )
            }
            await gate?.wait()
            if let failure { throw AuthFailure(failure) }
            var tokens = try await base.refresh(refreshToken)
            if let lifetime { tokens.expiry = clock.now() + lifetime * 1_000_000 }
            tokens.idToken += "\(refreshes)"
            return tokens
        }

        func signIn(_ method: SignInMethod, linkingTo idToken: String?) async throws(AuthFailure) -> SignInOutcome {
            try await base.signIn(method, linkingTo: idToken)
        }
        func lookup(_ idToken: String) async throws(AuthFailure) -> AccountProfile { try await base.lookup(idToken) }
        func update(_ idToken: String, _ changes: AccountChanges) async throws(AuthFailure) -> IDTokens? { nil }
        func delete(_ idToken: String) async throws(AuthFailure) {}
        func send(_ message: CodeMessage) async throws(AuthFailure) {}
        func redeem(_ code: String, newPassword: String?) async throws(AuthFailure) -> CodeContent { CodeContent(requestType: "") }
        func apply(_ code: String) async throws(AuthFailure) {}
        func signInMethods(of email: String) async throws(AuthFailure) -> [String] { [] }
        func revoke(authorizationCode: String, _ idToken: String) async throws(AuthFailure) {}
    }

    private let place: AuthFixture
    private let auth: Auth
    private let backend: Backend

    init() throws {
        place = try AuthFixture()
        let made = Mutex<Backend?>(nil)
        auth = place.auth(persistence: .memory) { _, configuration in
            let backend = Backend(configuration)
            made.withLock { $0 = backend }
            return backend
        }
        _ = auth.currentUser
        backend = try #require(made.withLock { $0 })
    }

    private static let minute: Int64 = 60_000_000

    @Test func `a token is used until five minutes before its end`() async throws {
        let user = try await auth.signInAnonymously().user
        let first = try await user.getIDToken()
        place.clock.advance(microseconds: 55 * Self.minute - 1)
        #expect(try await user.getIDToken() == first && backend.refreshes == 0)
        place.clock.advance(microseconds: 1)
        #expect(try await user.getIDToken() != first && backend.refreshes == 1)
        _ = try await user.getIDToken(forcingRefresh: true)
        #expect(backend.refreshes == 2)
    }

    @Test func `concurrent callers share one request`() async throws {
        let user = try await auth.signInAnonymously().user
        let gate = Gate()
        backend.state.withLock { $0.gate = gate }
        place.clock.advance(microseconds: 60 * Self.minute)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await user.getIDToken() } }
            await eventually("the request") { backend.refreshes == 1 }
            gate.open()
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && backend.refreshes == 1)
    }

    @Test func `a new token that is about to expire is requested once more`() async throws {
        let user = try await auth.signInAnonymously().user
        backend.state.withLock { $0.lifetimes = [200, 200] }
        _ = try await user.getIDToken(forcingRefresh: true)
        #expect(backend.refreshes == 2)
    }

    @Test func `a failure is reported, and the user stays`() async throws {
        let user = try await auth.signInAnonymously().user
        backend.state.withLock { $0.failures = [.networkError] }
        await #expect(throws: NSError.self) { try await user.getIDToken(forcingRefresh: true) }
        #expect(auth.currentUser === user)
        _ = try await user.getIDToken(forcingRefresh: true)
    }

    @Test(arguments: [AuthErrorCode.userNotFound, .userDisabled, .invalidUserToken, .userTokenExpired])
    func `a session that has ended signs the user out`(code: AuthErrorCode) async throws {
        let user = try await auth.signInAnonymously().user
        backend.state.withLock { $0.failures = [code] }
        let error = await #expect(throws: NSError.self) { try await user.getIDToken(forcingRefresh: true) }
        #expect(error.map { AuthErrorCode(_nsError: $0) } == code)
        #expect(auth.currentUser == nil)
        // What Firestore asks is answered: calls are anonymous.
        #expect(try await auth.session.token(forcingRefresh: false) == nil)
    }

    @Test func `from the first request of another product on, the token is renewed by itself`() async throws {
        let user = try await auth.signInAnonymously().user
        #expect(place.sleeps.begun.isEmpty)
        _ = try await auth.session.token(forcingRefresh: false)
        await eventually("the timer") { place.sleeps.begun == [.seconds(55 * 60)] }
        place.clock.advance(microseconds: 55 * Self.minute)
        place.sleeps.wakeAll()
        await eventually("the next timer") { place.sleeps.begun == [.seconds(55 * 60), .seconds(55 * 60)] }
        #expect(backend.refreshes == 1)
        #expect(auth.currentUser === user)
        try auth.signOut()
        place.sleeps.wakeAll()
    }

    @Test func `after failures it is tried again, later and later`() async throws {
        try await auth.signInAnonymously()
        backend.state.withLock { $0.failures = Array(repeating: .networkError, count: 6) }
        _ = try await auth.session.token(forcingRefresh: false)
        let waits = [3300, 60, 120, 240, 480, 960, 960].map { Duration.seconds($0) }
        for count in 1...waits.count {
            await eventually("timer \(count)") { place.sleeps.begun == Array(waits.prefix(count)) }
            place.sleeps.wakeAll()
        }
        await eventually("success") { backend.refreshes == 7 }
        try auth.signOut()
        place.sleeps.wakeAll()
    }

    @Test func `a request that a change of the user has overtaken is made again`() async throws {
        try await auth.signIn(withCustomToken: #"{"uid": "ada"}"#)
        let gate = Gate()
        backend.state.withLock { $0.gate = gate }
        async let token = auth.session.token(forcingRefresh: true)
        await eventually("the request") { backend.refreshes == 1 }
        backend.state.withLock { $0.gate = nil }
        try await auth.signIn(withCustomToken: #"{"uid": "bert"}"#)
        gate.open()
        let claims = try IDToken(try #require(try await token).value).claims
        #expect(claims["sub"] as? String == "bert")
        try auth.signOut()
        place.sleeps.wakeAll()
    }

    @Test func `observers are called for users and for tokens, as long as they observe`() async throws {
        let count = Mutex(0)
        var observation: TokenObservation? = auth.session.observe { count.withLock { $0 += 1 } }
        let user = try await auth.signInAnonymously().user
        #expect(count.withLock { $0 } == 1)
        _ = try await user.getIDToken(forcingRefresh: true)
        #expect(count.withLock { $0 } == 2)
        try await user.reload()
        #expect(count.withLock { $0 } == 2)
        try auth.signOut()
        #expect(count.withLock { $0 } == 3)
        withExtendedLifetime(observation) {}
        observation = nil
        try await auth.signInAnonymously()
        #expect(count.withLock { $0 } == 3)
    }

    @Test func `what is known of the token is there without waiting`() async throws {
        #expect(auth.session.knownToken == nil)
        let user = try await auth.signIn(withCustomToken: #"{"uid": "ada"}"#).user
        let known = try #require(auth.session.knownToken)
        #expect(try await user.getIDToken() == known.value)
        #expect(!known.isSecret && known.expires.timeIntervalSince1970 == 1_800_003_600)
        // Expired, its claims are still those of the user.
        place.clock.advance(microseconds: 120 * Self.minute)
        #expect(auth.session.knownToken?.value == known.value && backend.refreshes == 0)
    }

    @Test func `a token without three parts is malformed`() {
        for text in ["", "a", "a.b", "a.!.c", "a.e30", "a.W10.c", "a.b.c.d"] {
            #expect(throws: AuthFailure.self) { try IDToken(text) }
        }
    }
}
