// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirebaseAuth

/// Accounts without a server.
@Suite(.timeLimit(.minutes(2)))
struct LocalAccountTests {
    @Test func `an anonymous account is made without a server, and is the same at the next call`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        #expect(auth.currentUser == nil)
        let first = try await auth.signInAnonymously()
        #expect(first.user.isAnonymous && first.additionalUserInfo?.isNewUser == true)
        #expect(first.user.uid.utf8.count == 28)
        #expect(auth.currentUser === first.user)
        let second = try await auth.signInAnonymously()
        #expect(second.user === first.user && second.additionalUserInfo == nil)
    }

    @Test func `concurrent anonymous sign-ins share one account`() async throws {
        let auth = try AuthFixture().auth()
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await auth.signInAnonymously().user.uid } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids == [auth.currentUser?.uid ?? "none"])
    }

    @Test func `a custom token names the account and its claims`() async throws {
        let auth = try AuthFixture().auth()
        let user = try await auth.signIn(withCustomToken: #"{"uid": "ada", "claims": {"admin": true}}"#).user
        #expect(user.uid == "ada" && !user.isAnonymous && user.providerID == "Firebase")
        let result = try await user.getIDTokenResult()
        #expect(result.claims["admin"] as? Bool == true && result.signInProvider == "custom")
        #expect(result.expirationDate.timeIntervalSince(result.issuedAtDate) == 3600)
        #expect(result.claims["aud"] as? String == "demo-auth")
    }

    static let badTokens: [(token: String, message: String)] = [
        ("", "neither a JSON web token nor a JSON object"),
        ("{", "neither a JSON web token nor a JSON object"),
        ("a.b", "neither a JSON web token nor a JSON object"),
        ("{}", "no uid of 1 to 128 characters"),
        (#"{"uid": ""}"#, "no uid of 1 to 128 characters"),
        (#"{"uid": 7}"#, "no uid of 1 to 128 characters"),
        (#"{"uid": "ada", "claims": {"sub": "eve"}}"#, "the claim sub of the custom token is reserved"),
    ]

    @Test(arguments: badTokens)
    func `a custom token that is not one is refused`(row: (token: String, message: String)) async throws {
        let auth = try AuthFixture().auth()
        let error = await #expect(throws: NSError.self) { try await auth.signIn(withCustomToken: row.token) }
        #expect(error?.code == AuthErrorCode.invalidCustomToken.rawValue)
        #expect(error?.localizedDescription.contains(row.message) == true)
        #expect(auth.currentUser == nil)
    }

    @Test func `what needs a server says so`() async throws {
        let auth = try AuthFixture().auth()
        for method in [
            { try await auth.createUser(withEmail: "ada@example.com", password: "difference") },
            { try await auth.signIn(withEmail: "ada@example.com", password: "difference") },
            { try await auth.signIn(with: GoogleAuthProvider.credential(withIDToken: "t", accessToken: "a")) },
        ] as [() async throws -> AuthDataResult] {
            let error = await #expect(throws: NSError.self) { _ = try await method() }
            #expect(error.map { AuthErrorCode(_nsError: $0) } == .operationNotAllowed)
            #expect(error?.localizedDescription.contains("useEmulator(withHost:port:)") == true)
        }
    }

    @Test func `name and picture of a local account are kept`() async throws {
        let place = try AuthFixture()
        let user = try await place.auth().signInAnonymously().user
        let request = user.createProfileChangeRequest()
        request.displayName = "Ada"
        request.photoURL = URL(string: "https://example.com/ada.png")
        try await request.commitChanges()
        #expect(user.displayName == "Ada")
        let again = try #require(place.auth().currentUser)
        #expect(again.displayName == "Ada" && again.photoURL?.lastPathComponent == "ada.png")
        let removal = again.createProfileChangeRequest()
        removal.displayName = nil
        try await removal.commitChanges()
        #expect(again.displayName == nil && again.photoURL != nil)
    }

    @Test func `a deleted account is signed out`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        let user = try await auth.signInAnonymously().user
        try await user.delete()
        #expect(auth.currentUser == nil && place.auth().currentUser == nil)
        #expect(try await auth.signInAnonymously().user.uid != user.uid)
    }
}
