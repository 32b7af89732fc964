// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseAuth
import FirebaseCore
import FirebaseFirestore
import Foundation
import Testing

/// The code of the article on signing in.
@Suite struct SigningInSnippets {
    private func app() throws -> FirebaseApp {
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = "demo-snippets"
        let name = "snippets-\(UInt64.random(in: 0 ... .max))"
        FirebaseApp.configure(name: name, options: options)
        return try #require(FirebaseApp.app(name: name))
    }

    private func auth() throws -> Auth {
        let auth = Auth.auth(app: try app())
        auth.settings?.persistence = .memory
        return auth
    }

    /// Only compiled: a test leaves the default app alone.
    private static func start() async throws {
        // snippet: sign-in
        let auth = Auth.auth()
        auth.useEmulator(withHost: "127.0.0.1", port: 9099)
        let db = Firestore.firestore()
        db.useEmulator(withHost: "127.0.0.1", port: 8080)

        let user = try await auth.signInAnonymously().user
        try await db.collection("notes").addDocument(data: ["author": user.uid, "text": "Buy towels"])
        // end snippet
    }

    private static func cloud() {
        // snippet: signed-in-user
        let settings = Firestore.firestore().settings
        settings.credentials = .signedInUser
        Firestore.firestore().settings = settings
        // end snippet
    }

    private static func places() throws {
        // snippet: account-places
        Auth.auth().useEmulator(withHost: "127.0.0.1", port: 9099)
        Firestore.firestore().useEmulator(withHost: "127.0.0.1", port: 8080)
        // end snippet
        let url = try #require(URL(string: "https://auth.example.com"))
        // snippet: account-server
        Auth.auth().useServer(url)
        // end snippet
    }

    @Test func `listeners are notified of the user`() async throws {
        let auth = try auth()
        auth.settings?.callbackQueue = DispatchQueue(label: "snippets")
        // snippet: auth-listener
        let handle = auth.addStateDidChangeListener { _, user in
            print(user?.uid ?? "signed out")
        }
        // end snippet
        try await auth.signInAnonymously()
        // snippet: auth-unlisten
        auth.removeStateDidChangeListener(handle)
        // end snippet
    }

    private static func follow(_ auth: Auth) async {
        // snippet: auth-sequence
        for await user in auth.authStateChanges {
            print(user?.uid ?? "signed out")
        }
        // end snippet
    }

    @Test func `a loop over users ends with its task`() async throws {
        let auth = try auth()
        let task = Task { await Self.follow(auth) }
        task.cancel()
        await task.value
    }

    /// Needs a server.
    private static func link(_ auth: Auth, email: String, password: String) async throws {
        // snippet: link
        let credential = EmailAuthProvider.credential(withEmail: email, password: password)
        try await auth.currentUser?.link(with: credential)
        // end snippet
    }

    @Test func `errors have codes`() async throws {
        let auth = try auth()
        let (email, password) = ("ada@example.com", "difference")
        // snippet: auth-errors
        do {
            try await auth.signIn(withEmail: email, password: password)
        } catch AuthErrorCode.wrongPassword, AuthErrorCode.userNotFound, AuthErrorCode.invalidCredential {
            print("this address and this password do not belong together")
        } catch AuthErrorCode.networkError {
            print("offline: try again later")
        } catch {
            print(error.localizedDescription)
        }
        // end snippet
    }

    @Test func `a test names its user`() async throws {
        let auth = try auth()
        // snippet: custom-token
        try await auth.signIn(withCustomToken: #"{"uid": "ada", "claims": {"admin": true}}"#)
        // end snippet
        #expect(auth.currentUser?.uid == "ada")
    }

    private static func callbacks() {
        // snippet: auth-queue
        Auth.auth().settings?.callbackQueue = DispatchQueue(label: "accounts")
        Auth.auth().settings?.persistence = .memory
        // end snippet
    }
}
