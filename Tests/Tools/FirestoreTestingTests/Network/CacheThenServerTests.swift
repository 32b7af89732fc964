// SPDX-License-Identifier: Apache-2.0
#if Remote
import Dispatch
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// Reads that say where their answers come from, and what those know (SY-D26, SY-D27).
@Suite(.timeLimit(.minutes(3)))
struct CacheThenServerTests {
    private let network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.tests.sources"))

    private func code(_ body: () async throws -> Void) async -> FirestoreErrorCode.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? FirestoreErrorCode)?.code
        }
    }

    private func close(_ client: Firestore) async throws {
        try await client.terminate()
        try await network.close()
    }

    /// `[ids]` for each snapshot, with the mark of the cache, and the error at the end.
    private func read(_ query: Query) async -> [String] {
        var lines: [String] = []
        let failure = await code {
            for try await snapshot in query.snapshots(source: .cacheThenServer) {
                lines.append("\(snapshot.documents.map(\.documentID))" + (snapshot.metadata.isFromCache ? " cache" : ""))
            }
        }
        return lines + (failure.map { ["\($0 == .unavailable ? "unavailable" : "another error")"] } ?? [])
    }

    private func read(_ document: DocumentReference) async -> [String] {
        var lines: [String] = []
        let failure = await code {
            for try await snapshot in document.snapshots(source: .cacheThenServer) {
                lines.append("\(snapshot.exists)" + (snapshot.metadata.isFromCache ? " cache" : ""))
            }
        }
        return lines + (failure.map { ["\($0 == .unavailable ? "unavailable" : "another error")"] } ?? [])
    }

    @Test func `a query gives the cached documents, then the server's, and ends`() async throws {
        let phone = network.firestore()
        let query = phone.collection("c")
        try await network.server.document("c/a").setData(["n": 1])
        #expect(await read(query) == [#"["a"]"#])
        try await network.server.document("c/b").setData(["n": 1])
        #expect(await read(query) == [#"["a"] cache"#, #"["a", "b"]"#])
        network.goOffline()
        #expect(await read(query) == [#"["a", "b"] cache"#, "unavailable"])
        #expect(await read(phone.collection("never")) == ["unavailable"])
        network.goOnline()
        // That there is nothing is an answer once it is known.
        #expect(await read(phone.collection("empty")) == ["[]"])
        #expect(await read(phone.collection("empty")) == ["[] cache", "[]"])
        try await close(phone)
    }

    @Test func `so does a document`() async throws {
        let phone = network.firestore()
        try await network.server.document("c/a").setData(["n": 1])
        let document = phone.document("c/a")
        #expect(await read(document) == ["true"])
        #expect(await read(document) == ["true cache", "true"])
        network.goOffline()
        #expect(await read(document) == ["true cache", "unavailable"])
        #expect(await read(phone.document("c/x")) == ["unavailable"])
        try await close(phone)
    }

    @Test func `without a cache, and embedded, there is one snapshot`() async throws {
        for db in try [network.server, TestFirestore().firestore] {
            try await db.document("c/a").setData(["n": 1])
            #expect(await read(db.collection("c")) == [#"["a"]"#])
            #expect(await read(db.document("c/a")) == ["true"])
            let failure = await code { for try await _ in db.collection("a/b").snapshots(source: .cacheThenServer) {} }
            #expect(failure == .invalidArgument)
        }
        try await network.close()
    }

    // MARK: Aggregates

    @Test func `an aggregate falls back to the cache only if it is asked to`() async throws {
        let phone = network.firestore()
        let query = phone.collection("c")
        for id in ["a", "b"] { try await network.server.document("c/\(id)").setData(["n": 1]) }
        _ = try await query.getDocuments()
        try await network.server.document("c/c").setData(["n": 1])
        let online = try await query.count.getAggregation(source: .serverElseCache)
        #expect(online.count == 3 && !online.isFromCache)
        network.goOffline()
        try await phone.document("c/d").setData(["n": 1])
        let offline = try await query.count.getAggregation(source: .serverElseCache)
        #expect(offline.count == 3 && offline.isFromCache)
        #expect(await code { _ = try await query.count.getAggregation(source: .server) } == .unavailable)
        try await phone.disableNetwork()
        #expect(try await query.aggregate([.sum("n")]).getAggregation(source: .serverElseCache).get(.sum("n")) as? Int == 3)
        #expect(await code { _ = try await phone.collection("a/b").count.getAggregation(source: .serverElseCache) } == .invalidArgument)
        try await close(phone)
    }

    @Test func `the embedded database is its own server`() async throws {
        let db = try TestFirestore().firestore
        try await db.document("c/a").setData(["n": 1])
        let answer = try await db.collection("c").count.getAggregation(source: .serverElseCache)
        #expect(answer.count == 1 && !answer.isFromCache)
        #expect(try await !db.collection("c").explain(source: .cache).isFromCache)
    }

    // MARK: Explanations

    @Test func `an explanation of the cache says as of when it is complete`() async throws {
        let phone = network.firestore()
        let query = phone.collection("c").whereField("n", isGreaterThan: 0)
        try await network.server.document("c/a").setData(["n": 1])
        let never = try await query.explain(source: .cache)
        #expect(never.isFromCache && never.asOf == nil && never.statistics?.results == 0)
        #expect(never.description.hasSuffix("the query was never synchronized"))
        _ = try await query.getDocuments()
        let known = try await query.explain(source: .cache)
        let asOf = try #require(known.asOf)
        #expect(abs(asOf.timeIntervalSince(network.clock.now)) < 1 && known.statistics?.results == 1)
        #expect(known.description.contains("answered from the cache, complete as of 2025-01-01T00:00:00Z"))
        network.goOffline()
        #expect(try await query.explain(analyze: false, source: .cache).asOf == asOf)
        #expect(await code { _ = try await query.explain(source: .server) } == .unavailable)
        network.goOnline()
        let server = try await query.explain(source: .server)
        #expect(!server.isFromCache && server.asOf == nil && !server.description.contains("cache"))
        #expect(try await !network.server.collection("c").explain(source: .cache).isFromCache)
        try await close(phone)
    }
}
#endif
