// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import TestSupport
import Testing

/// The archive that other tests inject faults with.
struct FaultyArchiveTests {
    private let memory = MemoryArchive()

    @Test func `a call fails without its effect, or after it`() async throws {
        let store = FaultyArchive(memory) { $0.number == 1 ? .unavailable : $0.number == 2 ? .answerLost : nil }
        await expectError(.unavailable) { try await store.put("a", [1]) }
        #expect(memory["a"] == nil)
        await expectError(.unavailable) { try await store.put("a", [1]) }
        #expect(memory["a"] == [1])
        #expect(try await !store.put("a", [1]))
        #expect(store.calls.map(\.kind) == [.put, .put, .put])
    }

    @Test func `a listing is torn, an object is damaged, a call waits`() async throws {
        let waited = Mutex(false)
        let store = FaultyArchive(memory) { call in
            switch call.kind {
            case .list: .tear(after: 1)
            case .get: .damage { $0 + [9] }
            case .put: .delay { waited.withLock { $0 = true } }
            case .delete: .full
            }
        }
        for name in ["a", "b"] { #expect(try await store.put(name, [1])) }
        #expect(waited.withLock { $0 })
        #expect(try await store.list("", after: nil, limit: 9).map(\.name) == ["a"])
        #expect(try await store.get("b") == [1, 9])
        await expectError(.resourceExhausted) { try await store.delete("a") }
        store.setSchedule { _ in nil }
        #expect(try await store.list("", after: nil, limit: 9).map(\.name) == ["a", "b"])
        #expect(store.calls.map(\.number) == Array(1...6))
    }
}
