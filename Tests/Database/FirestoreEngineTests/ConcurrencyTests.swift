// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Everything simultaneously; run it under the thread sanitizer.
@Suite struct ConcurrencyTests {
    private final class Times: Sendable {
        private let times = Mutex<[DocumentVersion]>([])
        func add(_ time: DocumentVersion) { times.withLock { $0.append(time) } }
        var all: [DocumentVersion] { times.withLock { $0 } }
    }

    @Test("many tasks commit, read and watch", arguments: [true, false])
    func everything(inMemory: Bool) async throws {
        let directory = try ScratchFolder()
        let engine = inMemory ? try Engine.memory() : try Engine.file(directory.file())
        let times = Times()
        let counter = RecordingSink()
        _ = engine.watch(.document(DocumentKey(trusted: "n/n")), context: .embedded, sink: counter)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    for number in 0..<40 {
                        let response = try await engine.commit(
                            .increment("n/n", "n"), .set("c/\(task)-\(number % 7)", ("n", .integer(Int64(number)))))
                        times.add(response.commitTime)
                    }
                }
                group.addTask {
                    for number in 0..<25 {
                        _ = try await engine.get("c/\(task)-\(number % 7)")
                        _ = try await engine.run(.collection("c").ordered(by: "n").window(limit: 3), context: .embedded)
                    }
                }
                group.addTask {
                    for _ in 0..<10 {
                        let sink = RecordingSink()
                        let handle = engine.watch(
                            .query(.collection("c").ordered(by: "n").window(limit: 3)), context: .embedded, sink: sink)
                        await eventually("first state") { !sink.batches.isEmpty }
                        handle.cancel()
                    }
                }
            }
            try await group.waitForAll()
        }
        await engine.settle()
        let final = FieldBytes(FieldMap([("n", .integer(240))]))
        #expect(try await engine.get("n/n")?.fields == final)
        await eventually("last state") { counter.documents.values.first?.fields == final }
        let all = times.all
        #expect(Set(all).count == 240)
        let reported = counter.batches.map(\.readTime)
        #expect(reported == reported.sorted() && Set(reported).count == reported.count)
        try await engine.checkAndShutDown()
    }
}
