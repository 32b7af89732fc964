// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// Transactions that all want the same document.
enum TransactionCases {
    static var all: [BenchmarkCase] { [16, 64].map(increments) }

    /// The question: all users press "like" at the same moment; how long until the last one is stored?
    private static func increments(_ count: Int) -> BenchmarkCase {
        BenchmarkCase(latencyOf: "\(count) transactions incrementing one document, durable, until all have succeeded") {
            let database = try BenchmarkDatabase()
            let rounds = 30
            var latencies: [Double] = []
            for round in 0..<rounds {
                let counter = database.firestore.collection("counters").document("likes\(round)")
                let start = ContinuousClock.now
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<count { group.addTask { try await increment(counter) } }
                    try await group.waitForAll()
                }
                latencies.append((ContinuousClock.now - start) / .seconds(1))
                let likes = try await counter.getDocument()["n"] as? Int
                guard likes == count else { throw BenchmarkFailure("\(likes ?? 0) of \(count) likes") }
            }
            try await database.close()
            return latencies
        }
    }

    private static func increment(_ counter: DocumentReference) async throws {
        try await counter.firestore.runTransaction { transaction, errorPointer in
            do {
                let count = try transaction.getDocument(counter)["n"] as? Int ?? 0
                transaction.setData(["n": count + 1], forDocument: counter)
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
    }
}
