// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import HearthBase
import TestSupport
import Testing

@testable import FirestoreEngine

/// What a database counts about itself (OP-94, OT-55).
struct FiguresTests {
    @Test func `commits are counted with their groups, whatever becomes of them`() async throws {
        let engine = try Engine.memory()
        #expect(engine.figures.commits == 0)
        try await engine.commit(.set("c/a"))
        try await engine.commit(.set("c/a"), .set("c/b"))
        _ = try? await engine.commit([Write(key: DocumentKey(trusted: "c/a"), operation: .delete, precondition: .exists(false))], context: .embedded)
        let figures = engine.figures
        #expect(figures.commits == 3)
        #expect(figures.groupSizes.sum == 3)
        #expect(figures.groupSizes.total == figures.syncTimes.total)
        #expect(figures.groupSizes.total == figures.queueWaits.total)
        #expect(figures.waitingCommits == 0)
        await engine.shutdown()
    }

    /// On a server, any node cuts the log.
    @Test(.disabled(if: EngineStores.isPostgres, "the log of a shared store is cut by any node"))
    func `the change log grows by the states before a commit, and shrinks when it is cut`() async throws {
        let clock = ManualClock(microseconds: 1_000_000_000)
        let engine = try Engine.memory(clock: clock)
        try await engine.commit(.set("c/a", ("text", .string(String(repeating: "x", count: 10_000)))))
        #expect(engine.figures.logBytes < 1_000)
        try await engine.commit(.set("c/a"))
        #expect((10_000..<12_000).contains(engine.figures.logBytes))
        clock.advance(microseconds: 2 * 3_600_000_000)
        try await engine.commit(.set("c/a"))
        #expect(engine.figures.logBytes < 1_000)
        #expect(engine.figures.logAge == 3_600)
        clock.advance(microseconds: 30_000_000)
        #expect(engine.figures.logAge == 3_630)
        await engine.shutdown()
    }

    @Test func `the volume of a log that another process cuts is that of the last day`() {
        var volume = LogVolume()
        let minute: Int64 = 60_000_000
        for number in 0..<10_000 { volume.add(10, now: Int64(number) * minute) }
        #expect(volume.bytes == 26 * 60 * 10)
    }

    @Test func `listeners with the same target have one`() async throws {
        let engine = try Engine.memory()
        let sinks = (0..<3).map { _ in RecordingSink() }
        let handles = zip(sinks, ["c", "c", "d"]).map { sink, collection in
            engine.watch(.query(.collection(collection)), context: .embedded, sink: sink)
        }
        await eventually("all have begun") { engine.figures.listeners == 3 }
        #expect(engine.figures.targets == 2)
        for handle in handles { handle.cancel() }
        await eventually("all have ended") { engine.figures.listeners == 0 }
        #expect(engine.figures.targets == 0)
        await engine.shutdown()
    }

    @Test func `an aborted transaction is a conflict, and a failed precondition is none`() async throws {
        let engine = try Engine.memory()
        try await engine.commit(.set("c/a"))
        let transaction = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        let key = DocumentKey(trusted: "c/a")
        _ = try await engine.documents([key], options: .transaction(transaction), context: .embedded)
        try await engine.commit(.set("c/a", ("n", .integer(1))))
        await #expect(throws: FirestoreError.self) { try await engine.commit([.set("c/b")], in: transaction, context: .embedded) }
        _ = try? await engine.commit([Write(key: key, operation: .delete, precondition: .exists(false))], context: .embedded)
        #expect(engine.figures.conflicts == 1)
        await engine.shutdown()
    }

    @Test func `an index that was built is counted once`() async throws {
        let engine = try Engine.memory()
        _ = try await engine.commit((0..<50).map { .set("c/\($0)", ("n", .integer(Int64($0)))) }, context: .embedded)
        #expect(engine.figures.indexBuilds == 0)
        let definition = IndexDefinition(collectionID: "c", fields: [IndexDefinition.Field(FieldPathSegments("n"))])
        try await engine.configureIndexes([definition])
        try await engine.indexesSettled()
        #expect(engine.figures.indexBuilds == 1)
        #expect(engine.figures.indexesBeingBuilt == 0)
        await engine.shutdown()
    }
}
