// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirebaseAuth

/// Several processes that store the user of one app, and several threads of one process.
@Suite(.timeLimit(.minutes(2)))
struct SharedUserTests {
    private let place: AuthFixture

    init() throws { place = try AuthFixture() }

    /// Another process.
    private func signedIn(_ uid: String, as make: (() -> Auth)? = nil) async throws -> Auth {
        let auth = make?() ?? place.auth()
        try await auth.signIn(withCustomToken: #"{"uid": "\#(uid)"}"#)
        return auth
    }

    private var stored: String? { place.auth().currentUser?.uid }

    private func renew(_ auth: Auth) async throws {
        place.clock.advance(microseconds: 3_600_000_000)
        _ = try await auth.currentUser?.getIDToken(forcingRefresh: true)
    }

    @Test func `a renewal does not bring back a user whom another process has signed out`() async throws {
        let first = try await signedIn("ada")
        let second = place.auth()
        #expect(second.currentUser?.uid == "ada")
        try first.signOut()
        try await renew(second)
        #expect(second.currentUser?.uid == "ada" && stored == nil)
        // A sign-in is stored in any case.
        try await second.signIn(withCustomToken: #"{"uid": "ada"}"#)
        #expect(stored == "ada")
    }

    @Test func `a renewal does not replace the user whom another process has signed in`() async throws {
        let first = try await signedIn("ada")
        let second = try await signedIn("bert")
        try await renew(first)
        #expect(first.currentUser?.uid == "ada" && stored == "bert")
        let before = try await second.currentUser?.getIDToken()
        try await renew(second)
        #expect(try await place.auth().currentUser?.getIDToken() != before)
    }

    @Test func `a session that ends does not sign out the user of another process`() async throws {
        let made = Mutex<TokenTests.Backend?>(nil)
        let first = try await signedIn("ada") {
            place.auth { _, configuration in
                let backend = TokenTests.Backend(configuration)
                made.withLock { $0 = backend }
                return backend
            }
        }
        _ = try await signedIn("bert")
        try #require(made.withLock { $0 }).state.withLock { $0.failures = [.userTokenExpired] }
        await #expect(throws: NSError.self) { try await renew(first) }
        #expect(first.currentUser == nil && stored == "bert")
    }

    @Test func `a sign-in that has returned was reported to observers, whatever other threads read meanwhile`() async throws {
        let auth = place.auth(persistence: .memory)
        let heard = Mutex<[String]>([])
        let observation: TokenObservation = auth.session.observe { [weak auth] in
            guard let uid = auth?.currentUser?.uid else { return }
            heard.withLock { $0.append(uid) }
        }
        let isOver = Mutex(false)
        let reader = Task.detached {
            while !isOver.withLock({ $0 }) {
                _ = auth.currentUser
                await Task.yield()
            }
        }
        for number in 0..<200 {
            try await auth.signIn(withCustomToken: #"{"uid": "user\#(number)"}"#)
            #expect(heard.withLock { $0.last } == "user\(number)")
        }
        isOver.withLock { $0 = true }
        await reader.value
        withExtendedLifetime(observation) {}
    }
}
