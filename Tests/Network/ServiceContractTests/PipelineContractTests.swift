// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import PipelineCases
import TestSupport
import Testing

/// What every `DocumentService` does with pipelines.
@Suite struct PipelineContractTests {
    /// A row without its times, which differ from database to database, or an error.
    private func outcome(_ row: PipelineCase, _ service: any DocumentService) async throws -> [String] {
        do {
            return try await service.execute(try row.pipeline, context: .embedded).rows.map { row in
                "\(row.name ?? "") \(PipelineText.print(.value(.map(try row.fields.map))))"
            }
        } catch let error as FirestoreError {
            return ["\(error.code) \(error)"]
        }
    }

    /// What the engine says in the process is what a server says, over gRPC and over REST. (The tables themselves are tests of the engine.)
    @Test(arguments: [ServiceMode.loopback, .rest])
    func `the rows of the tables have the results of the engine`(mode: ServiceMode) async throws {
        let cases = (PipelineCase.comparisons + PipelineCase.stages).filter { !$0.text.contains("rand()") && !$0.text.contains("sample(") }
        let expected = Mutex<[[String]]>([])
        for mode in [.embedded, mode] {
            try await ServiceFixture.with(mode) { service in
                _ = try await service.commit(try PipelineData.writes, context: .embedded)
                for (index, row) in cases.enumerated() {
                    let outcome = try await outcome(row, service)
                    guard mode != .embedded else {
                        expected.withLock { $0.append(outcome) }
                        continue
                    }
                    #expect(outcome == expected.withLock { $0[index] }, "\(row)")
                }
            }
        }
    }

    // PL-228, PL-236
    @Test(arguments: ServiceMode.allCases)
    func `rows come in pages, and a reader ends them`(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let text = Value.string(String(repeating: "x", count: 100_000))
            for number in 0..<40 { try await service.commit(.set("big/\(100 + number)", ("text", text))) }
            let pipeline = try PipelineText.parse("collection(/big)")
            let pages = Mutex<[Int]>([])
            try await service.execute(pipeline, options: .latest, context: .embedded) { (page) async throws(FirestoreError) in
                pages.withLock { $0.append(page.rows.count) }
                return .next
            }
            #expect(pages.withLock { $0.count > 1 && $0.reduce(0, +) == 40 })
            pages.withLock { $0 = [] }
            try await service.execute(pipeline, options: .latest, context: .embedded) { (page) async throws(FirestoreError) in
                pages.withLock { $0.append(page.rows.count) }
                return .stop
            }
            #expect(pages.withLock { $0.count } == 1)
        }
    }

    // PT-206, PL-16
    @Test(arguments: ServiceMode.allCases)
    func `pipelines read in transactions and at past moments`(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await service.commit(.set("c/a", ("n", .integer(1))))
            let pipeline = try PipelineText.parse("collection(/c) aggregate(count() as n)")
            let then = try await service.execute(pipeline, context: .embedded)
            let transaction = try await service.beginTransaction(.readWrite(retrying: nil), context: .embedded)
            _ = try await service.execute(pipeline, options: PipelineOptions(.transaction(transaction)), context: .embedded)
            try await service.commit(.set("c/b"))
            let counted = try await service.execute(pipeline, options: PipelineOptions(.past(then.readTime)), context: .embedded)
            #expect(counted.rows == then.rows)
            await expectError(.aborted) {
                _ = try await service.commit([.set("c/d")], in: transaction, context: .embedded)
            }
        }
    }

    // PL-12
    @Test(arguments: ServiceMode.allCases)
    func `pipelines are explained`(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await service.commit(.set("c/a", ("n", .integer(1))))
            let pipeline = try PipelineText.parse("collection(/c) where(equal(n, 1))")
            for analyze in [false, true] {
                let explanation = try await service.explain(pipeline, analyze: analyze, options: .latest, context: .embedded)
                #expect(!explanation.text.isEmpty && !explanation.text.hasPrefix("{"))
            }
        }
    }
}
