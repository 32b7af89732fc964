// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

/// How every `DocumentService` comes to an end.
@Suite struct LifecycleContractTests {
    @Test("a session is a separate caller: it ends alone, and other sessions continue", arguments: ServiceMode.allCases)
    func sessions(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let session = try service.session()
            try await session.commit(.set("c/a"))
            #expect(try await service.get("c/a") != nil)
            await session.shutdown()
            await expectError(.failedPrecondition) { try await session.get("c/a") }
            await expectError(.failedPrecondition) { try await session.commit(.set("c/b")) }
            try await service.commit(.set("c/c"))
            #expect(try await service.paths(.collection("c")) == ["c/a", "c/c"])
        }
    }

    @Test("the watches of a session end with it, and the watches of other sessions continue", arguments: ServiceMode.watching)
    func watches(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let session = try service.session()
            let (mine, theirs) = (RecordingSink(), RecordingSink())
            _ = service.watch(.query(.collection("c")), context: .embedded, sink: mine)
            _ = session.watch(.query(.collection("c")), context: .embedded, sink: theirs)
            try await session.commit(.set("c/a"))
            await eventually("told") { mine.paths == ["c/a"] && theirs.paths == ["c/a"] }
            await session.shutdown()
            try await service.commit(.set("c/c"))
            await eventually("goes on") { mine.paths == ["c/a", "c/c"] }
            #expect(theirs.paths == ["c/a"])
        }
    }

    @Test("submitted commits are finished before a service ends; then everything is rejected", arguments: ServiceMode.allCases)
    func shutdown(mode: ServiceMode) async throws {
        let fixture = try await ServiceFixture.make(mode)
        let service = fixture.service
        let answers = Mutex(0)
        for number in 0..<20 {
            service.submit([.set("c/\(number)")], context: .embedded) { result in
                if case .success = result { answers.withLock { $0 += 1 } }
            }
        }
        await service.shutdown()
        #expect(answers.withLock { $0 } == 20)
        await service.shutdown()
        await expectError(.failedPrecondition) { try await service.get("c/1") }
        await expectError(.failedPrecondition) { try await service.commit(.set("c/1")) }
        await expectError(.failedPrecondition) { try await service.watchTime(context: .embedded) }
        await expectError(.failedPrecondition) { try service.session() }
        let sink = RecordingSink()
        _ = service.watch(.query(.collection("c")), context: .embedded, sink: sink)
        await eventually("refused") { sink.errors.first?.code == .failedPrecondition }
        await fixture.close()
    }
}
