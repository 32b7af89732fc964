// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreSync
import FirestoreWire
import Foundation

/// What the engine does with what servers say, without wires: `SteppedEngine`.
enum SyncCases {
    static var all: [BenchmarkCase] { [localWrite, remoteEvent, acknowledgements, start, filter] }

    private static var database: DatabaseID { FilledCache.databaseID }
    private static var everything: ClientTarget { .query(ClientQuery(StructuredQuery(scope: .collection(FilledCache.collection)))) }

    /// The question: what does the engine need for a write, without the hops to its thread and to the callback?
    private static var localWrite: BenchmarkCase {
        let name = "sync: a write and the event of its listener, on one thread"
        return BenchmarkCase(figuresOf: name) {
            let cache = try await FilledCache.make(documents: 0)
            let stepped = SteppedEngine(try cache.open(durability: .relaxed))
            var events = 0
            stepped.engine.listen(SyncListener(to: everything) { _ in events += 1 })
            stepped.run()
            var samples: [Double] = []
            for number in 1...2_500 {
                let key = DocumentKey(collection: FilledCache.collection, id: "task\(number % 50)")
                let start = ContinuousClock.now
                stepped.engine.write([Write(key: key, operation: .set(TaskDocument(number).fields))]) { _ in }
                if number > 500 { samples.append(Measured.seconds(since: start) * 1e6) }
            }
            guard events == 2_500 else { throw BenchmarkFailure("\(events) events") }
            try stepped.close()
            try cache.remove()
            return [.figure(name, Measured.median(samples), "µs")]
        }
    }

    /// The question: how fast does a list fill when the network is fast?
    private static var remoteEvent: BenchmarkCase {
        let name = "sync: documents of 1 KB from the server, 500 at once, beside a listener"
        return BenchmarkCase(figuresOf: name) {
            let cache = try await FilledCache.make(documents: 0)
            let stepped = SteppedEngine(try cache.open())
            var shown = 0
            let listener = SyncListener(to: everything) { if case .success(let snapshot) = $0 { shown = snapshot.documents.count } }
            stepped.engine.listen(listener)
            stepped.run()
            let id = stepped.engine.targetID(of: listener) ?? 0
            var rates: [Double] = []
            for round in 0..<20 {
                let version = stepped.server.nextVersion()
                let documents = (round * 500..<(round + 1) * 500).map { FilledCache.document($0, of: 10_000, at: version.microseconds) }
                let seconds = Measured.seconds {
                    for document in documents {
                        stepped.server.tell(.documentChange(database, document, targets: [id], removedFrom: []))
                    }
                    stepped.server.complete(id, at: version)
                    stepped.run()
                }
                guard shown == (round + 1) * 500 else { throw BenchmarkFailure("\(shown) documents are shown") }
                rates.append(500 / seconds)
            }
            try stepped.close()
            try cache.remove()
            return [.atLeast(20_000, name, Measured.median(rates), "docs/s")]
        }
    }

    /// The question: does a long queue make each answer of the server expensive?
    private static var acknowledgements: BenchmarkCase {
        let name = "sync: acknowledgement of a write, durable"
        return BenchmarkCase(figuresOf: name) {
            let few = try await acknowledge(pending: 100)
            let many = try await acknowledge(pending: 1_000)
            let most = try await acknowledge(pending: 10_000)
            return [
                .figure("\(name), 100 others pending", few, "µs"),
                .atMost(300, "\(name), 1,000 others pending", many, "µs"),
                BenchmarkResult(
                    name: "\(name), 10,000 others pending", value: most, unit: "µs", peerName: "100 others", peerValue: few,
                    ratio: few / most, goal: 0.8),
            ]
        }
    }

