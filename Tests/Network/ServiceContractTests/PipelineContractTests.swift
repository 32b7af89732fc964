// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import PipelineCases
import TestSupport
import Testing

/// Pipelines have the same results on every way to a database.
@Suite struct PipelineContractTests {
    private func run(_ cases: [PipelineCase], _ mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            _ = try await service.commit(try PipelineData.writes, context: .embedded)
            for row in cases {
                let result: Result<PipelinePage, FirestoreError>
                do {
                    result = .success(try await service.execute(try row.pipeline, context: .embedded))
                } catch let error as FirestoreError {
                    result = .failure(error)
                }
                if let difference = row.difference(from: result) { Issue.record("\(row) \(difference)") }
            }
        }
    }

    @Test(arguments: ServiceMode.allCases)
    func `stages are those of the tables`(mode: ServiceMode) async throws { try await run(PipelineCase.stages, mode) }

    @Test(arguments: ServiceMode.allCases)
    func `comparisons are those of the tables`(mode: ServiceMode) async throws { try await run(PipelineCase.comparisons, mode) }

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
