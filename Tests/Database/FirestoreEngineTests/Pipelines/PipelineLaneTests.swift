// SPDX-License-Identifier: Apache-2.0
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
            for _ in 0..<40 {
                group.addTask {
                    await lane.run {
                        counts.begin()
                        for _ in 0..<5 { await Task.yield() }
                        counts.end()
                    }
                }
            }
        }
        #expect(counts.all == (0, 2, 40))
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
