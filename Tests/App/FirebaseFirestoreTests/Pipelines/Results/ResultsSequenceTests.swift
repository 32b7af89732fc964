// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import ModeSupport
import Testing
import TestSupport

/// Rows page by page.
@Suite struct ResultsSequenceTests {
    private static func pages(_ count: Int) -> [[PipelineRow]] {
        (0..<count).map { page in
            (0..<2).map { PipelineRow(fields: FieldBytes(FieldMap([("n", .integer(Int64(page * 2 + $0)))]))) }
        }
    }

    private func numbers(_ results: Pipeline.ResultsSequence) async throws -> [Int] {
        var numbers: [Int] = []
        for try await row in results { numbers.append(row.get("n") as? Int ?? -1) }
        return numbers
    }

    @Test func `all rows come in order, across pages and empty pages`() async throws {
        let script = PipelineScript(Self.pages(2) + [[]] + [Self.pages(3)[2]])
        let results = script.firestore().pipeline().collection("c").results()
        #expect(try await numbers(results) == [0, 1, 2, 3, 4, 5])
        // Each iteration is an execution.
        #expect(try await numbers(results).count == 6 && script.executions.count == 2)
        #expect(try await numbers(PipelineScript([[]]).firestore().pipeline().database().results(source: .cache)).isEmpty)
    }

    @Test func `nothing is executed before the first row is asked for`() async throws {
        let script = PipelineScript(Self.pages(1))
        var iterator = script.firestore().pipeline().collection("c").results().makeAsyncIterator()
        #expect(script.executions.isEmpty)
        #expect(try await iterator.next()?.get("n") as? Int == 0)
        #expect(script.executions.count == 1)
    }

    @Test func `the pipeline waits for a slow reader`() async throws {
        let script = PipelineScript(Self.pages(50))
        var iterator = script.firestore().pipeline().collection("c").results().makeAsyncIterator()
        for _ in 0..<3 { _ = try await iterator.next() }
        // Two pages are taken; the third one waits.
        await eventually("two pages are taken") { script.taken == 2 }
        #expect(script.taken == 2)
        for _ in 0..<97 { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil && script.taken == 50)
    }

    @Test func `leaving the loop stops the pipeline`() async throws {
        let script = PipelineScript(Self.pages(50))
        for try await _ in script.firestore().pipeline().collection("c").results() { break }
        await eventually("the pipeline ends") { script.isStopped }
        #expect(script.taken <= 2)
    }

    @Test func `an error comes behind the rows before it`() async throws {
        let script = PipelineScript(Self.pages(1), failing: FirestoreError(.deadlineExceeded, "too slow"))
        var iterator = script.firestore().pipeline().collection("c").results().makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        #expect(try await iterator.next() != nil)
        await #expect(throws: FirestoreErrorCode.self) { try await iterator.next() }
    }

    @Test func `a cancelled task gets an error, not a shorter result`() async throws {
        let script = PipelineScript(Self.pages(50))
        let results = script.firestore().pipeline().collection("c").results()
        let task = Task {
            var iterator = results.makeAsyncIterator()
            _ = try await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            while try await iterator.next() != nil {}
        }
        let error = await task.result.failure
        #expect(isFailure(error, .cancelled))
        await eventually("the pipeline ends") { script.isStopped }
    }

    @Test func `terminate ends a sequence that is not read on`() async throws {
        let script = PipelineScript(Self.pages(50))
        let firestore = script.firestore()
        var iterator = firestore.pipeline().collection("c").results().makeAsyncIterator()
        _ = try await iterator.next()
        try await firestore.terminate()
        _ = try await iterator.next()
        await #expect(throws: FirestoreErrorCode.self) { while try await iterator.next() != nil {} }
        #expect(script.isStopped)
    }
}

extension Result {
    fileprivate var failure: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}
