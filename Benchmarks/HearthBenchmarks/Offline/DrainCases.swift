// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import FirestoreSync
import FirestoreTesting
import FirestoreWire
import Foundation
import Logging

/// What coming back online costs, with the server of `hearth serve` in this process, behind TCP.
enum DrainCases {
    static var all: [BenchmarkCase] { [drain, reconnect, limbo, otherClient] }

    /// The question: how long until a weekend's work is on the server?
    private static var drain: BenchmarkCase {
        let name = "10,000 pending writes to the server over TCP, both durable"
        return BenchmarkCase(figuresOf: name) {
            let server = try await LocalServer.start()
            var rates: [Double] = []
            for round in 0..<3 {
                let cache = FilledCache(directory: try BenchmarkDirectory.make())
                let firestore = try server.firestore(cache)
                try await firestore.disableNetwork()
                var last: WriteReceipt?
                for number in 0..<10_000 {
                    last = try firestore.document("round\(round)/task\(number)").setData(from: TaskDocument(number)) { _ in }
                }
                try await last?.saved
                let start = ContinuousClock.now
                try await firestore.enableNetwork()
                try await firestore.waitForPendingWrites()
                rates.append(10_000 / Measured.seconds(since: start))
                try await firestore.terminate()
                try cache.remove()
            }
            try await server.stop()
            return [.atLeast(5_000, name, Measured.median(rates), "batches/s")]
        }
    }

    /// The question: how long does an app with many screens need after a tunnel?
    private static var reconnect: BenchmarkCase {
        let name = "reconnect with 100 listeners, nothing changed"
        return BenchmarkCase(figuresOf: name) {
            let device = try CachedDevice()
            for number in 0..<100 { try await device.network.server.document("coll/task\(number)").setData(["group": number]) }
            let synced = Mutex(Set<Int>())
            var (arrivals, departures) = (Arrivals(), Arrivals())
            let (noteArrival, noteDeparture) = (arrivals.note, departures.note)
            let registrations = (0..<100).map { number in
                device.collection.whereField("group", isEqualTo: number).addSnapshotListener(includeMetadataChanges: true) { snapshot, _ in
                    guard let snapshot else { return }
                    let count = synced.withLock { synced in
                        if snapshot.metadata.isFromCache { synced.remove(number) } else { synced.insert(number) }
                        return synced.count
                    }
                    if count == 100 { noteArrival() }
                    if count == 0 { noteDeparture() }
                }
            }
            _ = try await arrivals.next()
            var samples: [Double] = []
            for _ in 0..<12 {
                try await device.firestore.disableNetwork()
                _ = try await departures.next()
                let start = ContinuousClock.now
                try await device.firestore.enableNetwork()
                samples.append(QueryCases.seconds(try await arrivals.next() - start) * 1e3)
            }
            for registration in registrations { registration.remove() }
            try await device.close()
            return [.atMost(50, name, Measured.median(Array(samples.dropFirst(2))), "ms")]
        }
    }

    /// The question: how long does the app look up what the server does not mention any more?
    private static var limbo: BenchmarkCase {
        let name = "500 documents that the server no longer has, looked up over TCP"
        return BenchmarkCase(figuresOf: name) {
            let server = try await LocalServer.start()
            var samples: [Double] = []
            for _ in 0..<5 {
                // The server of this cache knows none of its documents.
                let cache = try await FilledCache.make(documents: 50_000)
                let firestore = try server.firestore(cache)
                try await firestore.disableNetwork()
                var arrivals = Arrivals()
                var first = Arrivals()
                let (note, noteFirst) = (arrivals.note, first.note)
                let registration = firestore.collection("coll").whereField("grp", isEqualTo: 7)
                    .addSnapshotListener(includeMetadataChanges: true) { snapshot, _ in
                        guard let snapshot else { return }
                        if snapshot.count == 500 { noteFirst() }
                        if snapshot.isEmpty, !snapshot.metadata.isFromCache { note() }
                    }
                _ = try await first.next()
                let start = ContinuousClock.now
                try await firestore.enableNetwork()
                samples.append(QueryCases.seconds(try await arrivals.next() - start) * 1e3)
                registration.remove()
                try await firestore.terminate()
                try cache.remove()
            }
            try await server.stop()
            return [.atMost(200, name, Measured.median(samples), "ms")]
        }
    }

