// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreSync
import Foundation

/// What writing costs a device that is offline, as its app sees it.
enum OfflineWriteCases {
    static var all: [BenchmarkCase] {
        [
            writeToListener(.relaxed, limit: 100), writeToListener(.full, limit: nil), batches,
            manyWrites("10,000 documents") { $0 }, manyWrites("one document") { _ in 0 }, manyListeners, userChange,
        ]
    }

    /// The question: how soon does the screen show what I typed?
    private static func writeToListener(_ durability: FirestoreSettings.Durability, limit: Double?) -> BenchmarkCase {
        let name = "offline: write to listener callback\(durability == .full ? ", durable" : "")"
        return BenchmarkCase(figuresOf: name) {
            let device = try await CachedDevice.offline(durability: durability)
            var arrivals = Arrivals()
            let note = arrivals.note
            let registration = device.collection.addSnapshotListener { _, _ in note() }
            _ = try await arrivals.next()
            var samples: [Double] = []
            for number in 1...2_500 {
                let start = ContinuousClock.now
                try device.collection.document("task\(number % 50)").setData(from: TaskDocument(number)) { _ in }
                let arrival = try await arrivals.next()
                if number > 500 { samples.append(QueryCases.seconds(arrival - start) * 1e6) }
            }
            registration.remove()
            try await device.close()
            let median = Measured.median(samples)
            return [
                limit.map { .atMost($0, "\(name), p50", median, "µs") } ?? .figure("\(name), p50", median, "µs"),
                .figure("\(name), p99", Measured.percentile(0.99, of: samples), "µs"),
            ]
        }
    }

    /// The question: how fast can I put a file into the app?
    private static var batches: BenchmarkCase {
        let name = "offline: batches of 500 documents of 1 KB, durable"
        return BenchmarkCase(figuresOf: name) {
            let device = try await CachedDevice.offline()
            let documents = (0..<500).map(Document1KB.init(number:))
            var samples: [Double] = []
            for number in 0..<21 {
                let start = ContinuousClock.now
                let batch = device.firestore.batch()
                for (place, document) in documents.enumerated() {
                    try batch.setData(from: document, forDocument: device.collection.document(Document1KB.id(number * 500 + place)))
                }
                try await batch.commit { _ in }.saved
                if number > 0 { samples.append(500 / Measured.seconds(since: start)) }
            }
            try await device.close()
            return [.atLeast(15_000, name, Measured.median(samples), "docs/s")]
        }
    }

    /// The question: does writing get slower while the queue grows?
    private static func manyWrites(_ what: String, _ document: @escaping (Int) -> Int) -> BenchmarkCase {
        let name = "offline: 10,000 writes to \(what), durable"
        return BenchmarkCase(figuresOf: name) {
            var rates: [Double] = []
            var slopes: [Double] = []
            for _ in 0..<3 {
                let portions = try await portions(document)
                rates.append(10_000 / portions.reduce(0, +))
                slopes.append(Measured.median(Array(portions.prefix(3))) / Measured.median(Array(portions.suffix(3))))
            }
            return [
                .atLeast(10_000, name, Measured.median(rates), "writes/s"),
                BenchmarkResult(
                    name: "\(name): the last 3,000", value: Measured.median(rates) * Measured.median(slopes), unit: "writes/s",
                    peerName: "the first 3,000", peerValue: Measured.median(rates), ratio: Measured.median(slopes), goal: 0.8),
            ]
        }
    }

    /// The seconds of each thousand writes, beside a listener of the collection.
    private static func portions(_ document: (Int) -> Int) async throws -> [Double] {
        let device = try await CachedDevice.offline()
        let registration = device.collection.whereField("owner", isEqualTo: "user7").addSnapshotListener { _, _ in }
        var portions: [Double] = []
        for portion in 0..<10 {
            let start = ContinuousClock.now
            var last: WriteReceipt?
            for number in portion * 1_000..<(portion + 1) * 1_000 {
                last = try device.collection.document("task\(document(number))").setData(from: TaskDocument(number)) { _ in }
            }
            try await last?.saved
            portions.append(Measured.seconds(since: start))
        }
        registration.remove()
        try await device.close()
        return portions
    }

    /// The question: does a write get slower with every screen that is open?
    private static var manyListeners: BenchmarkCase {
        BenchmarkCase(
            "offline: write to listener, 1,000 others on the collection", unit: .microseconds, peer: "no others", goal: 1 / 1.2,
            operationsPerRound: 500
        ) {
            let busy = try await ListenedCollection.make(others: 1_000)
            let quiet = try await ListenedCollection.make(others: 0)
            return BenchmarkCase.Contenders(
                ours: { try await busy.write($0) }, peer: { try await quiet.write($0) },
                tearDown: {
                    try await busy.close()
                    try await quiet.close()
                })
        }
    }

    /// The question: how long is the pause when someone else signs in?
    private static var userChange: BenchmarkCase {
        let name = "user change with 1,000 pending documents each, durable"
        return BenchmarkCase(figuresOf: name) {
            let cache = try await FilledCache.make(documents: 10_000)
            let store = try cache.open()
            let users = [SyncUser(uid: "anna"), SyncUser(uid: "bert")]
            for (place, user) in users.enumerated() {
                _ = try store.changeUser(to: user)
                for start in stride(from: 0, to: 1_000, by: 500) {
                    _ = try store.write(
                        (start..<start + 500).map { number in
                            [Write(key: FilledCache.key(number * 2 + place), operation: .set(TaskDocument(number).fields))]
                        })
                }
            }
            let samples = try (0..<11).map { number in
                try Measured.seconds { _ = try store.changeUser(to: users[number % 2]) } * 1e3
            }
            try store.close()
            try cache.remove()
            return [.atMost(100, name, Measured.median(samples), "ms")]
        }
    }
}

/// A device whose collection has one listener that is concerned by its writes, and others that are not.
private final class ListenedCollection {
    private let device: CachedDevice
    private var arrivals = Arrivals()
    private var registrations: [any ListenerRegistration] = []
    private var last = 0

    private init(_ device: CachedDevice) { self.device = device }

    static func make(others: Int) async throws -> ListenedCollection {
        let made = ListenedCollection(try await CachedDevice.offline(durability: .relaxed))
        let note = made.arrivals.note
        let tasks = made.device.collection
        for number in 0..<others {
            let query: Query =
                switch number % 4 {
                case 0: tasks.whereField("owner", isEqualTo: "guest\(number)").whereField("done", isEqualTo: false)
                case 1: tasks.whereField("due", isLessThan: -number - 1).order(by: "due").limit(to: 20)
                case 2: tasks.whereField("labels", arrayContains: "label\(number)")
                default: tasks.whereField("owner", in: ["guest\(number)", "visitor\(number)"])
                }
            made.registrations.append(query.addSnapshotListener { _, _ in note() })
        }
        made.registrations.append(tasks.whereField("owner", isEqualTo: "user0").addSnapshotListener { _, _ in note() })
        for _ in 0...others { _ = try await made.arrivals.next() }
        return made
    }

    /// Each of these writes matches the query of the one listener.
    func write(_ operations: Int) async throws {
        for _ in 0..<operations {
            last += 100
            try device.collection.document("task\(last % 5_000)").setData(from: TaskDocument(last)) { _ in }
            _ = try await arrivals.next()
        }
    }

    func close() async throws {
        for registration in registrations { registration.remove() }
        try await device.close()
    }
}
