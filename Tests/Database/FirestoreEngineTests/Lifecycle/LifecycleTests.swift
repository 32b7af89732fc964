// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct LifecycleTests {
    @Test("reopening finds everything, and makes directories on the way", arguments: [Durability.full, .relaxed])
    func reopening(_ durability: Durability) async throws {
        let directory = try ScratchFolder()
        let file = directory.file("deep/down/test.db")
        var engine = try Engine.file(file, durability: durability)
        for number in 0..<20 { try await engine.commit(.set("c/\(number)", ("n", .integer(Int64(number))))) }
        let last = try await engine.commit(.delete("c/0")).commitTime
        try await engine.checkAndShutDown()
        engine = try Engine.file(file)
        let response = try await engine.run(.collection("c"), context: .embedded)
        #expect(response.documents.count == 19)
        #expect(response.readTime == last)
        try await engine.checkAndShutDown()
    }

    @Test("two engines on one file are one; the file closes with the last")
    func sharing() async throws {
        let directory = try ScratchFolder()
        try FileManager.default.createSymbolicLink(atPath: directory.file("link.db"), withDestinationPath: "test.db")
        let first = try Engine.file(directory.file())
        let second = try Engine.file(directory.file("link.db"), durability: .full)
        #expect(first.core === second.core)
        let sinks = [RecordingSink(), RecordingSink()]
        _ = first.watch(.query(.collection("c")), context: .embedded, sink: sinks[0])
        _ = second.watch(.query(.collection("c")), context: .embedded, sink: sinks[1])
        first.submit([.set("c/a")], context: .embedded) { _ in }
        #expect(try await second.get("c/a") != nil)
        try await first.checkAndShutDown()
        try await second.commit(.set("c/b"))
        await second.settle()
        await eventually("told") { sinks[1].documents.count == 2 }
        #expect(sinks[0].documents.count <= 1)
        await expectError(.failedPrecondition, mentioning: "project test") {
            try Engine.file(directory.file(), databaseID: DatabaseID(projectID: "other"))
        }
        try await second.checkAndShutDown()
        let third = try Engine.file(directory.file())
        #expect(third.core !== first.core)
        #expect(try await third.get("c/b") != nil)
        try await third.checkAndShutDown()
    }

    @Test("an engine that is dropped without shutting down releases its file")
    func dropped() async throws {
        let directory = try ScratchFolder()
        do {
            let engine = try Engine.file(directory.file())
            try await engine.commit(.set("c/a"))
        }
        try await eventually("file free") {
            let engine = try Engine.file(directory.file(), databaseID: testDatabase)
            let isNew = try await engine.get("c/a") != nil
            await engine.shutdown()
            return isNew
        }
    }

    @Test("after shutdown everything fails with failedPrecondition, and shutting down again is nothing")
    func afterwards() async throws {
        let engine = try Engine.memory()
        let before = RecordingSink()
        _ = engine.watch(.query(.collection("c")), context: .embedded, sink: before)
        await eventually("first state") { before.batches.count == 1 }
        for number in 0..<50 { engine.submit([.set("c/\(number)")], context: .embedded) { _ in } }
        await engine.shutdown()
        await engine.shutdown()
        let reported = before.batches.count
        await expectError(.failedPrecondition, mentioning: "shut down") { try await engine.commit(.set("c/a")) }
        await expectError(.failedPrecondition) { try await engine.get("c/a") }
        await expectError(.failedPrecondition) { try await engine.run(.collection("c"), context: .embedded) }
        let sink = RecordingSink()
        _ = engine.watch(.query(.collection("c")), context: .embedded, sink: sink)
        await eventually("refusal") { sink.errors.map(\.code) == [.failedPrecondition] }
        #expect(sink.batches.isEmpty)
        #expect(before.batches.count == reported)
    }

    @Test("shutting down finishes submitted commits")
    func finishing() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        for number in 0..<200 { engine.submit([.set("c/\(number)")], context: .embedded) { _ in } }
        await engine.shutdown()
        let again = try Engine.file(directory.file())
        #expect(try await again.paths(.collection("c")).count == 200)
        try await again.checkAndShutDown()
    }

    @Test("shutting down while others open, again and again")
    func race() async throws {
        let directory = try ScratchFolder()
        let file = directory.file()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<10 {
                        let engine = try Engine.file(file)
                        try await engine.commit(.set("c/\(task)-\(number)"))
                        await engine.shutdown()
                    }
                }
            }
            try await group.waitForAll()
        }
        let engine = try Engine.file(file)
        #expect(try await engine.paths(.collection("c")).count == 40)
        try await engine.checkAndShutDown()
    }
}