    /// The question: how soon does my other window show it?
    private static var otherClient: BenchmarkCase {
        let name = "offline: write to listener of another client of the same cache, durable"
        return BenchmarkCase(figuresOf: name) {
            let server = try await LocalServer.start()
            let cache = FilledCache(directory: try BenchmarkDirectory.make())
            let (writer, reader) = (try server.firestore(cache), try server.firestore(cache))
            try await writer.disableNetwork()
            try await reader.disableNetwork()
            var arrivals = Arrivals()
            let note = arrivals.note
            let registration = reader.collection("coll").addSnapshotListener { _, _ in note() }
            _ = try await arrivals.next()
            var samples: [Double] = []
            for number in 0..<500 {
                let start = ContinuousClock.now
                try writer.document("coll/task\(number % 50)").setData(from: TaskDocument(number)) { _ in }
                let arrival = try await arrivals.next()
                if number >= 100 { samples.append(QueryCases.seconds(arrival - start) * 1e3) }
            }
            registration.remove()
            try await reader.terminate()
            try await writer.terminate()
            try await server.stop()
            try cache.remove()
            return [
                .atMost(5, "\(name), p50", Measured.median(samples), "ms"),
                .figure("\(name), p99", Measured.percentile(0.99, of: samples), "ms"),
            ]
        }
    }
}

/// The server of `hearth serve`, with its databases in files, on a port of this machine.
struct LocalServer {
    private let directory: URL
    private let server: HearthServer
    private let port: Int

    static func start() async throws -> LocalServer {
        let directory = try BenchmarkDirectory.make()
        var log = Logger(label: "hearth.bench")
        log.logLevel = .critical
        let server = HearthServer(
            ServerConfiguration(
                listener: RPCServerConfiguration(host: "127.0.0.1", port: 0),
                databases: DatabaseOpening(storage: .directory(directory.path)), grace: .seconds(1)), log: log)
        return LocalServer(directory: directory, server: server, port: try await server.start().port)
    }

    /// A client of it, with a cache.
    func firestore(_ cache: FilledCache) throws -> Firestore {
        let channel = try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: port))
        let service = RemoteService(channel, database: FilledCache.databaseID)
        return BenchmarkClient.firestore(cache) { () throws(FirestoreError) in (try service.transport, service) }
    }

    func stop() async throws {
        await server.stop()
        try FileManager.default.removeItem(at: directory)
    }
}

/// The public API over a cache and what a case puts behind it.
enum BenchmarkClient {
    static func firestore(
        _ cache: FilledCache,
        _ server: @escaping @Sendable () throws(FirestoreError) -> (transport: any SyncTransport, service: any DocumentService)
    ) -> Firestore {
        let path = cache.path
        let firestore = Firestore(databaseID: FilledCache.databaseID) { settings throws(FirestoreError) in
            let (transport, service) = try server()
            let durability: Durability = settings.durability == .full ? .full : .relaxed
            return try SyncClient(
                SyncClient.Parts(
                    database: FilledCache.databaseID, transport: transport, service: service,
                    cache: { user throws(FirestoreError) in
                        LocalStore.Configuration(
                            location: .file(path: path), databaseID: FilledCache.databaseID, server: "test-network", user: user,
                            durability: durability)
                    }))
        }
        let settings = firestore.settings
        settings.dispatchQueue = DispatchQueue(label: "hearth.bench.callbacks")
        firestore.settings = settings
        return firestore
    }
}

extension PlayedServer {
    /// The public API in front of this server.
    static func firestore(_ server: PlayedServer, _ cache: FilledCache) -> Firestore {
        // What a stream does not answer is not asked.
        let network = TestNetwork()
        return BenchmarkClient.firestore(cache) { () throws(FirestoreError) in (server, network.connect()) }
    }
}
