// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

/// What every `DocumentService` reports to watches.
@Suite struct WatchContractTests {
    private func watch(
        _ service: any DocumentService, _ target: WatchTarget, from resumption: WatchResumption? = nil, _ sink: RecordingSink
    ) -> any WatchHandle {
        service.watch(target, from: resumption, context: .embedded, sink: sink)
    }

    @Test("first the state, with everything submitted before, then every change until it is cancelled", arguments: ServiceMode.watching)
    func changes(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            service.submit([.set("c/a"), .set("d/a")], context: .embedded) { _ in }
            let (collection, document, missing) = (RecordingSink(), RecordingSink(), RecordingSink())
            let handle = watch(service, .query(.collection("c")), collection)
            _ = watch(service, .document(DocumentKey(trusted: "c/a")), document)
            _ = watch(service, .document(DocumentKey(trusted: "c/b")), missing)
            await eventually("first states") { [collection, document, missing].allSatisfy { !$0.batches.isEmpty } }
            #expect(collection.batches[0].isReset && document.batches[0].isReset && missing.batches[0].isReset)
            #expect(collection.paths == ["c/a"] && document.paths == ["c/a"] && missing.paths == [])

            try await service.commit(.set("c/b"), .set("c/c"))
            await eventually("c/b") { collection.paths == ["c/a", "c/b", "c/c"] && missing.paths == ["c/b"] }
            try await service.commit(.delete("c/a"))
            await eventually("c/a gone") { collection.paths == ["c/b", "c/c"] && document.paths == [] }
            handle.cancel()
            let count = collection.batches.count
            try await service.commit(.set("c/b", ("n", .integer(1))))
            await eventually("n") { missing.documents.values.first?.text("n") == text(.integer(1)) }
            #expect(collection.batches.count == count)
            for sink in [collection, document, missing] { #expect(sink.complaints.isEmpty && sink.errors.isEmpty) }
        }
    }

