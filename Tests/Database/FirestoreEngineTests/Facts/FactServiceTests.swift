// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine
@testable import FirestoreIndexing

struct FactServiceTests {
    private func value(_ text: String) -> ByteSlice { ByteSlice(Array(text.utf8)) }

    @Test func `facts are listed by their prefix`() async throws {
        let engine = try Engine.memory(indexPolicy: .manual)
        for key in ["a/", "a/b", "a/b/c", "a0", "b/a", "A/b"] { try await engine.setFact(key, value(key)) }
        #expect(try await engine.facts(below: "a/").map(\.key) == ["a/", "a/b", "a/b/c"])
        #expect(try await engine.facts(below: "c/").isEmpty)
        await engine.shutdown()
    }

    @Test func `changes of one fact that come together are made one after the other`() async throws {
        let engine = try Engine.memory(indexPolicy: .manual)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    _ = try await engine.changeFact("count") { (present) throws(FirestoreError) in
                        ByteSlice([(present?.array.first ?? 0) + 1])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await engine.fact("count")?.array == [50])
        await engine.shutdown()
    }

    @Test func `a change that throws changes nothing`() async throws {
        let engine = try Engine.memory(indexPolicy: .manual)
        try await engine.setFact("a", value("before"))
        await #expect(throws: FirestoreError.self) {
            try await engine.changeFact("a") { (_) throws(FirestoreError) in throw FirestoreError(.alreadyExists, "it is there") }
        }
        #expect(try await engine.fact("a")?.array == value("before").array)
        await engine.shutdown()
    }

    @Test func `an abandoned database refuses every handle, and its file is free`() async throws {
        let folder = try ScratchFolder()
        let engine = try Engine.file(folder.file(), indexPolicy: .manual, limits: IndexLimits())
        let session = try engine.session()
        let sink = RecordingSink()
        let handle = session.watch(.document(DocumentKey(trusted: "a/b")), from: nil, context: .embedded, sink: sink)
        _ = try await engine.commit([.set("a/b")], context: .embedded)
        await engine.abandon()
        for service in [engine, session] as [any DocumentService] {
            await #expect(throws: FirestoreError.self) { try await service.commit([.set("a/c")], context: .embedded) }
            await #expect(throws: FirestoreError.self) { try await service.documents([DocumentKey(trusted: "a/b")], context: .embedded) }
        }
        // Another engine opens the file while the old handles are there.
        let again = try Engine.file(folder.file(), indexPolicy: .manual, limits: IndexLimits())
        #expect(try await again.documents([DocumentKey(trusted: "a/b")], context: .embedded).documents[0] != nil)
        handle.cancel()
        await session.shutdown()
        await engine.shutdown()
        _ = try await again.commit([.set("a/d")], context: .embedded)
        await again.shutdown()
    }
}
