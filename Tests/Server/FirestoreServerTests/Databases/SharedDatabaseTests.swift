// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer
import ServerFixtures
import SharedStores
import TestSupport
import Testing

/// Databases that several servers share, here over one store in memory.
struct SharedDatabaseTests {
    private let cluster = SharedCluster()

    private func server() -> ServerFixture { ServerFixture(DatabaseOpening(storage: .cluster(cluster.node()))) }

    @Test func `servers see each other's databases and documents`() async throws {
        let servers = [server(), server()]
        try await servers[0].open().commit(.set("c/a"))
        #expect(try await servers[1].open().get("c/a") != nil)
        #expect(servers[1].service.databases.listing().map(\.database) == [ServerFixture.database])
        for server in servers { await server.service.databases.close() }
    }

    // DN-8.3
    @Test func `a database whose history was cut is opened again, and its listeners begin again`() async throws {
        let server = server()
        let first = try await server.open()
        try await first.commit(.set("c/a"))
        let sink = RecordingSink()
        let watch = first.watch(.document(DocumentKey(trusted: "c/a")), from: nil, context: .embedded, sink: sink)
        await eventually("the first state") { sink.batches.count == 1 }
        cluster.endHistories()
        await eventually("the end") { sink.errors.count == 1 }
        #expect(sink.errors.first?.code == .unavailable)
        await #expect(throws: FirestoreError.self) { try await first.get("c/a") }
        var isBack = false
        for _ in 0..<200 where !isBack {
            isBack = (try? await server.open().get("c/a")) != nil
            if !isBack { try await Task.sleep(for: .milliseconds(10)) }
        }
        #expect(isBack)
        try await server.open().commit(.set("c/b"))
        watch.cancel()
        await server.service.databases.close()
    }
}