    /// Microseconds from the answer of the server to the event of a listener that shows all pending documents.
    private static func acknowledge(pending: Int) async throws -> Double {
        let cache = try await FilledCache.make(documents: 0)
        let stepped = SteppedEngine(try cache.open())
        let (engine, server) = (stepped.engine, stepped.server)
        let listener = SyncListener(to: everything, options: SyncListener.Options(includeMetadataChanges: true)) { _ in }
        engine.listen(listener)
        stepped.run()
        let id = engine.targetID(of: listener) ?? 0
        server.complete(id, at: server.nextVersion())
        stepped.run()
        let keys = (0..<pending + 400).map { DocumentKey(collection: FilledCache.collection, id: "task\($0)") }
        for start in stride(from: 0, to: keys.count, by: 100) {
            engine.write(
                (start..<start + 100).map { number in
                    SyncEngine.WriteCall(
                        writes: [Write(key: keys[number], operation: .set(TaskDocument(number).fields))], completion: { _ in })
                })
        }
        stepped.run()
        var samples: [Double] = []
        for number in 0..<400 {
            guard server.unanswered > 0 else { throw BenchmarkFailure("nothing was sent") }
            let start = ContinuousClock.now
            let version = server.acknowledge()
            stepped.run()
            if number >= 100 { samples.append(Measured.seconds(since: start) * 1e6) }
            // The watch reports it, too.
            let document = Document(key: keys[number], createTime: version, updateTime: version, fields: TaskDocument(number).fields)
            server.tell(.documentChange(database, document, targets: [id], removedFrom: []))
            server.complete(id, at: version)
            stepped.run()
        }
        try stepped.close()
        try cache.remove()
        // The mean: some answers wait for the disk, for themselves and for others.
        return samples.reduce(0, +) / Double(samples.count)
    }

    /// The question: what does a queue of a weekend cost at launch?
    private static var start: BenchmarkCase {
        let name = "start with 10,000 pending writes"
        return BenchmarkCase(figuresOf: name) {
            var (shown, sent): ([Double], [Double]) = ([], [])
            for _ in 0..<7 {
                let (first, batch) = try await launch()
                shown.append(first * 1e3)
                sent.append(batch * 1e3)
            }
            return [
                .atMost(100, "\(name): first snapshot, of 20 documents", Measured.median(shown), "ms"),
                .atMost(150, "\(name): first batch sent", Measured.median(sent), "ms"),
            ]
        }
    }

    private static func launch() async throws -> (snapshot: Double, batch: Double) {
        let cache = try await FilledCache.make(documents: 1_000)
        let store = try cache.open()
        for start in stride(from: 0, to: 10_000, by: 500) {
            _ = try store.write(
                (start..<start + 500).map { number in
                    [Write(key: FilledCache.key(number), operation: .set(TaskDocument(number).fields))]
                })
        }
        try store.close()
        let server = PlayedServer(window: 256)
        var arrivals = Arrivals()
        let note = arrivals.note
        let start = ContinuousClock.now
        let firestore = PlayedServer.firestore(server, cache)
        let registration = firestore.collection("coll").whereField("owner", isEqualTo: "user7").limit(to: 20)
            .addSnapshotListener { snapshot, _ in if snapshot?.count == 20 { note() } }
        let first = try await arrivals.next() - start
        while server.firstBatch == nil { try await Task.sleep(for: .milliseconds(1)) }
        guard let batch = server.firstBatch else { throw BenchmarkFailure("nothing was sent") }
        registration.remove()
        try await firestore.terminate()
        try cache.remove()
        return (QueryCases.seconds(first), QueryCases.seconds(batch - start))
    }

    /// The question: what does coming back cost when the server has lost count?
    private static var filter: BenchmarkCase {
        let name = "sync: existence filter with a bloom filter of 100,000 documents"
        return BenchmarkCase(figuresOf: name) {
            let cache = try await FilledCache.make(documents: 100_000)
            let stepped = SteppedEngine(try cache.open())
            let listener = SyncListener(to: everything) { _ in }
            stepped.engine.listen(listener)
            stepped.run()
            let id = stepped.engine.targetID(of: listener) ?? 0
            // Ten documents were deleted at the server, which no longer knows which.
            let names = BloomFilter((10..<100_000).map(FilledCache.key), in: database)
            let seconds = Measured.seconds {
                stepped.server.tell(.filter(ExistenceFilter(target: id, count: 99_990, names: names)))
                stepped.run()
            }
            try stepped.close()
            try cache.remove()
            return [.atMost(120, name, seconds * 1e3, "ms")]
        }
    }
}
