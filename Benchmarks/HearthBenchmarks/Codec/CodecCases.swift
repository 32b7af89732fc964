// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCoding
import FirestoreCore
import Foundation

/// Encoding and decoding, against Foundation's JSON coders on the same values; a new coder object per call.
enum CodecCases {
    static var all: [BenchmarkCase] {
        [
            encode("Book4", Book4.sample, goal: 3.5), decode("Book4", Book4.sample, goal: 8),
            encode("BookTags", BookTags.sample, goal: 3.5), decode("BookTags", BookTags.sample, goal: 4.5),
            encode("Wide50", Wide50.sample, goal: 4), decode("Wide50", Wide50.sample, goal: 7),
            encode("1,000 doubles", Doubles1000.sample, goal: 30),
            decode("1,000 doubles", Doubles1000.sample, goal: 40),
            decodeDictionary("Book4", Book4.sample), decodeDictionary("BookTags", BookTags.sample),
            decodeDictionary("1,000 doubles", Doubles1000.sample),
            twoTasks,
        ]
    }

    private static func encode<T: Encodable>(_ name: String, _ value: T, goal: Double? = nil) -> BenchmarkCase {
        BenchmarkCase(
            "encode \(name)", peer: "JSONEncoder", goal: goal,
            ours: { operations in
                for _ in 0..<operations { blackHole(try DocumentEncoder.encode(value, options: EncodingOptions()).fields) }
            },
            against: { operations in
                for _ in 0..<operations { blackHole(try JSONEncoder().encode(value)) }
            })
    }

    private static func decode<T: Codable>(_ name: String, _ value: T, goal: Double? = nil) -> BenchmarkCase {
        BenchmarkCase("decode \(name)", peer: "JSONDecoder", goal: goal) {
            let fields = try DocumentEncoder.encode(value, options: EncodingOptions()).fields
            let json = try JSONEncoder().encode(value)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { blackHole(try DocumentDecoder.decode(T.self, from: fields)) }
                },
                peer: { operations in
                    for _ in 0..<operations { blackHole(try JSONDecoder().decode(T.self, from: json)) }
                })
        }
    }

    /// The dictionary that the encoder makes, numbers in objects, as `data()` of a snapshot has them.
    private static func decodeDictionary<T: Codable>(_ name: String, _ value: T) -> BenchmarkCase {
        BenchmarkCase("decode \(name) from a dictionary", peer: "JSONDecoder", goal: 2) {
            let dictionary = try Firestore.Encoder().encode(value)
            let json = try JSONEncoder().encode(value)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { blackHole(try Firestore.Decoder().decode(T.self, from: dictionary)) }
                },
                peer: { operations in
                    for _ in 0..<operations { blackHole(try JSONDecoder().decode(T.self, from: json)) }
                })
        }
    }

    /// The question: does decoding use the cores? The same work in two tasks and in two processes that share nothing.
    private static var twoTasks: BenchmarkCase {
        BenchmarkCase("decoding on two tasks", peer: "two processes", goal: 0.95) {
            let workers = [try DecodingWorker(), try DecodingWorker()]
            // A document for each task: two tasks that read the very same bytes would fight over one reference count.
            let run: @Sendable (Int) throws -> Void = { operations in
                try DecodingWorker.decode(try DecodingWorker.sample(), operations)
            }
            return BenchmarkCase.Contenders(
                ours: { operations in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for share in shares(of: operations) { group.addTask { try run(share) } }
                        try await group.waitForAll()
                    }
                },
                peer: { operations in
                    for (worker, share) in zip(workers, shares(of: operations)) { try worker.begin(share) }
                    for worker in workers { try worker.finish() }
                },
                tearDown: { workers.forEach { $0.stop() } })
        }
    }

    private static func shares(of operations: Int) -> [Int] { [operations / 2, operations - operations / 2] }
}
