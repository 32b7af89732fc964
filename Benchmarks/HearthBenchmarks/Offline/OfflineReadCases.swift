// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreSync
import FirestoreTesting
import Foundation

/// What reading costs a device that is offline: documents, queries, the first snapshot.
enum OfflineReadCases {
    static var all: [BenchmarkCase] { [reads, cold] + warm(pending: 0) + warm(pending: 1_000) + [resumed] }

    /// The question: what does opening a detail view cost?
    private static var reads: BenchmarkCase {
        BenchmarkCase(figuresOf: "offline: getDocument from the cache") {
            let cache = try await FilledCache.make(documents: 10_000, pending: 1_000)
            let device = try await CachedDevice.offline(cache: cache)
            func microseconds(_ number: (Int) -> Int) async throws -> Double {
                var samples: [Double] = []
                for round in 0..<3_000 {
                    let document = device.collection.document(Document1KB.id(number(round)))
                    let start = ContinuousClock.now
                    blackHole(try await document.getDocument(source: .cache))
                    if round >= 500 { samples.append(Measured.seconds(since: start) * 1e6) }
                }
                return Measured.median(samples)
            }
            // Every 101st document has a pending write.
            let plain = try await microseconds { $0 * 3 % 10_000 + 1 }
            let overlaid = try await microseconds { $0 % 1_000 * 101 % 10_000 }
            try await device.close()
            return [
                .atMost(15, "offline: getDocument from the cache", plain, "µs"),
                .atMost(20, "offline: getDocument from the cache, with a pending write", overlaid, "µs"),
            ]
        }
    }

    /// The question: are cached queries slower than queries of a purely local database?
    private static func warm(pending: Int) -> [BenchmarkCase] {
        CachedQueries.names.indices.map { place in
            let (name, operations) = CachedQueries.names[place]
            let others = pending == 0 ? "" : ", 1,000 writes pending"
            return BenchmarkCase(
                "offline: \(name), of 100,000\(others)", unit: .microseconds, peer: "embedded engine", goal: 0.5,
                operationsPerRound: operations
            ) {
                let queries = try await CachedQueries.prepared(pending: pending)
                return BenchmarkCase.Contenders(
                    ours: { try await queries.run(place, $0) }, peer: { try await queries.runEmbedded(place, $0) })
            }
        }
    }

    /// The question: and the first time, without an index?
    private static var cold: BenchmarkCase {
        let name = "offline: one group of 100,000, the first time, without an index"
        return BenchmarkCase(figuresOf: name) {
            let device = try await CachedDevice.offline(cache: try await FilledCache.make(documents: 100_000))
            let embedded = try BenchmarkDatabase()
            for start in stride(from: 0, to: 100_000, by: 500) {
                let batch = embedded.firestore.batch()
                for number in start..<start + 500 {
                    try batch.setData(
                        from: Document1KB(number: number, of: 100_000),
                        forDocument: embedded.firestore.collection("coll").document(Document1KB.id(number)))
                }
                try await batch.commit()
            }
            func milliseconds(_ collection: CollectionReference, _ source: FirestoreSource) async throws -> Double {
                let start = ContinuousClock.now
                let snapshot = try await collection.whereField("grp", isEqualTo: 7).getDocuments(source: source)
                guard snapshot.count == 1_000 else { throw BenchmarkFailure("\(snapshot.count) documents") }
                return Measured.seconds(since: start) * 1e3
            }
            let ours = try await milliseconds(device.collection, .cache)
            let peer = try await milliseconds(embedded.firestore.collection("coll"), .default)
            try await device.close()
            try await embedded.close()
            return [
                BenchmarkResult(
                    name: name, value: ours, unit: "ms", peerName: "embedded engine", peerValue: peer, ratio: peer / ours, goal: 0.5)
            ]
        }
    }

    /// The question: how long until a screen that was shown before has something to show?
    private static var resumed: BenchmarkCase {
        let name = "offline: first snapshot of 1,000 documents"
        return BenchmarkCase(figuresOf: name) {
            let device = try await CachedDevice.offline(cache: try await FilledCache.make(documents: 1_000))
            var samples: [Double] = []
            for _ in 0..<60 {
                var arrivals = Arrivals()
                let note = arrivals.note
                let start = ContinuousClock.now
                let registration = device.collection.addSnapshotListener { snapshot, _ in
                    if snapshot?.count == 1_000 { note() }
                }
                samples.append(QueryCases.seconds(try await arrivals.next() - start) * 1e3)
                registration.remove()
                // The listener has ended when this has run.
                _ = try await device.firestore.document("coll/\(Document1KB.id(0))").getDocument(source: .cache)
            }
            try await device.close()
            return [.atMost(5, name, Measured.median(Array(samples.dropFirst(10))), "ms")]
        }
    }
}

/// 100,000 documents in a cache and in an embedded database, with the indexes that four queries need.
struct CachedQueries: Sendable {
    static let names = [
        ("Q1: one group from the middle on, 20", 1_000), ("Q2: a range of numbers, 20", 1_000), ("Q3: one group, 1,000", 20),
        ("Q4: the whole collection", 1),
    ]
    private static let count = 100_000
    private static let sizes = [20, 20, 1_000, count]
    private static let made = Mutex<[Int: CachedQueries]>([:])

    let device: CachedDevice
    private let cached: [Query]
    private let embedded: [Query]

    static func prepared(pending: Int) async throws -> CachedQueries {
        if let queries = made.withLock({ $0[pending] }) { return queries }
        let documents = try await MillionDocuments.prepared(count)
        let embedded = queries(of: documents.collection)
        for query in embedded {
            _ = try await query.getDocuments()
            try await query.firestore.backend().indexAdministration?.indexesSettled()
        }
        let cache = try await FilledCache.make(
            documents: count, pending: pending, indexedFor: try embedded.dropLast().map { try $0.runnable.get() })
        let device = try await CachedDevice.offline(cache: cache)
        let queries = CachedQueries(device: device, cached: queries(of: device.collection), embedded: embedded)
        made.withLock { $0[pending] = queries }
        return queries
    }

    private static func queries(of collection: CollectionReference) -> [Query] {
        let group = collection.whereField("grp", isEqualTo: 7)
        return [
            group.whereField("n", isGreaterThanOrEqualTo: count / 2).order(by: "n").limit(to: 20),
            collection.whereField("n", isGreaterThanOrEqualTo: count / 2).whereField("n", isLessThan: count / 2 + 1_000)
                .order(by: "n").limit(to: 20),
            group, collection,
        ]
    }

    func run(_ place: Int, _ operations: Int) async throws {
        for _ in 0..<operations { try Self.check(try await cached[place].getDocuments(source: .cache), place) }
    }

    func runEmbedded(_ place: Int, _ operations: Int) async throws {
        for _ in 0..<operations { try Self.check(try await embedded[place].getDocuments(), place) }
    }

    private static func check(_ snapshot: QuerySnapshot, _ place: Int) throws {
        guard snapshot.count == sizes[place] else { throw BenchmarkFailure("\(snapshot.count) documents") }
    }

    static func close() async throws {
        for queries in made.withLock({ Array($0.values) }) { try await queries.device.close() }
        made.withLock { $0 = [:] }
    }
}