    @Test("a window shows documents that move up, and reports the new state of one that left", arguments: ServiceMode.watching) // LS-24
    func windows(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            _ = try await service.commit((0..<6).map { .set("c/\($0)", ("n", .integer(Int64($0)))) }, context: .embedded)
            let (limited, filtered) = (RecordingSink(), RecordingSink())
            _ = watch(service, .query(.collection("c").ordered(by: "n").window(limit: 3)), limited)
            _ = watch(service, .query(.collection("c").filter("n", .lessThan, .integer(4))), filtered)
            await eventually("first") { limited.paths == ["c/0", "c/1", "c/2"] && filtered.paths.count == 4 }
            try await service.commit(.set("c/1", ("n", .integer(100))))
            await eventually("3 moves up") { limited.paths == ["c/0", "c/2", "c/3"] && filtered.paths == ["c/0", "c/2", "c/3"] }
            try await service.commit(.delete("c/0"))
            await eventually("4 moves up") { limited.paths == ["c/2", "c/3", "c/4"] && filtered.paths == ["c/2", "c/3"] }
            try await service.commit(.set("c/9", ("n", .integer(-1))))
            await eventually("9 comes first") { limited.paths == ["c/2", "c/3", "c/9"] && filtered.paths == ["c/2", "c/3", "c/9"] }
        }
    }

    @Test("the effect of a commit is reported immediately, and every view belongs to one moment", arguments: ServiceMode.watching) // LS-17
    func atomicity(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await service.commit(.set("c/a", ("n", .integer(0))), .set("c/b", ("n", .integer(0))))
            let sink = RecordingSink()
            let seen = Mutex<[Set<String>]>([])
            _ = watch(service, .query(.collection("c")), sink)
            let rounds = service.watchRounds(context: .embedded) { _ in
                seen.withLock { $0.append(Set(sink.documents.values.compactMap { $0.text("n") })) }
            }
            await eventually("first") { !sink.batches.isEmpty }
            for number in 1...40 {
                service.submit([.set("c/a", ("n", .integer(Int64(number)))), .set("c/b", ("n", .integer(Int64(number))))], context: .embedded) { _ in }
            }
            await eventually("the last") { sink.documents.values.allSatisfy { $0.text("n") == text(.integer(40)) } }
            await eventually("rounds") { seen.withLock { $0.last } == [text(.integer(40))] }
            #expect(seen.withLock { $0.allSatisfy { $0.count == 1 } })
            rounds.cancel()
        }
    }

    @Test("a watch resumes where another one stopped, with only the changes or with everything anew", arguments: ServiceMode.watching)
    func resumption(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            _ = try await service.commit((0..<9).map { .set("c/\($0)") }, context: .embedded)
            let first = RecordingSink()
            let handle = watch(service, .query(.collection("c")), first)
            await eventually("first") { first.paths.count == 9 }
            handle.cancel()
            let time = try #require(first.batches.last).readTime
            try await service.commit(.set("c/3", ("n", .null)), .delete("c/5"), .set("c/new"))
            for wantsKeys in [false, true] {
                let next = RecordingSink(knowing: Array(first.documents.values))
                _ = watch(service, .query(.collection("c")), from: WatchResumption(time: time, wantsKeys: wantsKeys), next)
                await eventually("resumed") { next.paths == ["c/0", "c/1", "c/2", "c/3", "c/4", "c/6", "c/7", "c/8", "c/new"] }
                let batch = try #require(next.batches.first)
                #expect((batch.keys != nil) == wantsKeys)
                if !wantsKeys || mode.can(.resumingWithKeys) {
                    // A stream that is cut may receive the difference in another form.
                    #expect(mode == .faulty || (batch.basis == .known && batch.changes.count == 3), "\(batch.basis)")
                }
            }
            let ahead = RecordingSink(knowing: Array(first.documents.values))
            _ = watch(service, .query(.collection("none")), from: WatchResumption(time: .none), ahead)
            await eventually("from nothing") { ahead.batches.first?.isReset == true }
        }
    }

    @Test("a later watch continues at the token of a batch, whatever its content", arguments: ServiceMode.watching) // LS-4
    func tokens(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            _ = try await service.commit((0..<5).map { .set("c/\($0)") }, context: .embedded)
            let first = RecordingSink()
            let handle = watch(service, .query(.collection("c")), first)
            await eventually("first") { first.paths.count == 5 }
            handle.cancel()
            let token = try #require(first.batches.last).token
            // Only the engine's is a time; a server's means something to the server alone.
            if case .opaque(let bytes) = token { #expect(mode != .embedded && !bytes.isEmpty) } else { #expect(mode == .embedded) }
            try await service.commit(.set("c/3", ("n", .null)), .delete("c/0"))
            let next = RecordingSink(knowing: Array(first.documents.values))
            _ = watch(service, .query(.collection("c")), from: WatchResumption(token: token), next)
            await eventually("resumed") { next.paths == ["c/1", "c/2", "c/3", "c/4"] && next.documents[DocumentKey(trusted: "c/3")]?.text("n") == text(.null) }
            let batch = try #require(next.batches.first)
            #expect(mode == .faulty || (batch.basis == .known && batch.changes.count == 2), "\(batch.basis)")
        }
    }

    @Test("an invalid watch fails alone, and the others continue", arguments: ServiceMode.watching) // LS-9
    func errors(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let (good, bad) = (RecordingSink(), RecordingSink())
            _ = watch(service, .query(.collection("c")), good)
            _ = watch(service, .query(.collection("c").window(limit: -1)), bad)
            await eventually("refused") { bad.errors.count == 1 }
            #expect(bad.errors[0].code == .invalidArgument && bad.batches.isEmpty)
            try await service.commit(.set("c/a"))
            await eventually("goes on") { good.paths == ["c/a"] }
        }
    }

    @Test("after random writes and lost connections a watch equals a query", arguments: ServiceMode.watching, 1...3)
    func convergence(mode: ServiceMode, seed: UInt64) async throws {
        try await ServiceFixture.with(mode, seed: seed) { service in
            var random = SeededGenerator(seed: seed)
            let queries = [
                StructuredQuery.collection("c"), .collection("c").filter("n", .lessThan, .integer(5)),
                .collection("c").ordered(by: "n").window(offset: 1, limit: 4), .group("c"),
            ]
            let sinks = queries.map { _ in RecordingSink() }
            for (query, sink) in zip(queries, sinks) { _ = watch(service, .query(query), sink) }
            for _ in 0..<8 {
                for _ in 0..<15 {
                    let path = "\(["c", "c", "d/1/c"].randomElement(using: &random)!)/\(Int.random(in: 0..<12, using: &random))"
                    let write = Int.random(in: 0..<4, using: &random) == 0 ? Write.delete(path) : .set(path, ("n", .integer(.random(in: 0..<9, using: &random))))
                    service.submit([write], context: .embedded) { _ in }
                }
                for (query, sink) in zip(queries, sinks) {
                    let wanted = try await service.run(query, context: .embedded).documents
                    await eventually("what the query finds") { Set(sink.documents.values.map(\.updateTime)) == Set(wanted.map(\.updateTime)) && sink.paths == wanted.map(\.key).sorted().map(\.path) }
                }
            }
            for sink in sinks { #expect(sink.complaints.isEmpty && sink.errors.isEmpty) }
        }
    }

    @Test("the time of the watches reaches every commit", arguments: ServiceMode.watching)
    func time(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let sink = RecordingSink()
            _ = watch(service, .query(.collection("c")), sink)
            await eventually("first") { !sink.batches.isEmpty }
            let time = try await service.commit(.set("c/a")).commitTime
            try await eventually("told") { try await service.watchTime(context: .embedded) >= time }
            #expect(sink.paths == ["c/a"])
        }
    }
}
