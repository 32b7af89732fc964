// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Exact vector search, against a loop over the same numbers in memory.
enum VectorCases {
    static var all: [BenchmarkCase] { [exactSearch] }

    private static let dimension = 256
    private static let count = 100_000

    /// The question: up to how many documents does one get by without a vector index?
    private static var exactSearch: BenchmarkCase {
        BenchmarkCase(
            "nearest 10 of 100,000 vectors of 256 dimensions", unit: .milliseconds, peer: "plain loop over the doubles",
            goal: 0.4, operationsPerRound: 1
        ) {
            let database = try BenchmarkDatabase()
            let numbers = (0..<(count * dimension)).map(component)
            let wanted = (0..<dimension).map { component($0 &* 31 &+ 17) }
            let collection = database.firestore.collection("vectors")
            for start in stride(from: 0, to: count, by: 500) {
                let batch = database.firestore.batch()
                for number in start..<(start + 500) {
                    let vector = Array(numbers[(number * dimension)..<((number + 1) * dimension)])
                    batch.setData(["v": FieldValue.vector(vector)], forDocument: collection.document(Document1KB.id(number)))
                }
                try await batch.commit()
            }
            let query = collection.findNearest(
                vectorField: "v", queryVector: VectorValue(wanted), limit: 10, distanceMeasure: .euclidean)
            let nearest = nearest(10, to: wanted, in: numbers).map(Document1KB.id)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations {
                        let found = try await query.getDocuments().documents.map(\.documentID)
                        guard found == nearest else { throw BenchmarkFailure("other documents: \(found)") }
                    }
                },
                peer: { operations in
                    for _ in 0..<operations { blackHole(Self.nearest(10, to: wanted, in: numbers)) }
                },
                tearDown: { try await database.close() })
        }
    }

    /// The hash of a number, between -1 and 1.
    private static func component(_ number: Int) -> Double {
        var mixed = UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return Double(Int64(bitPattern: mixed ^ (mixed >> 27))) / 0x1p63
    }

    /// The obvious code: each distance in turn, the nearest held in order.
    private static func nearest(_ limit: Int, to wanted: [Double], in numbers: [Double]) -> [Int] {
        var nearest: [(distance: Double, number: Int)] = []
        numbers.withUnsafeBufferPointer { numbers in
            wanted.withUnsafeBufferPointer { wanted in
                for number in 0..<(numbers.count / wanted.count) {
                    var sum = 0.0
                    for index in 0..<wanted.count {
                        let difference = numbers[number &* wanted.count &+ index] - wanted[index]
                        sum += difference * difference
                    }
                    if nearest.count == limit, sum >= nearest[limit - 1].distance { continue }
                    if nearest.count == limit { nearest.removeLast() }
                    nearest.insert((sum, number), at: nearest.firstIndex { sum < $0.distance } ?? nearest.count)
                }
            }
        }
        return nearest.map(\.number)
    }
}
