// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreEngine

/// The paths through a database: the public API, and below it what stores a commit.
enum GateDatabaseCases {
    private static func path(
        _ name: String, durability: Durability = .relaxed,
        prepare: @escaping (GateDatabase) async throws -> BenchmarkCase.Contenders.Run
    ) -> BenchmarkCase {
        BenchmarkCase(name) {
            let database = try await GateDatabase(durability: durability)
            return BenchmarkCase.Contenders(ours: try await prepare(database), tearDown: { try await database.close() })
        }
    }

    static var pointRead: BenchmarkCase {
        path("point read: getDocument(as:) of 1 KB") { database in
            { operations in
                for number in 0..<operations {
                    let document = database.collection.document(Document1KB.id(number % GateDatabase.count))
                    blackHole(try await document.getDocument(as: Document1KB.self))
                }
            }
        }
    }

    static var commit: BenchmarkCase {
        path("commit: a document of 1 KB, durable", durability: .full) { database in
            let chain = CommitChain(engine: database.engine)
            return { try await chain.run($0) }
        }
    }

    static var firstTwenty: BenchmarkCase {
        path("query: the first 20 by an index") { database in
            let query = database.collection.whereField("flag", isEqualTo: true).order(by: "n", descending: true).limit(to: 20)
            let administration = try database.firestore.backend().indexAdministration
            let fields: [IndexDefinition.Field] = [.init(FieldPathSegments("flag")), .init(FieldPathSegments("n"), .descending)]
            try await administration?.configureIndexes([IndexDefinition(collectionID: "coll", fields: fields)])
            try await administration?.indexesSettled()
            try await QueryCases.requireIndex(query)
            return { operations in
                for _ in 0..<operations {
                    let count = try await query.getDocuments().count
                    guard count == 20 else { throw BenchmarkFailure("\(count) documents") }
                }
            }
        }
    }

    static var listener: BenchmarkCase {
        path("listener: a write of 1 KB until its snapshot") { database in
            let (arrivals, continuation) = AsyncStream.makeStream(of: Int.self)
            let registration = database.collection.addSnapshotListener { snapshot, _ in
                continuation.yield(snapshot?.documentChanges.count ?? 0)
            }
            var iterator = arrivals.makeAsyncIterator()
            guard await iterator.next() == GateDatabase.count else { throw BenchmarkFailure("the listener has not begun") }
            let documents = (0..<GateDatabase.count).map { Document1KB(number: 10_000 + $0) }
            return { operations in
                for number in 0..<operations {
                    let document = database.collection.document(Document1KB.id(number % GateDatabase.count))
                    _ = try document.setData(from: documents[GateCases.content(number)])
                    guard await iterator.next() == 1 else { throw BenchmarkFailure("the listener misses a write") }
                }
                blackHole(registration)
            }
        }
    }
}

/// Commits one after the other, each from the completion of the one before: all of them on the committer's thread.
private struct CommitChain: Sendable {
    let engine: Engine
    private let writes = GateCases.changes

    func run(_ operations: Int) async throws {
        try await withCheckedThrowingContinuation { continuation in commit(0, of: operations, continuation) }
    }

    private func commit(_ number: Int, of operations: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        guard number < operations else { return continuation.resume() }
        engine.submit([writes[number % writes.count]], options: CommitOptions(), context: .embedded) { result in
            do {
                _ = try result.get()
                commit(number + 1, of: operations, continuation)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
