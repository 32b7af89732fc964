// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreTokens
import Foundation
import TestSupport
import Testing

@testable import hearth

/// When a stream ends with its token, Hearth's client continues with a new one: nothing is lost, and nothing comes twice.
@Suite(.timeLimit(.minutes(3))) struct RenewedTokenTests {
    private let clock = ManualClock(microseconds: 1_700_000_000_000_000)

    /// How a client comes to its tokens, and whether it has a cache with a queue of writes.
    static let clients: [(isUser: Bool, hasCache: Bool)] = [(true, true), (true, false), (false, true), (false, false)]

    private func with(
        _ client: (isUser: Bool, hasCache: Bool), _ body: (SecuredServer, Firestore, Tokens) async throws -> Void
    ) async throws {
        try await SecuredServer.runWithIssuer(["--token-skew", "0"], clock: clock) { server, _ in
            let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
            options.projectID = TestIssuer.project
            let name = "renewed-\(AutoID.make())"
            FirebaseApp.configure(name: name, options: options)
            let app = try #require(FirebaseApp.app(name: name))
            let tokens = Tokens(clock)
            if client.isUser { app.userTokens = tokens }
            let db = Firestore.firestore(app: app)
            let settings = db.settings
            settings.host = "\(server.address.host):\(server.address.port)"
            settings.isSSLEnabled = false
            settings.cacheDirectory = server.folder.url
            settings.cacheSettings = client.hasCache ? MemoryCacheSettings() : NoCacheSettings()
            settings.dispatchQueue = DispatchQueue(label: "renewed")
            if !client.isUser {
                settings.credentials = .token { .init(try tokens.next(), expires: .distantFuture) }
            }
            db.settings = settings
            do { try await body(server, db, tokens) } catch { Issue.record(error) }
            _ = await app.delete()
        }
    }

    /// All tokens that there are expire, and the server notices.
    private func expire(_ server: SecuredServer) {
        clock.advance(microseconds: 4_000_000_000)
        server.security.identitiesChanged()
    }

    @Test(arguments: clients.indices)
    func `a listener sees every change once`(index: Int) async throws {
        try await with(Self.clients[index]) { server, db, tokens in
            let seen = Mutex(Seen())
            let listener = db.collection("notes").order(by: "n").addSnapshotListener { snapshot, error in
                seen.withLock { $0.note(snapshot, error) }
            }
            await eventually("the first snapshot") { seen.withLock { $0.snapshots } > 0 }
            // Another client writes without a pause.
            let endpoint = RemoteEndpoint(
                host: server.address.host, port: server.address.port, usesTLS: false,
                credentials: .provider(TokenProvider { AccessToken(AdministratorKeysTests.first, expiry: .max) }))
            let writer = try endpoint.open(SecuredServer.database)
            let written = Mutex((count: 0, isOver: false))
            let writing = Task {
                while let number = written.withLock({ $0.isOver || $0.count == 5_000 ? nil : $0.count + 1 }) {
                    try await writer.commit(
                        .set("notes/\(number)", ("n", .integer(Int64(number)))), .set("notes/0", ("n", .integer(0)), ("last", .integer(Int64(number)))))
                    written.withLock { $0.count = number }
                }
            }
            for _ in 1...3 {
                let given = tokens.count
                expire(server)
                await eventually("a new token") { tokens.count > given }
                // What is written from now on comes over the next stream.
                let count = written.withLock { $0.count }
                await eventually("changes after the token has ended") { seen.withLock { $0.last } > count }
            }
            written.withLock { $0.isOver = true }
            try await writing.value
            let count = written.withLock { $0.count }
            await eventually("the last change") { seen.withLock { $0.last } == count }
            seen.withLock { seen in
                #expect(seen.problems.isEmpty)
                #expect(seen.added == Dictionary(uniqueKeysWithValues: (0...count).map { ("\($0)", 1) }))
            }
            listener.remove()
            await writer.shutdown()
        }
    }

    @Test(arguments: clients.indices)
    func `writes are applied once each, in their order`(index: Int) async throws {
        let client = Self.clients[index]
        let count = 150
        try await with(client) { server, db, tokens in
            let document = db.document("counters/1")
            try await document.setData(["n": 0])
            let answers = Mutex<[(number: Int, error: String?)]>([])
            for number in 0..<count {
                // A write that is applied twice is counted twice.
                document.updateData(["n": FieldValue.increment(Int64(1)), "last": number]) { error in
                    answers.withLock { $0.append((number, error.map { "\($0)" })) }
                }
                guard (number + 1).isMultiple(of: count / 3) else { continue }
                expire(server)
                // A call continues with one other token, not with a third: the next ones expire when it is over.
                await eventually("all answers") { answers.withLock { $0.count } == number + 1 }
            }
            let failures = answers.withLock { $0.compactMap(\.error) }
            let snapshot = try await document.getDocument(source: .server)
            // A stream may outlast an expiry by what was in flight; the read behind the last one needs another token in any case.
            #expect(tokens.count > 1)
            let applied = try #require(snapshot.get("n") as? Int)
            if client.hasCache {
                #expect(failures.isEmpty)
                #expect(answers.withLock { $0.map(\.number) } == Array(0..<count))
                #expect(applied == count && snapshot.get("last") as? Int == count - 1)
            } else {
                // Without a queue the app gets an error that the answer to a write in flight got lost.
                #expect(failures.allSatisfy { $0.contains("may or may not have been applied") }, "\(failures)")
                #expect((count - failures.count...count).contains(applied), "\(failures.count)")
            }
        }
    }

    /// What a listener received.
    private struct Seen {
        var snapshots = 0
        var added: [String: Int] = [:]
        var last = 0
        var problems: [String] = []

        mutating func note(_ snapshot: QuerySnapshot?, _ error: (any Error)?) {
            if let error { problems.append("\(error)") }
            guard let snapshot else { return }
            snapshots += 1
            for change in snapshot.documentChanges {
                switch change.type {
                case .added: added[change.document.documentID, default: 0] += 1
                case .removed: problems.append("\(change.document.documentID) was removed")
                case .modified where change.document.documentID != "0": problems.append("\(change.document.documentID) was modified")
                case .modified: break
                }
                guard let number = change.document.get("last") as? Int else { continue }
                if number <= last { problems.append("\(number) after \(last)") }
                last = max(last, number)
            }
        }
    }

    /// Tokens of alice, each valid for an hour from when it was asked for.
    private final class Tokens: UserTokenProvider {
        private final class Observation: UserTokenObservation {}

        private let clock: ManualClock
        private let given = Mutex<(token: String?, count: Int)>((nil, 0))

        init(_ clock: ManualClock) { self.clock = clock }

        /// How many were made.
        var count: Int { given.withLock { $0.count } }

        func next() throws -> String {
            let token = try TestIssuer.first.get().sign(TestIssuer.claims(at: clock.now() / 1_000_000))
            given.withLock { $0 = (token, $0.count + 1) }
            return token
        }

        var userID: String? { "alice" }

        func token(forcingRefresh: Bool) async throws -> UserToken? {
            let known = given.withLock { $0.token }
            let token = if !forcingRefresh, let known { known } else { try next() }
            return UserToken(token, expires: .distantFuture)
        }

        func observe(_ body: @escaping @Sendable () -> Void) -> any UserTokenObservation { Observation() }
    }
}
