// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirebaseAuth

/// Operations that revoke a user's tokens, while Firestore and the app ask for tokens.
@Suite(.timeLimit(.minutes(2)))
struct TokenLaneTests {
    /// A server with one account, whose tokens are numbers: whatever changes the account revokes all earlier ones. It holds the answer
    /// of such an operation until the gate opens: the client has the old tokens, and they are no longer valid.
    final class RevokingServer: IdentityBackend {
        struct State {
            var valid = 1
            var isDeleted = false
            var gate: Gate?
            var isHeld = false
            var refused = 0
        }

        let clock: any WallClock
        let state = Mutex(State())

        init(clock: any WallClock) { self.clock = clock }

        private func tokens(_ number: Int) -> IDTokens {
            IDTokens(idToken: "id-\(number)", refreshToken: "refresh-\(number)", expiry: clock.now() + 3_600_000_000)
        }

        private func check(_ token: String, _ kind: String) throws(AuthFailure) {
            let failure = state.withLock { state -> AuthErrorCode? in
                if state.isDeleted { return .userNotFound }
                if token == "\(kind)-\(state.valid)" { return nil }
                state.refused += 1
                return .userTokenExpired
            }
            if let failure { throw AuthFailure(failure) }
        }

        private func revoke() async -> IDTokens {
            let (number, gate) = state.withLock { state in
                state.valid += 1
                state.isHeld = true
                return (state.valid, state.gate)
            }
            await gate?.wait()
            return tokens(number)
        }

        func signIn(_ method: SignInMethod, linkingTo idToken: String?) async throws(AuthFailure) -> SignInOutcome {
            if let idToken { try check(idToken, "id") }
            let isFirst = state.withLock { $0.gate == nil }
            return SignInOutcome(tokens: isFirst ? tokens(1) : await revoke())
        }

        func refresh(_ refreshToken: String) async throws(AuthFailure) -> IDTokens {
            try check(refreshToken, "refresh")
            return tokens(state.withLock { $0.valid })
        }

        func lookup(_ idToken: String) async throws(AuthFailure) -> AccountProfile {
            try check(idToken, "id")
            return AccountProfile(uid: "ada", providers: [ProviderProfile(providerID: "google.com", uid: "g")])
        }

        func update(_ idToken: String, _ changes: AccountChanges) async throws(AuthFailure) -> IDTokens? {
            try check(idToken, "id")
            return await revoke()
        }

        func delete(_ idToken: String) async throws(AuthFailure) {
            try check(idToken, "id")
            state.withLock { $0.isDeleted = true }
            _ = await revoke()
        }

        func revoke(authorizationCode: String, _ idToken: String) async throws(AuthFailure) {
            try check(idToken, "id")
            await state.withLock({ state -> Gate? in
                state.isHeld = true
                return state.gate
            })?.wait()
        }

        func send(_ message: CodeMessage) async throws(AuthFailure) {}
        func redeem(_ code: String, newPassword: String?) async throws(AuthFailure) -> CodeContent { CodeContent(requestType: "") }
        func apply(_ code: String) async throws(AuthFailure) {}
        func signInMethods(of email: String) async throws(AuthFailure) -> [String] { [] }
    }

    enum Operation: String, CaseIterable {
        case link, unlink, reauthenticate, updatePassword, updateEmail, profile, revokeToken, delete
    }

    private let place: AuthFixture
    private let auth: Auth
    private let server: RevokingServer
    private let gate = Gate()

    init() throws {
        place = try AuthFixture()
        let server = RevokingServer(clock: place.clock)
        auth = place.auth { _, _ in server }
        self.server = server
    }

    private func run(_ operation: Operation, _ user: User) async throws {
        let credential = EmailAuthProvider.credential(withEmail: "ada@example.com", password: "secret1")
        switch operation {
        case .link: try await user.link(with: credential)
        case .unlink: try await user.unlink(fromProvider: "google.com")
        case .reauthenticate: try await user.reauthenticate(with: credential)
        case .updatePassword: try await user.updatePassword(to: "secret2")
        case .updateEmail: try await user.change(AccountChanges(email: "b@example.com"))
        case .profile:
            let request = user.createProfileChangeRequest()
            request.displayName = "Ada"
            try await request.commitChanges()
        case .revokeToken: try await auth.revokeToken(withAuthorizationCode: "code")
        case .delete: try await user.delete()
        }
    }

    @Test(arguments: Operation.allCases)
    func `tokens that are asked for while the answer of an operation is in flight are the new ones`(operation: Operation) async throws {
        let user = try await auth.signInAnonymously().user
        server.state.withLock { $0.gate = gate }
        let running = Task { try await run(operation, user) }
        await eventually("the server has the operation") { server.state.withLock { $0.isHeld } }
        // As Firestore does when its streams end, because the token is not valid any more; and as the app.
        let session = auth.session
        let token = Task { try await session.token(forcingRefresh: true)?.value }
        let profile = Task { try await user.reload() }
        if operation != .revokeToken {
            await eventually("refresh and request wait for the answer") { user.lane.waitingCount == 2 }
        }
        gate.open()
        try await running.value
        if operation == .delete {
            #expect(try await token.value == nil)
            await #expect(throws: (any Error).self) { try await profile.value }
            #expect(auth.currentUser == nil)
            return
        }
        let number = server.state.withLock { $0.valid }
        #expect(try await token.value == "id-\(number)")
        try await profile.value
        #expect(auth.currentUser === user)
        #expect(try await user.getIDToken() == "id-\(number)")
        // What is stored signs in at the next launch.
        let next = place.auth { [server] _, _ in server }
        #expect(try await next.currentUser?.getIDToken(forcingRefresh: true) == "id-\(number)")
    }

    @Test func `a refused refresh ends the session if its token is the one of the user`() async throws {
        _ = try await auth.signInAnonymously()
        server.state.withLock { $0.valid = 7 }
        await #expect(throws: (any Error).self) { try await auth.currentUser?.getIDToken(forcingRefresh: true) }
        #expect(auth.currentUser == nil)
    }

    @Test func `a refused refresh takes the token that another process has stored`() async throws {
        let user = try await auth.signInAnonymously().user
        let otherAuth = place.auth { [server] _, _ in server }
        let other = try #require(otherAuth.currentUser)
        gate.open()
        server.state.withLock { $0.gate = gate }
        try await other.updatePassword(to: "secret2")
        #expect(try await user.getIDToken(forcingRefresh: true) == "id-2")
        #expect(auth.currentUser === user)
    }
}
