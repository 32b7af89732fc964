// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// The `D1` documents, with the indexes that their queries need and a raw table beside them. Created once for all cases.
struct MillionDocuments: Sendable {
    static let many = 1_000_000
    static let few = 10_000

    let database: BenchmarkDatabase
    let raw: RawIndexedTable
    let count: Int

    var collection: CollectionReference { database.firestore.collection("coll") }

    /// "First 20 of a country, the largest first": the shape of the question, in D1's names.
    var firstTwenty: Query { collection.whereField("grp", isEqualTo: 7).order(by: "n", descending: true).limit(to: 20) }

    var q1: Query {
        collection.whereField("grp", isEqualTo: 7).whereField("n", isGreaterThanOrEqualTo: count / 2).order(by: "n").limit(to: 20)
    }

    var q2: Query {
        collection.whereField("n", isGreaterThanOrEqualTo: count / 2).whereField("n", isLessThan: count / 2 + 1_000)
            .order(by: "n").limit(to: 20)
    }

    private static let made = Mutex<[Int: MillionDocuments]>([:])

    /// The database with so many documents; the first call makes it.
    static func prepared(_ count: Int) async throws -> MillionDocuments {
        if let documents = made.withLock({ $0[count] }) { return documents }
        let documents = try await make(count)
        made.withLock { $0[count] = documents }
        return documents
    }

    private static func make(_ count: Int) async throws -> MillionDocuments {
        let database = try BenchmarkDatabase()
        let raw = try RawIndexedTable(path: database.peerPath)
        let collection = database.firestore.collection("coll")
        for start in stride(from: 0, to: count, by: 500) {
            let batch = database.firestore.batch()
            var rows: [RawIndexedTable.Row] = []
            for number in start..<start + 500 {
                let document = Document1KB(number: number, of: count)
                try batch.setData(from: document, forDocument: collection.document(Document1KB.id(number)))
                rows.append(
                    RawIndexedTable.Row(
                        id: Document1KB.id(number), grp: document.grp, n: document.n, fields: try document.storedFields()))
            }
            try await batch.commit()
            try raw.insert(rows)
        }
        let documents = MillionDocuments(database: database, raw: raw, count: count)
        // Indexes are created by need: each query runs once without.
        for query in [documents.firstTwenty, documents.q1, documents.q2] {
            _ = try await query.getDocuments()
            try await database.firestore.backend().indexAdministration?.indexesSettled()
        }
        return documents
    }

    static func close() async throws {
        for documents in made.withLock({ Array($0.values) }) {
            try documents.raw.close()
            try await documents.database.close()
        }
        made.withLock { $0 = [:] }
    }
}
