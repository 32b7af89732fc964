// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

private struct Session: Sendable {
    var token: String
    var expires: Date
}

private func signIn() async throws -> Session { Session(token: "token", expires: .distantFuture) }

/// The code of the article "Choose where the database is". Settings are set here, and no connection is made.
@Suite struct PlaceSnippets {
    @Test func `a file of your choice`() throws {
        let db = try TestFirestore().firestore
        // snippet: place-embedded
        let settings = db.settings
        settings.storage = .file(URL(fileURLWithPath: "/var/lib/app/trails.sqlite"))
        db.settings = settings  // before the first read or write
        // end snippet
        #expect(db.settings.storage != .memory)
    }

    @Test func `a server without TLS`() throws {
        let db = try TestFirestore().firestore
        // snippet: place-server
        db.useEmulator(withHost: "127.0.0.1", port: 8080)
        // end snippet
        #expect(db.settings.host == "127.0.0.1:8080" && !db.settings.isSSLEnabled)
    }

    @Test func `a server with TLS`() throws {
        let db = try TestFirestore().firestore
        // snippet: place-tls
        let settings = db.settings
        settings.host = "db.example.com:8443"
        settings.trustedCertificates = URL(fileURLWithPath: "/etc/app/ca.pem")  // for a private certificate
        db.settings = settings
        // end snippet
        #expect(db.settings.isSSLEnabled && db.settings.trustedCertificates?.path == "/etc/app/ca.pem")
    }

    @Test func `the service`() throws {
        let db = try TestFirestore().firestore
        // snippet: place-cloud
        let settings = db.settings
        settings.credentials = .serviceAccount(URL(fileURLWithPath: "/run/secrets/key.json"))
        db.settings = settings
        // end snippet
        #expect(db.settings.credentials == .serviceAccount(URL(fileURLWithPath: "/run/secrets/key.json")))
    }

    @Test func `tokens from a closure`() throws {
        let db = try TestFirestore().firestore
        let settings = db.settings
        // snippet: place-token
        settings.credentials = .token {
            let session = try await signIn()
            return FirestoreSettings.AccessToken(session.token, expires: session.expires)
        }
        // end snippet
        #expect(settings.credentials != .automatic)
    }

    /// Only compiled: the default app belongs to the whole process.
    private static func configure() -> Firestore {
        // snippet: place-project
        let options = FirebaseOptions(googleAppID: "1:1:app:1", gcmSenderID: "1")
        options.projectID = "my-project"
        FirebaseApp.configure(options: options)
        // end snippet
        return Firestore.firestore()
    }
}
