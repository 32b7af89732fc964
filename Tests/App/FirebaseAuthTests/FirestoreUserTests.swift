// SPDX-License-Identifier: Apache-2.0
#if Remote
    import FirebaseCore
    import FirebaseFirestore
    import FirestoreCore
    import FirestoreRPC
    import FirestoreServer
    import Foundation
    import Logging
    import ServerTestSupport
    import TestSupport
    import Testing

    @testable import FirebaseAuth

    /// Firestore as the signed-in user: a server notes whose token each call carries.
    @Suite(.timeLimit(.minutes(3)))
    struct FirestoreUserTests {
        private func with(
            cache: (any LocalCacheSettings & NSObjectProtocol)? = nil, authFirst: Bool = true,
            _ body: (Auth, Firestore, CallerLog, AuthFixture) async throws -> Void
        ) async throws {
            let place = try AuthFixture()
            let service = CallerLog()
            let server = RPCServer(configuration: RPCServerConfiguration(), service: service)
            let address = try await server.start()
            let auth = place.auth()
            if authFirst { place.app.userTokens = auth.session }
            let db = Firestore.firestore(app: place.app)
            let settings = db.settings
            settings.host = "\(address.host):\(address.port)"
            settings.isSSLEnabled = false
            settings.cacheDirectory = place.folder.url
            settings.dispatchQueue = place.queue
            if let cache { settings.cacheSettings = cache }
            db.settings = settings
            if !authFirst { place.app.userTokens = auth.session }
            do { try await body(auth, db, service, place) } catch { Issue.record(error) }
            _ = await place.app.delete()
            place.sleeps.wakeAll()
            await server.shutdown(grace: .zero)
            await service.close()
        }

        private func signIn(_ auth: Auth, _ name: String) async throws {
            try await auth.signIn(withCustomToken: #"{"uid": "\#(name)"}"#)
        }

        @Test(arguments: [true, false])
        func `calls carry the token of the user, and none when signed out`(authFirst: Bool) async throws {
            try await with(cache: NoCacheSettings(), authFirst: authFirst) { auth, db, log, _ in
                _ = try await db.document("a/1").getDocument()
                #expect(log.take() == ["BatchGetDocuments -"])
                try await signIn(auth, "ada")
                _ = try await db.document("a/1").getDocument()
                #expect(log.take() == ["BatchGetDocuments ada"])
                try auth.signOut()
                _ = try await db.document("a/1").getDocument()
                #expect(log.take() == ["BatchGetDocuments -"])
            }
        }

        @Test(arguments: [false, true])
        func `streams open again when the user changes, and listeners go on`(hasCache: Bool) async throws {
            try await with(cache: hasCache ? nil : NoCacheSettings()) { auth, db, log, place in
                try await signIn(auth, "ada")
                let counts = Mutex<[Int]>([])
                let errors = Mutex(0)
                let listener = db.collection("a").addSnapshotListener { snapshot, error in
                    if let snapshot { counts.withLock { $0.append(snapshot.count) } } else { errors.withLock { $0 += 1 } }
                }
                await eventually("the first snapshot") { counts.withLock { $0.last } == 0 }
                #expect(log.take().filter { $0.hasPrefix("Listen") } == ["Listen ada"])
                try await signIn(auth, "bert")
                await eventually("bert's stream") { log.all.contains("Listen bert") }
                try await db.document("a/1").setData(["n": 1])
                await eventually("the document") { counts.withLock { $0.last } == 1 }
                try auth.signOut()
                await eventually("the stream of nobody") { log.all.contains("Listen -") }
                try await db.document("a/2").setData(["n": 2])
                await eventually("the other document") { counts.withLock { $0.last } == 2 }
                #expect(errors.withLock { $0 } == 0)
                // Nothing was lost and nothing came twice.
                #expect(counts.withLock { counts in zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 } })
                listener.remove()
                await place.drain()
            }
        }

        @Test(arguments: [false, true])
        func `a new token of the same user is shown to the server`(hasCache: Bool) async throws {
            try await with(cache: hasCache ? nil : NoCacheSettings()) { auth, db, log, place in
                try await signIn(auth, "ada")
                let count = Mutex(-1)
                let listener = db.collection("a").addSnapshotListener { snapshot, _ in count.withLock { $0 = snapshot?.count ?? -1 } }
                await eventually("the first snapshot") { count.withLock { $0 } == 0 }
                let before = log.streams.count
                place.clock.advance(microseconds: 1_000_000)
                _ = try await auth.currentUser?.getIDToken(forcingRefresh: true)
                await eventually("the next stream") { log.streams.count > before }
                try await db.document("a/1").setData(["n": 1])
                await eventually("the document") { count.withLock { $0 } == 1 }
                #expect(Set(log.streams) == ["Listen ada"])
                listener.remove()
                await place.drain()
            }
        }

        @Test func `each user has a queue of writes, which is sent with that user's token`() async throws {
            try await with { auth, db, log, _ in
                try await signIn(auth, "ada")
                try await db.disableNetwork()
                db.document("a/1").setData(["by": "ada"], completion: { _ in })
                #expect(try await db.document("a/1").getDocument(source: .cache).exists)
                try await signIn(auth, "bert")
                // Neither the write nor its document is bert's.
                await #expect(throws: FirestoreErrorCode.self) { try await db.document("a/1").getDocument(source: .cache) }
                db.document("b/1").setData(["by": "bert"], completion: { _ in })
                try await db.enableNetwork()
                try await db.waitForPendingWrites()
                #expect(Set(log.take().filter { $0.hasPrefix("Write") }) == ["Write bert"])
                #expect(try await db.document("a/1").getDocument(source: .server).exists == false)
                _ = log.take()
                try await signIn(auth, "ada")
                try await db.waitForPendingWrites()
                #expect(Set(log.take().filter { $0.hasPrefix("Write") }) == ["Write ada"])
                #expect(try await db.document("a/1").getDocument(source: .server).get("by") as? String == "ada")
            }
        }

        /// First launch: nothing has used the database before.
        @Test(arguments: [false, true])
        func `a write that follows the call of a sign-in is sent as the user who signs in`(cacheIsPerUser: Bool) async throws {
            for _ in 1...5 {
                try await with { auth, db, log, place in
                    let settings = db.settings
                    settings.cacheIsPerUser = cacheIsPerUser
                    db.settings = settings
                    let outcome = Mutex("")
                    auth.signIn(withCustomToken: #"{"uid": "ada"}"#) { result, _ in outcome.withLock { $0 = result?.user.uid ?? "failed" } }
                    db.document("a/1").setData(["by": "ada"], completion: { _ in })
                    try await db.document("a/2").setData(["by": "ada"])
                    try await db.waitForPendingWrites()
                    await eventually("the callback") { outcome.withLock { $0 } == "ada" }
                    #expect(Set(log.take().filter { $0.hasPrefix("Write") }) == ["Write ada"])
                    #expect(try await db.pendingWrites.countOfOtherUsers() == 0)
                    await place.drain()
                }
            }
        }

        @Test func `a write that follows the call of a sign-in that fails is sent without a user`() async throws {
            try await with { auth, db, log, place in
                auth.signIn(withCustomToken: "nonsense") { _, _ in }
                try await db.document("a/1").setData(["n": 1])
                #expect(Set(log.take().filter { $0.hasPrefix("Write") }) == ["Write -"])
                await place.drain()
            }
        }

        @Test func `a sign-in is in progress from the call to its end, with the user or without one`() async throws {
            let place = try AuthFixture()
            let auth = place.auth()
            let changes = Mutex<[String]>([])
            let session = auth.session
            let observation = session.observeSignIns { changes.withLock { $0.append("\(session.isSigningIn) \(session.userID ?? "-")") } }
            auth.signInAnonymously { _, _ in }
            #expect(changes.withLock { $0.first } == "true -")
            let uid = try await auth.signInAnonymously().user.uid
            await eventually("the end of both") { !session.isSigningIn && changes.withLock { $0.last } == "false \(uid)" }
            await #expect(throws: (any Error).self) { try await auth.signIn(withCustomToken: "nonsense") }
            #expect(changes.withLock { $0.suffix(2) } == ["true \(uid)", "false \(uid)"])
            withExtendedLifetime(observation) {}
            _ = await place.app.delete()
        }

        @Test func `a token that the server refuses is renewed, and the call is made again`() async throws {
            try await with(cache: NoCacheSettings()) { auth, db, log, place in
                try await signIn(auth, "ada")
                _ = try await db.document("a/1").getDocument()
                let old = try #require(try await auth.currentUser?.getIDToken())
                log.refuse(old)
                place.clock.advance(microseconds: 1_000_000)
                _ = log.take()
                _ = try await db.document("a/1").getDocument()
                #expect(log.take() == ["BatchGetDocuments ada refused", "BatchGetDocuments ada"])
                #expect(try await auth.currentUser?.getIDToken() != old)
            }
        }

        @Test func `a token of real accounts is not sent unencrypted`() async throws {
            let place = try AuthFixture(apiKey: "key")
            let auth = place.auth { place, configuration in LocalIdentity(project: configuration.project, clock: configuration.clock) }
            place.app.userTokens = auth.session
            let db = Firestore.firestore(app: place.app)
            let settings = db.settings
            settings.host = "firestore.invalid:8080"
            settings.isSSLEnabled = false
            settings.cacheSettings = NoCacheSettings()
            db.settings = settings
            try await signIn(auth, "ada")
            #expect(auth.session.openPlace.place == .google)
            await #expect(throws: FirestoreErrorCode.self) { try await db.document("a/1").getDocument() }
            do {
                _ = try await db.document("a/1").getDocument()
            } catch {
                #expect(error.localizedDescription.contains("would be sent unencrypted"), "\(error)")
            }
            _ = await place.app.delete()
            place.sleeps.wakeAll()
        }
    }

    /// A Firestore server that notes the user of every call.
    private final class CallerLog: RPCService {
        private struct State {
            var calls: [String] = []
            var refused: Set<String> = []
        }

        private let base: FirestoreService
        private let state = Mutex(State())

        init() {
            var log = Logger(label: "test")
            log.logLevel = .critical
            base = FirestoreService(databases: DatabaseRegistry(DatabaseOpening(storage: .memory), log: log))
        }

        func close() async { await base.databases.close() }

        var all: [String] { state.withLock { $0.calls } }
        var streams: [String] { all.filter { $0.hasPrefix("Listen") } }

        func take() -> [String] {
            state.withLock { state in
                defer { state.calls = [] }
                return state.calls
            }
        }

        func refuse(_ token: String) { state.withLock { _ = $0.refused.insert("Bearer " + token) } }

        /// Notes a call; false if its token is not accepted.
        private func note(_ info: RPCCallInfo) -> Bool {
            let header = info.metadata["authorization"] ?? ""
            let claims = header.isEmpty ? nil : try? IDToken(String(header.dropFirst("Bearer ".count))).claims
            return state.withLock { state in
                let isRefused = state.refused.contains(header)
                let method = info.path.split(separator: "/").last.map(String.init) ?? info.path
                state.calls.append("\(method) \(claims?["sub"] as? String ?? "-")\(isRefused ? " refused" : "")")
                return !isRefused
            }
        }

        private static let refusal = RPCStatus(.unauthenticated, "Request had invalid authentication credentials.")

        func method(at path: String) -> RPCMethod? {
            GuardedService(base) { self.note($0) ? nil : Self.refusal }.method(at: path)
        }
    }
#endif
