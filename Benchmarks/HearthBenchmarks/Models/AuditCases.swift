// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCoding
import FirestoreCore
import FirestoreModels
import Foundation

/// Audits against plain decoding, tolerant properties against plain ones.
enum AuditCases {
    static var all: [BenchmarkCase] {
        [
            audit("decoding checks", AuditOptions(checks: .decoding), goal: 0.66),
            audit("all checks", AuditOptions(), goal: 0.25),
            observing,
            defaults("present", missing: false, goal: 0.91),
            defaults("missing", missing: true, goal: 0.83),
            lossy,
        ]
    }

    private static let count = 50_000

    /// An operation is one document. `documents(as:)` reads the same documents together.
    private static func audit(_ name: String, _ options: AuditOptions, goal: Double) -> BenchmarkCase {
        BenchmarkCase(
            "audit \(count) books, \(name)", unit: .perSecond("docs"), peer: "documents(as:)", goal: goal, operationsPerRound: count
        ) {
            let database = try BenchmarkDatabase(inMemory: true)
            let books = database.firestore.collection("books")
            for start in stride(from: 0, to: count, by: 500) {
                let batch = database.firestore.batch()
                for number in start..<(start + 500) {
                    try batch.setData(from: BookTags.sample, forDocument: books.document(StoredBook.id(number)))
                }
                try await batch.commit()
            }
            return BenchmarkCase.Contenders(
                ours: { _ in
                    let report = try await books.audit(as: BookTags.self, options: options)
                    guard report.decodedCount == count else { throw BenchmarkFailure("\(report)") }
                },
                peer: { _ in
                    let read = try await books.getDocuments().documents(as: BookTags.self)
                    guard read.values.count == count else { throw BenchmarkFailure("\(read.failures.count) failures") }
                },
                tearDown: { try await database.close() })
        }
    }

    /// What the recorder itself costs.
    private static var observing: BenchmarkCase {
        BenchmarkCase("decode BookTags for an audit", peer: "decode BookTags") {
            let fields = try DocumentEncoder.encode(BookTags.sample).fields
            let audit = DecodingAudit(exampleLimit: 3)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations {
                        audit.observe { blackHole(try DocumentDecoder.decode(BookTags.self, from: fields, audit: audit)) }
                        audit.walk(fields, id: "a", decodes: true, listsUnasked: true, options: nil)
                    }
                },
                peer: { operations in
                    for _ in 0..<operations { blackHole(try DocumentDecoder.decode(BookTags.self, from: fields)) }
                })
        }
    }

    private struct PlainBook: Codable {
        var title: String
        var stars: Int
        var author: String
        var pages: Int
    }

    private struct DefaultBook: Codable {
        var title: String
        @DefaultZero var stars: Int
        var author: String
        var pages: Int
    }

    private static func defaults(_ name: String, missing: Bool, goal: Double) -> BenchmarkCase {
        BenchmarkCase("decode with @DefaultZero, \(name)", peer: "a plain property", goal: goal) {
            let plain = try DocumentEncoder.encode(PlainBook(title: "Dune", stars: 5, author: "Frank Herbert", pages: 412)).fields
            var map = try plain.map
            if missing { map["stars"] = nil }
            let fields = FieldBytes(map)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { blackHole(try DocumentDecoder.decode(DefaultBook.self, from: fields)) }
                },
                peer: { operations in
                    for _ in 0..<operations { blackHole(try DocumentDecoder.decode(PlainBook.self, from: plain)) }
                })
        }
    }

    private struct LossyBook: Codable {
        @LossyArray var tags: [BookTags.Tag]
    }

    private struct PlainTags: Codable {
        var tags: [BookTags.Tag]
    }

    /// Ten elements, all of which decode.
    private static var lossy: BenchmarkCase {
        BenchmarkCase("decode with @LossyArray", peer: "a plain array") {
            let fields = try DocumentEncoder.encode(PlainTags(tags: BookTags.sample.tags)).fields
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { blackHole(try DocumentDecoder.decode(LossyBook.self, from: fields)) }
                },
                peer: { operations in
                    for _ in 0..<operations { blackHole(try DocumentDecoder.decode(PlainTags.self, from: fields)) }
                })
        }
    }
}
