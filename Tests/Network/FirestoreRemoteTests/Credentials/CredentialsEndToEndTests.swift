// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import FirestoreRPC
import Foundation
import ServerTestSupport
import TestSupport
import Testing

/// The public API with credentials, against a server that looks at them.
@Suite(.timeLimit(.minutes(3)))
struct CredentialsEndToEndTests {
    /// A database on a server that takes `tokens` only.
    private func with(
        accepting tokens: Set<String>, tls: Bool = false,
        credentials: (ScratchFolder) throws -> FirestoreSettings.Credentials,
        _ body: (Firestore, BearerService) async throws -> Void
    ) async throws {
        let folder = try ScratchFolder()
        let service = BearerService(accepting: tokens)
        let certificate = try tls ? TestCertificate.localhost.files(in: folder.url) : nil
        let server = RPCServer(configuration: RPCServerConfiguration(tls: certificate), service: service)
        let address = try await server.start()
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = "demo-keys"
        let name = "credentials-\(UUID().uuidString)"
        FirebaseApp.configure(name: name, options: options)
        let app = try #require(FirebaseApp.app(name: name))
        let db = Firestore.firestore(app: app)
        let settings = db.settings
        settings.host = tls ? "localhost:\(address.port)" : "127.0.0.1:\(address.port)"
        settings.isSSLEnabled = tls
        settings.cacheDirectory = folder.url
        settings.credentials = try credentials(folder)
        settings.trustedCertificates = certificate.map { URL(fileURLWithPath: $0.certificateFile) }
        settings.dispatchQueue = DispatchQueue(label: "hearth.tests.credentials")
        // Never in the directory of the user who runs the tests.
        settings.cacheDirectory = folder.url
        db.settings = settings
        do { try await body(db, service) } catch { Issue.record(error) }
        _ = await app.delete()
        await server.shutdown(grace: .zero)
        await service.close()
    }

    private func roundTrip(_ db: Firestore) async throws {
        try await db.document("cities/SF").setData(["name": "San Francisco"])
        let name = try await db.document("cities/SF").getDocument().get("name") as? String
        #expect(name == "San Francisco")
        #expect(try await db.collection("cities").getDocuments().count == 1)
        for try await snapshot in db.collection("cities").snapshots {
            #expect(snapshot.count == 1)
            break
        }
    }

    @Test func `a service account, its token renewed when the server does not take it any more`() async throws {
        let tokens = TokenServer { _, number in .token("ya29.access-\(number)") }
        try await tokens.run { host in
            try await with(accepting: ["ya29.access-0"]) { folder in
                .serviceAccount(URL(fileURLWithPath: try folder.file("key.json", TestKey.get().file(tokenURI: "http://\(host)/token"))))
            } _: { db, service in
                try await roundTrip(db)
                #expect(tokens.requests.count == 1 && service.rejected == 0)
                service.accept(["ya29.access-1"])
                // All together with the old one: renewed once.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<20 { group.addTask { _ = try await db.document("cities/\(number)").getDocument() } }
                    try await group.waitForAll()
                }
                try await roundTrip(db)
                #expect(tokens.requests.count == 2 && service.rejected > 0)
            }
        }
    }

    @Test func `a connection over TLS accepts a custom certificate authority`() async throws {
        try await with(accepting: ["ya29.from-closure"], tls: true) { _ in
            .token { FirestoreSettings.AccessToken("ya29.from-closure", expires: .now + 3600) }
        } _: { db, service in
            try await roundTrip(db)
            #expect(service.rejected == 0)
        }
    }

    @Test func `the emulator's administrator only if asked for`() async throws {
        try await with(accepting: ["owner"]) { _ in .emulatorOwner } _: { db, service in
            try await roundTrip(db)
            #expect(service.rejected == 0)
        }
        for credentials in [FirestoreSettings.Credentials.automatic, .none] {
            try await with(accepting: ["owner"]) { _ in credentials } _: { db, _ in
                // With a cache the client would be offline to its callers, and log the reason.
                let settings = db.settings
                settings.cacheSettings = NoCacheSettings()
                db.settings = settings
                let error = await #expect(throws: FirestoreErrorCode.self) { try await db.document("a/b").getDocument() }
                #expect(error?.code == .unauthenticated && error?.localizedDescription.contains("settings.credentials") == true)
            }
        }
    }

    /// Each token that is fetched by force is another one, and announced.
    private final class RestlessUser: UserTokenProvider {
        private final class Observation: UserTokenObservation {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }

        private struct Weak: Sendable { weak let observation: Observation? }

        private let state = Mutex((number: 0, observations: [Weak]()))

        var userID: String? { "ada" }

        func token(forcingRefresh: Bool) async throws -> UserToken? {
            let (number, observations) = state.withLock { state in
                if forcingRefresh { state.number += 1 }
                return (state.number, forcingRefresh ? state.observations.compactMap(\.observation) : [])
            }
            for observation in observations { observation.body() }
            return UserToken("token-\(number)", expires: .distantFuture, isSecret: false)
        }

        func observe(_ body: @escaping @Sendable () -> Void) -> any UserTokenObservation {
            let observation = Observation(body)
            state.withLock { $0.observations.append(Weak(observation: observation)) }
            return observation
        }
    }

    @Test func `a listener ends when the server rejects every token of the user`() async throws {
        try await with(accepting: []) { _ in .automatic } _: { db, service in
            db.app.userTokens = RestlessUser()
            let settings = db.settings
            settings.cacheSettings = NoCacheSettings()
            db.settings = settings
            let error = await #expect(throws: FirestoreErrorCode.self) { for try await _ in db.collection("a").snapshots {} }
            #expect(error?.code == .unauthenticated)
            // The stream opens twice for the second token: once with it, once because it was announced. An announcement that arrives late,
            // after the second opening, begins one more round.
            #expect(service.rejected <= 6)
        }
    }

    @Test func `invalid credentials fail every operation and every listener, with the reason`() async throws {
        let table: [(FirestoreSettings.Credentials, FirestoreErrorCode.Code, String)] = [
            (.serviceAccount(URL(fileURLWithPath: "/nowhere/key.json")), .failedPrecondition, "/nowhere/key.json"),
            (.authorizedUser(try #require(URL(string: "https://example.com/key.json"))), .invalidArgument, "file URL"),
            (.token { throw CancellationError() }, .unauthenticated, "closure"),
            (.token { FirestoreSettings.AccessToken("ya29.other", expires: .distantFuture) }, .unauthenticated, "token closure"),
        ]
        for (credentials, code, words) in table {
            try await with(accepting: ["right"]) { _ in credentials } _: { db, _ in
                let errors = [
                    await #expect(throws: FirestoreErrorCode.self) { try await db.document("a/b").getDocument() },
                    await #expect(throws: FirestoreErrorCode.self) { try await db.document("a/b").setData([:]) },
                    await #expect(throws: FirestoreErrorCode.self) { for try await _ in db.collection("a").snapshots {} },
                ]
                for error in errors {
                    #expect(error?.code == code && error?.localizedDescription.contains(words) == true, "\(String(describing: error))")
                }
            }
        }
    }
}
