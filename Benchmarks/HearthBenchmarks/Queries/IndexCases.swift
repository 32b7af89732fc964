// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// What indexes cost writers.
enum IndexCases {
    static var all: [BenchmarkCase] { [tenIndexedFields] }

    /// The question: what do ten indexes cost a write?
    private static var tenIndexedFields: BenchmarkCase {
        BenchmarkCase(
            "write a document with 10 indexed fields, durable", unit: .perSecond("writes"), peer: "the same, no index",
            goal: 0.4, operationsPerRound: 400
        ) {
            let indexed = try BenchmarkDatabase()
            let plain = try BenchmarkDatabase()
            let definitions = (0..<10).map {
                IndexDefinition(collectionID: "coll", fields: [.init(FieldPathSegments("f\($0)"))])
            }
            try await indexed.firestore.backend().indexAdministration?.configureIndexes(definitions)
            try await indexed.firestore.backend().indexAdministration?.indexesSettled()
            let next = Mutex(0)
            let write = { (database: BenchmarkDatabase, operations: Int) async throws in
                let first = next.withLock { next in
                    defer { next += operations }
                    return next
                }
                let collection = database.firestore.collection("coll")
                for number in first..<first + operations {
                    let document = Document1KB(number: number, of: 1_000_000)
                    try await collection.document(Document1KB.id(number)).setData(from: document).acknowledged
                }
            }
            return BenchmarkCase.Contenders(
                ours: { try await write(indexed, $0) }, peer: { try await write(plain, $0) },
                tearDown: {
                    try await indexed.close()
                    try await plain.close()
                })
        }
    }
}
