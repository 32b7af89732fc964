// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// What the engine does when one transaction of its store fails (SY-159).
@Suite struct StoreRecoveryTests {
    /// An engine over a store in a file, before the fault server.
    private final class Client {
        let server: FaultServer
        let store: LocalStore
        let engine: SyncEngine
        let queue = FaultQueue()
        let timers = FaultTimers()
        private(set) var shown: SyncSnapshot?
        /// How often an operation fails from now on.
        var failures: [StoreOperation: Int] = [:]

        init(
            _ folder: ScratchFolder, _ server: FaultServer, failedWrites: FailedWritePolicy = .keep, failing: [StoreOperation: Int] = [:]
        ) throws {
            self.server = server
            store = try LocalStore.open(
                LocalStore.Configuration(
                    location: .file(path: folder.file()), databaseID: FaultServer.database, server: "test.invalid", durability: .relaxed,
                    indexPolicy: .manual))
            var settings = SyncEngine.Settings()
            settings.backoff = Backoff(random: { 0.5 })
            settings.now = { .zero }
            settings.failedWrites = failedWrites
            engine = SyncEngine(
                store: store, transport: server, timers: timers, settings: settings
            ) { [queue] in queue.post($0) }
            failures = failing
            store.willRun = { [unowned self] (operation: StoreOperation) throws(FirestoreError) in
                guard let count = failures[operation], count > 0 else { return }
                failures[operation] = count - 1
                throw FirestoreError(.unavailable, "\(operation.rawValue) fails")
            }
            engine.start()
        }

        func listen(limit: Int? = nil) {
            var query = StructuredQuery.collection("c")
            query.limit = limit
            engine.listen(
                SyncListener(to: .query(ClientQuery(query)), options: SyncListener.Options(includeMetadataChanges: true)) { [weak self] in
                    self?.shown = try? $0.get()
                })
        }

        /// Without timers.
        func run() {
            repeat {
                while let job = queue.removeFirst() { job(engine) }
            } while server.deliver()
        }

        func settle() {
            for _ in 0..<8 {
                run()
                for timer in timers.take() { engine.fire(timer) }
            }
            run()
        }

        func close() throws {
            server.forgetClient()
            engine.shutdown()
            try store.close()
        }

        var paths: [String] { shown.map { Array($0.documents).map(\.key.path) } ?? [] }
    }

    private func count(_ server: FaultServer) throws -> Int64? {
        guard case .integer(let count)? = try server.documents[DocumentKey(trusted: "c/n")]?.fields.map["n"] else { return nil }
        return count
    }

    @Test func `a stream that cannot be read at the start is waited for, and its batch is not applied twice`() throws {
        let (folder, server) = (try ScratchFolder(), FaultServer())
        var client = try Client(folder, server)
        client.engine.write([.increment("c/n")], completion: { _ in })
        // The server has it, and its answer is lost with the process.
        for _ in 0..<2 {
            while let job = client.queue.removeFirst() { job(client.engine) }
            if try count(server) == nil { _ = server.deliver() }
        }
        #expect(try count(server) == 1)
        try client.close()
        client = try Client(folder, server, failing: [.streamToken: 3])
        client.settle()
        #expect(try client.store.nextBatch(after: nil) == nil)
        #expect(try count(server) == 1)
        #expect(server.violations == [])
        try client.close()
    }

    @Test func `an event that cannot be stored is asked for again`() throws {
        let (folder, server) = (try ScratchFolder(), FaultServer())
        server.write(.set("c/a"))
        let client = try Client(folder, server)
        client.listen()
        client.settle()
        client.failures = [.applyRemoteEvent: 2]
        server.write(.set("c/b"))
        client.settle()
        #expect(client.paths == ["c/a", "c/b"])
        #expect(client.shown?.isFromCache == false)
        try client.close()
    }

    @Test func `a store that fails again and again is not tried without a pause`() throws {
        let (folder, server) = (try ScratchFolder(), FaultServer())
        let client = try Client(folder, server, failing: [.applyRemoteEvent: .max])
        client.listen()
        server.write(.set("c/a"))
        client.run()
        #expect(Int.max - (client.failures[.applyRemoteEvent] ?? 0) == 2)
        #expect(client.engine.onlineState == .offline)
        client.failures = [:]
        client.settle()
        #expect(client.paths == ["c/a"])
        try client.close()
    }

