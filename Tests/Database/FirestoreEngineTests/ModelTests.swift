// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Random commits against the simplest thing that could be right.
@Suite struct ModelTests {
    /// A dictionary of what should be stored.
    private struct Model {
        var documents: [DocumentKey: [String: Int64]] = [:]

        /// Applies a commit or changes nothing.
        mutating func apply(_ steps: [Step]) -> Bool {
            let before = documents
            for step in steps {
                let old = documents[step.key]
                if let exists = step.mustExist, exists != (old != nil) {
                    documents = before
                    return false
                }
                switch step.kind {
                case .set(let fields): documents[step.key] = fields
                case .patch(let fields): documents[step.key] = (old ?? [:]).merging(fields) { $1 }
                case .increment(let amount): documents[step.key] = (old ?? [:]).merging(["n": amount]) { $0 + $1 }
                case .delete: documents[step.key] = nil
                }
            }
            return true
        }
    }

    private struct Step {
        enum Kind {
            case set([String: Int64])
            case patch([String: Int64])
            case increment(Int64)
            case delete
        }

        let key: DocumentKey
        let kind: Kind
        let mustExist: Bool?

        static func random(_ generator: inout SeededGenerator) -> Step {
            let collections = ["c", "d", "c/1/c", "d/2/c"]
            let path = collections.randomElement(using: &generator)! + "/\(Int.random(in: 0..<8, using: &generator))"
            let fields = Bool.random(using: &generator)
                ? ["n": Int64.random(in: 0..<6, using: &generator)]
                : ["n": Int64.random(in: 0..<6, using: &generator), "m": Int64.random(in: 0..<3, using: &generator)]
            let kind: Kind =
                switch Int.random(in: 0..<8, using: &generator) {
                case 0...2: .set(fields)
                case 3, 4: .patch(fields)
                case 5: .increment(1)
                default: .delete
                }
            return Step(
                key: DocumentKey(trusted: path), kind: kind,
                mustExist: Int.random(in: 0..<10, using: &generator) == 0 ? Bool.random(using: &generator) : nil)
        }

        var write: Write {
            let precondition = mustExist.map { Precondition.exists($0) }
            switch kind {
            case .set(let fields): return Write(key: key, operation: .set(Self.bytes(fields)), precondition: precondition)
            case .patch(let fields):
                return Write(
                    key: key, operation: .patch(Self.bytes(fields), mask: fields.keys.map { FieldPathSegments($0) }),
                    precondition: precondition)
            case .increment(let amount):
                var write = Write.increment(key.path, "n", by: amount)
                write.precondition = precondition
                return write
            case .delete: return Write(key: key, operation: .delete, precondition: precondition)
            }
        }

        static func bytes(_ fields: [String: Int64]) -> FieldBytes {
            FieldBytes(FieldMap(fields.map { ($0.key, .integer($0.value)) }))
        }
    }

    private static let queries: [StructuredQuery] = [
        .collection("c"), .collection("d").filter("n", .greaterThan, .integer(2)), .group("c"),
        .collection("c").ordered(by: "n").window(limit: 3), .group("c").ordered(by: "n", .descending).window(limit: 5),
        .collection("d").window(offset: 1, limit: 2), .group("c").ordered(by: "m").window(offset: 2, limit: nil),
        .collection("c").filter("n", .equal, .integer(1)).window(limit: 1),
    ]

    @Test("documents and watches always agree with the model", arguments: [(1, true), (2, true), (3, false), (4, true)])
    func random(seed: UInt64, inMemory: Bool) async throws {
        let directory = try ScratchFolder()
        let engine = inMemory ? try Engine.memory() : try Engine.file(directory.file())
        var generator = SeededGenerator(seed: seed)
        var model = Model()
        let sinks = Self.queries.map { _ in RecordingSink() }
        for (query, sink) in zip(Self.queries, sinks) {
            _ = engine.watch(.query(query), context: .embedded, sink: sink)
        }
        await eventually("first states") { sinks.allSatisfy { !$0.batches.isEmpty } }
        for round in 0..<120 {
            let steps = (0..<Int.random(in: 1...4, using: &generator)).map { _ in Step.random(&generator) }
            let expected = model.apply(steps)
            do {
                _ = try await engine.commit(steps.map(\.write), context: .embedded)
                #expect(expected, "round \(round) should have failed")
            } catch {
                #expect(!expected, "round \(round): \(error)")
            }
            await engine.settle()
            let keys = Array(Set(steps.map(\.key)))
            let stored = try await engine.documents(keys, context: .embedded).documents
            for (key, document) in zip(keys, stored) {
                #expect(document?.fields == model.documents[key].map { Step.bytes($0) }, "\(key) in round \(round)")
            }
            for (query, sink) in zip(Self.queries, sinks) {
                let result = try await engine.run(query, context: .embedded).documents
                let view = sink.documents
                #expect(view.count == result.count && result.allSatisfy { view[$0.key] == $0 }, "\(query) in round \(round)")
            }
        }
        for sink in sinks { #expect(sink.batches.dropFirst().allSatisfy { !$0.changes.isEmpty && !$0.isReset }) }
        let all = try await engine.run(.group("c"), context: .embedded).documents
        #expect(all.count == model.documents.keys.filter { $0.collection.id == "c" }.count)
        try await engine.checkAndShutDown()
    }
}
