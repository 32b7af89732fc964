// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Testing

@testable import FirebaseAuth

/// Ids of providers, credentials with tokens, and what only some places of accounts can do.
@Suite(.timeLimit(.minutes(2)))
struct ProviderTests {
    static let ids: [(provider: AuthProviderID, id: String)] = [
        (.apple, "apple.com"), (.email, "password"), (.facebook, "facebook.com"), (.gameCenter, "gc.apple.com"), (.gitHub, "github.com"),
        (.google, "google.com"), (.phone, "phone"), (.twitter, "twitter.com"), (.custom("oidc.x"), "oidc.x"),
    ]

    @Test(arguments: ids) func `a provider has an id, and an id a provider`(row: (provider: AuthProviderID, id: String)) {
        #expect(row.provider.rawValue == row.id && AuthProviderID(rawValue: row.id) == row.provider)
    }

    static let credentials: [(credential: AuthCredential, provider: String, tokens: [String?])] = [
        (OAuthProvider.credential(providerID: .apple, idToken: "i", rawNonce: "n", accessToken: "a"), "apple.com", ["i", "a", nil]),
        (OAuthProvider.credential(providerID: "oidc.x", accessToken: "a"), "oidc.x", [nil, "a", nil]),
        (OAuthProvider.credential(withProviderID: "oidc.x", idToken: "i"), "oidc.x", ["i", nil, nil]),
        (OAuthProvider.appleCredential(withIDToken: "i", rawNonce: nil, fullName: nil), "apple.com", ["i", nil, nil]),
        (GoogleAuthProvider.credential(withIDToken: "i", accessToken: "a"), "google.com", ["i", "a", nil]),
        (FacebookAuthProvider.credential(withAccessToken: "a"), "facebook.com", [nil, "a", nil]),
        (GitHubAuthProvider.credential(withToken: "a"), "github.com", [nil, "a", nil]),
        (TwitterAuthProvider.credential(withToken: "a", secret: "s"), "twitter.com", [nil, "a", "s"]),
    ]

    @Test(arguments: credentials.indices) func `a credential names its provider and has the tokens`(index: Int) throws {
        let (credential, provider, tokens) = Self.credentials[index]
        let oauth = try #require(credential as? OAuthCredential)
        #expect(oauth.provider == provider && [oauth.idToken, oauth.accessToken, oauth.secret] == tokens)
        #expect((EmailAuthProvider.credential(withEmail: "a@b.c", password: "p") as Any) is OAuthCredential == false)
    }

    @Test func `tokens of Apple are revoked by Google's service only`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        let none = await #expect(throws: NSError.self) { try await auth.revokeToken(withAuthorizationCode: "code") }
        #expect(none?.code == AuthErrorCode.nullUser.rawValue)
        try await auth.signInAnonymously()
        let local = await #expect(throws: NSError.self) { try await auth.revokeToken(withAuthorizationCode: "code") }
        #expect(local?.code == AuthErrorCode.operationNotAllowed.rawValue)
        #expect(local?.localizedDescription.hasPrefix("local accounts do not support revoking tokens of Apple. Use the accounts of a server") == true)
        let error = await withCheckedContinuation { continuation in
            auth.revokeToken(withAuthorizationCode: "code") { continuation.resume(returning: ($0 as NSError?)?.code) }
        }
        #expect(error == AuthErrorCode.operationNotAllowed.rawValue)
        // The user stays.
        #expect(auth.currentUser != nil)
    }

    #if Remote
    @Test func `a server that is not Google's is not asked, and the request for Google has its fields`() async throws {
        let configuration = IdentityConfiguration(project: "p", apiKey: "k", clock: SystemClock(), options: { .init() })
        let server = NetworkIdentity(.server(ServerAddress(host: "127.0.0.1", port: 1)), configuration)
        let error = await #expect(throws: AuthFailure.self) { try await server.revoke(authorizationCode: "code", "token") }
        #expect(error?.code == .operationNotAllowed)
        let body = try JSONEncoder().encode(RevocationRequest(token: "code", idToken: "t"))
        let fields = try #require(JSONSerialization.jsonObject(with: body) as? [String: String])
        #expect(fields == ["providerId": "apple.com", "tokenType": "3", "token": "code", "idToken": "t"])
        let request = ProviderRequest(ProviderAssertion(providerID: "twitter.com", accessToken: "a b", secret: "s"))
        #expect(request.postBody == "providerId=twitter.com&access_token=a%20b&oauth_token_secret=s")
    }
    #endif

    @Test func `settings of the Apple SDK without an effect keep their values`() throws {
        let auth = try AuthFixture().auth()
        #expect(auth.customAuthDomain == nil && !auth.shareAuthStateAcrossDevices)
        auth.customAuthDomain = "auth.example.com"
        auth.shareAuthStateAcrossDevices = true
        #expect(auth.customAuthDomain == "auth.example.com" && auth.shareAuthStateAcrossDevices)
        #expect(NSNotification.Name.AuthStateDidChange == Auth.authStateDidChangeNotification)
    }
}