    @Test func `a write that cannot be canceled is sent in its order`() throws {
        let (folder, server) = (try ScratchFolder(), FaultServer())
        let client = try Client(folder, server)
        var ids: [BatchID] = []
        for number in 0..<3 { client.engine.write([.set("c/\(number)")], saved: { ids.append($0) }, completion: { _ in }) }
        client.failures = [.reject: 1]
        expectImmediateError(.unavailable, mentioning: "fails") { try client.engine.cancel(ids[1]) }
        client.settle()
        #expect(server.documents.keys.map(\.path).sorted() == ["c/0", "c/1", "c/2"])
        #expect(try client.store.nextBatch(after: nil) == nil)
        try client.close()
    }

    @Test func `a change of the user that fails halfway is finished`() throws {
        let (folder, server) = (try ScratchFolder(), FaultServer())
        let client = try Client(folder, server, failedWrites: .hold)
        client.listen()
        client.settle()
        client.engine.setNetworkEnabled(false)
        client.engine.write([.set("c/mine")], completion: { _ in })
        var waited: Result<Void, FirestoreError>?
        client.engine.waitForPendingWrites { waited = $0 }
        client.failures = [.inspectQueue: 1]
        client.engine.changeUser(to: SyncUser(uid: "bob"))
        client.settle()
        #expect(client.store.user == SyncUser(uid: "bob"))
        #expect(client.paths == [])
        #expect(throws: FirestoreError.self) { try waited?.get() }
        client.engine.write([.set("c/bobs")], completion: { _ in })
        client.engine.setNetworkEnabled(true)
        client.settle()
        #expect(client.paths == ["c/bobs"])
        try client.close()
    }

    @Test func `a failed write holds the queue although it cannot be read at the start`() throws {
        let (folder, server) = (try ScratchFolder(), FaultServer())
        var client = try Client(folder, server, failedWrites: .hold)
        client.engine.write([.set("c/refused", precondition: .exists(true))], completion: { _ in })
        client.engine.write([.set("c/behind")], completion: { _ in })
        client.settle()
        #expect(try client.store.failedBatches().map(\.id) == [1])
        #expect(server.documents.isEmpty)
        try client.close()
        client = try Client(folder, server, failedWrites: .hold, failing: [.inspectQueue: 1])
        client.settle()
        #expect(server.documents.isEmpty)
        try client.engine.dismissFailed(1)
        client.settle()
        #expect(server.documents.keys.map(\.path) == ["c/behind"])
        try client.close()
    }

    @Test func `a failed write that is queued again is no longer among the failed ones`() throws {
        let (folder, server) = (try ScratchFolder(), FaultServer())
        let client = try Client(folder, server)
        client.engine.write([.set("c/a", precondition: .exists(true))], completion: { _ in })
        client.settle()
        client.failures = [.writeLocally: 1]
        expectImmediateError(.unavailable, mentioning: "fails") { _ = try client.engine.retryFailed(1) }
        #expect(try client.store.failedBatches().map(\.id) == [1])
        server.write(.set("c/a"))
        #expect(try client.engine.retryFailed(1) == 2)
        #expect(try client.store.failedBatches().isEmpty)
        expectImmediateError(.notFound, mentioning: "no failed write") { _ = try client.engine.retryFailed(1) }
        client.settle()
        #expect(try client.store.nextBatch(after: nil) == nil)
        #expect(try client.store.check() == [])
        try client.close()
    }

    @Test func `a view with a limit is filled up when its store can be read again`() throws {
        let (folder, server) = (try ScratchFolder(), FaultServer())
        for name in ["a", "b", "c"] { server.write(.set("c/\(name)")) }
        let client = try Client(folder, server)
        client.listen()
        client.settle()
        var last: SyncSnapshot?
        var query = StructuredQuery.collection("c")
        query.limit = 2
        client.engine.listen(
            SyncListener(to: .query(ClientQuery(query)), options: SyncListener.Options(source: .cache)) { last = try? $0.get() })
        #expect(last.map { Array($0.documents).map(\.key.path) } == ["c/a", "c/b"])
        client.failures = [.executeQuery: 1]
        client.engine.write([.delete("c/a")], completion: { _ in })
        client.settle()
        #expect(last.map { Array($0.documents).map(\.key.path) } == ["c/b", "c/c"])
        try client.close()
    }
}
