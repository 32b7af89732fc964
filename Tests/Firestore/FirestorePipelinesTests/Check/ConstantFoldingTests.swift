// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestorePipelines

@Suite struct ConstantFoldingTests {
    private func constants(_ expressions: [String]) throws -> [ValueBytes] {
        let fields = expressions.enumerated().map { "\($1) as f\($0)" }.joined(separator: ", ")
        let pipeline = try PipelineCheck.check(
            try PipelineText.parse("literals({a: 1}).select(\(fields))"), database: DatabaseID(projectID: "p"))
        return pipeline.stages.flatMap { placed -> [ValueBytes] in
            guard case .shape(let shape) = placed.stage else { return [] }
            return shape.entries.compactMap { entry in
                guard case .value(.constant(let bytes)) = entry.content else { return nil }
                return bytes.content
            }
        }
    }

    @Test func functionsOfConstantsAreComputedOnce() throws {
        let found = try constants(["add(1, multiply(2, 3))", "add(a, 1)", "string_reverse(\"ab\")"])
        #expect(found == [ValueBytes(.integer(7)), ValueBytes(.string("ba"))])
    }

    /// A short request could otherwise take gigabytes before its budget counts.
    @Test func theConstantsOfARequestHaveABound() throws {
        #expect(try constants(["string_repeat(\"x\", 100000)"]).isEmpty)
        let all = try constants((0..<200).map { _ in "string_repeat(\"x\", 30000)" })
        #expect(all.count > 10)
        #expect(all.reduce(0) { $0 + $1.bytes.count } < 1_200_000)
    }
}
