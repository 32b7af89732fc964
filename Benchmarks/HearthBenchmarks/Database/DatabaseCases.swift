// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// Commits, reads, queries and listeners, against raw GRDB on the same bytes.
enum DatabaseCases {
    static var all: [BenchmarkCase] {
        [batchCommits, concurrentWriters, pointRead, readAndDecode, writeToListener]
            + TransactionCases.all + ExpiryCases.all
    }

    /// The question: how fast can I import?
    private static var batchCommits: BenchmarkCase {
        BenchmarkCase(
            "commit batches of 500 documents of 1 KB", unit: .perSecond("docs"), peer: "raw GRDB insert", goal: 0.7,
            operationsPerRound: 10_000
        ) {
            let database = try BenchmarkDatabase()
            let raw = try RawTable(path: database.peerPath)
            let samples = (0..<500).map(Document1KB.init)
            let bytes = try samples.map { try $0.storedFields() }
            // Every round writes into a collection that has no documents yet.
            let round = Mutex(0)
            let peerRound = Mutex(0)
            return BenchmarkCase.Contenders(
                ours: { documents in
                    let number = round.withLock { round in
                        round += 1
                        return round
                    }
                    let collection = database.firestore.collection("coll\(number)")
                    for start in stride(from: 0, to: documents, by: 500) {
                        let batch = database.firestore.batch()
                        for index in 0..<500 {
                            try batch.setData(
                                from: samples[index],
                                forDocument: collection.document(Document1KB.id(start + index)))
                        }
                        try await batch.commit()
                    }
                },
                peer: { documents in
                    let number = peerRound.withLock { round in
                        round += 1
                        return round
                    }
                    for start in stride(from: 0, to: documents, by: 500) {
                        try raw.insert(
                            (0..<500).map { (Document1KB.id(start + $0), bytes[$0]) }, collection: number)
                    }
                },
                tearDown: {
                    try raw.close()
                    try await database.close()
                })
        }
    }

    /// The question: what does group commit buy a server with many users?
    private static var concurrentWriters: BenchmarkCase {
        BenchmarkCase(
            "64 tasks writing one document each, durable", unit: .perSecond("writes"), peer: "one task", goal: 5,
            operationsPerRound: 3_200
        ) {
            let database = try BenchmarkDatabase()
            let collection = database.firestore.collection("coll")
            let write: @Sendable (Int) async throws -> Void = { number in
                try await collection.document(Document1KB.id(number)).setData(["n": number])
            }
            let next = Mutex(0)
            let take: @Sendable (Int) -> Int = { count in
                next.withLock { next in
                    defer { next += count }
                    return next
                }
            }
            return BenchmarkCase.Contenders(
                ours: { operations in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<64 {
                            let first = take(operations / 64)
                            group.addTask {
                                for number in first..<(first + operations / 64) { try await write(number) }
                            }
                        }
                        try await group.waitForAll()
                    }
                },
                peer: { operations in
                    let first = take(operations)
                    for number in first..<(first + operations) { try await write(number) }
                },
                tearDown: { try await database.close() })
        }
    }

    /// The question: what does opening a detail view cost?
    private static var pointRead: BenchmarkCase {
        BenchmarkCase(
            "getDocument(as:) of one Book", unit: .microseconds, peer: "raw GRDB point read", goal: 0.33
        ) {
            let (database, raw) = try await library(books: 1_000)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for number in 0..<operations {
                        let book = try await database.firestore.collection("books").document(StoredBook.id(number % 1_000))
                            .getDocument(as: StoredBook.self)
                        blackHole(book)
                    }
                },
                peer: { operations in
                    for number in 0..<operations {
                        blackHole(try raw.fields(of: StoredBook.id(number % 1_000), collection: 1))
                    }
                },
                tearDown: {
                    try raw.close()
                    try await database.close()
                })
        }
    }

    /// The question: decode 50,000 books.
    private static var readAndDecode: BenchmarkCase {
        BenchmarkCase(
            "read and decode 50,000 books by query", unit: .milliseconds,
            peer: "raw GRDB scan, hand-written mapping", goal: 0.6, operationsPerRound: 1
        ) {
            let (database, raw) = try await library(books: 50_000)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations {
                        let snapshot = try await database.firestore.collection("books").getDocuments()
                        let books = try snapshot.documents.map { try $0.data(as: StoredBook.self) }
                        guard books.count == 50_000 else { throw BenchmarkFailure("\(books.count) books") }
                    }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        let books = try raw.scan(collection: 1) { StoredBook(id: $0, bytes: $1) }
                        guard books.count == 50_000 else { throw BenchmarkFailure("\(books.count) books") }
                    }
                },
                tearDown: {
                    try raw.close()
                    try await database.close()
                })
        }
    }

    /// The question: how soon does the screen know?
    private static var writeToListener: BenchmarkCase {
        BenchmarkCase(latencyOf: "write to listener callback, durable") {
            let database = try BenchmarkDatabase()
            let collection = database.firestore.collection("ticks")
            let arrivals = AsyncStream.makeStream(of: (count: Int, at: ContinuousClock.Instant).self)
            let registration = collection.addSnapshotListener { snapshot, _ in
                arrivals.continuation.yield((snapshot?.count ?? 0, .now))
            }
            var iterator = arrivals.stream.makeAsyncIterator()
            _ = await iterator.next()
            var latencies: [Double] = []
            for number in 1...2_000 {
                let start = ContinuousClock.now
                let document = collection.document("tick\(number % 50)")
                _ = try document.setData(from: ["n": number])
                guard let arrival = await iterator.next() else { break }
                let elapsed = arrival.at - start
                latencies.append(
                    Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18)
            }
            registration.remove()
            try await database.close()
            return latencies
        }
    }

    /// A database and a raw table with the same books.
    private static func library(books count: Int) async throws -> (BenchmarkDatabase, RawTable) {
        let database = try BenchmarkDatabase()
        let raw = try RawTable(path: database.peerPath)
        let collection = database.firestore.collection("books")
        for start in stride(from: 0, to: count, by: 500) {
            let batch = database.firestore.batch()
            var rows: [(id: String, fields: Data)] = []
            for number in start..<min(start + 500, count) {
                let book = StoredBook(number: number)
                try batch.setData(from: book, forDocument: collection.document(StoredBook.id(number)))
                rows.append((StoredBook.id(number), book.storedFields))
            }
            try await batch.commit()
            try raw.insert(rows, collection: 1)
        }
        return (database, raw)
    }
}
