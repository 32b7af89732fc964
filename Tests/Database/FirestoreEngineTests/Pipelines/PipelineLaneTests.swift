// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct PipelineLaneTests {
    private final class Counts: Sendable {
        private let state = Mutex((running: 0, most: 0, ended: 0))

        var all: (running: Int, most: Int, ended: Int) { state.withLock { $0 } }

        func begin() { state.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1), $0.ended) } }
        func end() { state.withLock { $0 = ($0.running - 1, $0.most, $0.ended + 1) } }
    }

    @Test func soManyRunAtATimeAndAllRun() async {
        let lane = PipelineLane(width: 2)
        let counts = Counts()
        await withTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    try? await lane.run(of: "\(number % 4)", until: nil) { () async throws(FirestoreError) in
                        counts.begin()
                        for _ in 0..<5 { await Task.yield() }
                        counts.end()
                    }
                }
            }
        }
        #expect(counts.all == (0, 2, 40))
    }

    /// Begins a pipeline that ends when its task is cancelled, and waits until it has its turn.
    private func occupy(_ lane: PipelineLane) async -> Task<Void?, Never> {
        let counts = Counts()
        let task = Task {
            try? await lane.run(of: "a", until: nil) { () async throws(FirestoreError) in
                counts.begin()
                while !Task.isCancelled { await Task.yield() }
            }
        }
        while counts.all.running == 0 { await Task.yield() }
        return task
    }

    private func waiting(_ lane: PipelineLane, until deadline: ContinuousClock.Instant? = nil) -> Task<FirestoreError.Code?, Never> {
        Task {
            do throws(FirestoreError) {
                try await lane.run(of: "a", until: deadline) { () async throws(FirestoreError) in }
                return nil
            } catch {
                return error.code
            }
        }
    }

    @Test func aCallerThatNoLongerWaitsLeavesTheLine() async {
        let lane = PipelineLane(width: 1)
        let first = await occupy(lane)
        let (cancelled, late, patient) = (waiting(lane), waiting(lane, until: .now + .milliseconds(20)), waiting(lane))
        cancelled.cancel()
        // Both end although the first one still runs.
        #expect(await cancelled.value == .cancelled)
        #expect(await late.value == .deadlineExceeded)
        first.cancel()
        #expect(await patient.value == nil)
    }

    @Test func theLineHasAnEnd() async {
        let lane = PipelineLane(width: 1, mostWaiting: 3, mostOfCaller: 3)
        let first = await occupy(lane)
        let others = (0..<8).map { _ in waiting(lane) }
        // Five of them are refused while the first one runs, whichever they are.
        let refused = Counts()
        let ends = others.map { other in
            Task {
                guard await other.value == .resourceExhausted else { return }
                refused.begin()
            }
        }
        while refused.all.running < 5 { await Task.yield() }
        first.cancel()
        for end in ends { await end.value }
        #expect(refused.all.running == 5)
    }

    /// A transaction that waits for another one holds no turn: the other one may need it (TX-5).
    @Test func aTransactionThatWaitsForAnotherOneKeepsNoPipelineWaiting() async throws {
        let database = DatabaseID(projectID: "demo-pipelines")
        // Beside other tests this takes minutes: transactions that are not used must not end, and turns have another clock.
        var configuration = EngineConfiguration(
            location: try EngineStores.place(), databaseID: database, clock: ManualClock(microseconds: 1_000_000_000))
        let day: Int64 = 86_400_000_000
        configuration.retries = RetryLine.Limits(idle: day, turn: day, wait: day, memory: day, contest: day)
        let engine = try Engine.open(configuration)
        _ = try await engine.commit([Write(key: DocumentKey(trusted: "c/a"), operation: .set(FieldBytes(FieldMap())))], context: .embedded)
        let pipeline = try PipelineText.parse("collection(/c)")
        // A transaction loses, so that its next attempt has a turn at the collection.
        let lost = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await engine.execute(pipeline, options: PipelineOptions(.transaction(lost)), context: .embedded)
        let write = Write(key: DocumentKey(trusted: "c/a"), operation: .set(FieldBytes(FieldMap([("n", .integer(1))]))))
        _ = try await engine.commit([write], context: .embedded)
        await #expect(throws: FirestoreError.self) { try await engine.commit([write], in: lost, context: .embedded) }
        let first = try await engine.beginTransaction(.readWrite(retrying: lost), context: .embedded)
        let second = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await engine.execute(pipeline, options: PipelineOptions(.transaction(first)), context: .embedded)
        let ended = Counts()
        let waits = Task {
            defer { ended.begin() }
            return try await engine.execute(pipeline, options: PipelineOptions(.transaction(second)), context: .embedded)
        }
        await eventually("the other one waits") { engine.core.retries.hasWaiting }
        // Those without a transaction, and the first one itself, find a way.
        for _ in 0..<8 { #expect(try await engine.execute(pipeline, context: .embedded).rows.count == 1) }
        _ = try await engine.execute(pipeline, options: PipelineOptions(.transaction(first)), context: .embedded)
        #expect(ended.all.running == 0)
        try await engine.rollback(first, context: .embedded)
        #expect(try await waits.value.rows.count == 1)
        try await engine.rollback(second, context: .embedded)
        await engine.shutdown()
    }

    /// With a reader for every pipeline none would be left, and the queries would wait forever.
    @Test func queriesAreAnsweredBesidePipelinesThatDoNotEnd() async throws {
        let folder = try ScratchFolder()
        let database = DatabaseID(projectID: "demo-pipelines")
        let engine = try Engine.open(EngineConfiguration(location: .file(path: folder.file()), databaseID: database))
        _ = try await engine.commit([Write(key: DocumentKey(trusted: "c/a"), operation: .set(FieldBytes(FieldMap())))], context: .embedded)
        let endless = try PipelineText.parse(
            #"literals({x: 1}).let(split(string_repeat("a,", 100000), ",") as m)"# + String(repeating: ".unnest($m as e)", count: 4)
                + ".aggregate(count() as n)")
        let pipelines = (0..<12).map { _ in
            Task { () -> FirestoreError.Code? in
                do throws(FirestoreError) {
                    _ = try await engine.execute(endless, context: .embedded)
                    return nil
                } catch {
                    return error.code
                }
            }
        }
        let query = StructuredQuery(scope: .collection(CollectionPath(trusted: "c")))
        for _ in 0..<50 {
            #expect(try await engine.run(query, context: .embedded).documents.count == 1)
            await Task.yield()
        }
        for pipeline in pipelines { pipeline.cancel() }
        for pipeline in pipelines { #expect(await pipeline.value == .cancelled) }
        await engine.shutdown()
        withExtendedLifetime(folder) {}
    }
}
