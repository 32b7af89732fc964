// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// What listeners cost writers, and how soon many of them are notified.
enum ListenerCases {
    static var all: [BenchmarkCase] { [othersListen, manyOnOneDocument] }

    /// The question: do ten thousand users who watch their own tasks slow down all writes?
    ///
    /// In memory, where there is no sync to hide behind; the peer is the same database without listeners.
    private static var othersListen: BenchmarkCase {
        BenchmarkCase(
            "commit while 10,000 listen to other queries of the collection", unit: .microseconds, peer: "nobody listens",
            goal: 1 / 1.2, operationsPerRound: 2_000
        ) {
            let busy = try BenchmarkDatabase(inMemory: true)
            let quiet = try BenchmarkDatabase(inMemory: true)
            let tasks = busy.firestore.collection("tasks")
            let started = Mutex(0)
            let all = AsyncStream.makeStream(of: Void.self)
            let registrations = (0..<10_000).map { number in
                let query: Query =
                    switch number % 4 {
                    case 0: tasks.whereField("owner", isEqualTo: "user\(number)").whereField("done", isEqualTo: false)
                    case 1: tasks.whereField("due", isGreaterThan: 1_000_000 + number).order(by: "due").limit(to: 20)
                    case 2: tasks.whereField("labels", arrayContains: "label\(number)")
                    default: tasks.whereField("owner", in: ["user\(number)", "guest\(number)"])
                    }
                return query.addSnapshotListener { _, _ in
                    let count = started.withLock { count in
                        count += 1
                        return count
                    }
                    if count == 10_000 { all.continuation.finish() }
                }
            }
            for await _ in all.stream {}
            return BenchmarkCase.Contenders(
                ours: { try await write($0, to: busy) }, peer: { try await write($0, to: quiet) },
                tearDown: {
                    for registration in registrations { registration.remove() }
                    try await busy.close()
                    try await quiet.close()
                    let events = started.withLock { $0 }
                    guard events == 10_000 else { throw BenchmarkFailure("\(events) events: somebody was concerned") }
                })
        }
    }

    /// Changes tasks of the one user without a watch, one commit after the other.
    private static func write(_ operations: Int, to database: BenchmarkDatabase) async throws {
        let tasks = database.firestore.collection("tasks")
        for number in 0..<operations {
            try await tasks.document("task\(number % 500)").setData([
                "owner": "somebody", "done": number % 2 == 0, "due": number, "labels": ["home", "garden"], "title": "Water it",
            ])
        }
    }

    /// The question: a thousand screens show the same document; how long until the last one knows?
    private static var manyOnOneDocument: BenchmarkCase {
        BenchmarkCase(latencyOf: "1,000 listeners on one document, write until all are called") {
            let database = try BenchmarkDatabase()
            let document = database.firestore.collection("scores").document("final")
            let calls = Mutex(0)
            let rounds = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
            let registrations = (0..<1_000).map { _ in
                document.addSnapshotListener { _, _ in
                    let count = calls.withLock { count in
                        count += 1
                        return count
                    }
                    if count.isMultiple(of: 1_000) { rounds.continuation.yield(.now) }
                }
            }
            var iterator = rounds.stream.makeAsyncIterator()
            _ = await iterator.next()
            var latencies: [Double] = []
            for goals in 1...500 {
                let start = ContinuousClock.now
                _ = try document.setData(from: ["goals": goals])
                guard let arrival = await iterator.next() else { break }
                let elapsed = arrival - start
                latencies.append(Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18)
            }
            for registration in registrations { registration.remove() }
            try await database.close()
            return latencies
        }
    }
}
