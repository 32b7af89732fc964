// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// Read, change, write: the difference against the whole, and `update(as:)` against its two halves.
enum DiffCases {
    static var all: [BenchmarkCase] { [difference, update] }

    /// The question: what does sending only the changed field cost before it is sent? Two encodings and a comparison.
    private static var difference: BenchmarkCase {
        BenchmarkCase("updateData(from:to:) of Wide50, one change: content", peer: "encoding it whole", goal: 1 / 2.2) {
            let database = try BenchmarkDatabase(inMemory: true)
            let encoder = Firestore.Encoder()
            let old = Wide50.sample
            var new = old
            new.i7 = 42
            let changed = new
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { blackHole(try encoder.difference(from: old, to: changed, in: database.firestore)) }
                },
                peer: { operations in
                    for _ in 0..<operations { blackHole(try encoder.content(changed, in: database.firestore)) }
                },
                tearDown: { try await database.close() })
        }
    }

    /// The question: what does `update(as:)` cost, without interference, beyond the read and the write it consists of?
    private static var update: BenchmarkCase {
        BenchmarkCase(
            "update(as:) of Wide50, nobody else", unit: .microseconds, peer: "getDocument(as:), setData(from:)", goal: 1 / 1.1,
            operationsPerRound: 2_000
        ) {
            let database = try BenchmarkDatabase()
            let documents = (0..<2).map { database.firestore.collection("wide").document("d\($0)") }
            for document in documents { try await document.setData(from: Wide50.sample).acknowledged }
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { try await documents[0].update(as: Wide50.self) { $0.i7 += 1 } }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        var value = try await documents[1].getDocument(as: Wide50.self)
                        value.i7 += 1
                        try await documents[1].setData(from: value).acknowledged
                    }
                },
                tearDown: { try await database.close() })
        }
    }
}
