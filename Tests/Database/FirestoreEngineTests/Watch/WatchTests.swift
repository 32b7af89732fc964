// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct WatchTests {
    /// An engine with some documents and a sink that has its first state.
    private func watching(
        _ target: WatchTarget, _ writes: Write...
    ) async throws -> (engine: Engine, sink: RecordingSink, handle: any WatchHandle) {
        let engine = try Engine.memory()
        if !writes.isEmpty { _ = try await engine.commit(writes, context: .embedded) }
        let sink = RecordingSink()
        let handle = engine.watch(target, context: .embedded, sink: sink)
        await eventually("first state") { sink.batches.count == 1 }
        return (engine, sink, handle)
    }

    @Test("a document is reported when it is created, changed and deleted")
    func document() async throws {
        let (engine, sink, _) = try await watching(.document(DocumentKey(trusted: "c/a")))
        try await engine.commit(.set("c/a"), .set("c/b"))
        try await engine.commit(.increment("c/a", "n"))
        try await engine.commit(.delete("c/a"))
        try await engine.commit(.delete("c/a"))
        await engine.settle()
        #expect(sink.story == ["reset ", "+c/a", "+c/a", "-c/a"])
        try await engine.checkAndShutDown()
    }

    @Test("a query receives one batch for each commit that affects it, at the time of the commit")
    func query() async throws {
        let (engine, sink, _) = try await watching(
            .query(.collection("c").filter("n", .greaterThan, .integer(5))), .set("c/a", ("n", .integer(9))),
            .set("c/b", ("n", .integer(1))))
        let time = try await engine.commit(.increment("c/b", "n", by: 9), .increment("c/a", "n", by: -9)).commitTime
        try await engine.commit(.set("c/low", ("n", .integer(0))), .set("d/x", ("n", .integer(9))))
        try await engine.commit(.delete("c/b"), .delete("c/low"))
        await engine.settle()
        #expect(sink.story == ["reset +c/a", "+c/b -c/a", "-c/b"])
        #expect(sink.batches[1].readTime == time)
        #expect(sink.batches.map(\.isReset) == [true, false, false])
        try await engine.checkAndShutDown()
    }

    @Test("many documents in one commit are one batch")
    func oneBatch() async throws {
        let (engine, sink, _) = try await watching(.query(.collection("c")))
        let paths = (0..<200).map { "c/\($0)" }
        _ = try await engine.commit(paths.map { .set($0) }, context: .embedded)
        _ = try await engine.commit(paths.map { .delete($0) }, context: .embedded)
        await engine.settle()
        #expect(sink.batches.map(\.changes.count) == [0, 200, 200])
        #expect(sink.documents.isEmpty)
        try await engine.checkAndShutDown()
    }

    @Test("a collection group receives changes of every collection of that name, only below its ancestor")
    func group() async throws {
        let (engine, sink, _) = try await watching(.query(.group("items")))
        let below = RecordingSink()
        _ = engine.watch(
            .query(StructuredQuery(scope: .collectionGroup(id: "items", under: DocumentKey(trusted: "a/1")))),
            context: .embedded, sink: below)
        await eventually("first state") { below.batches.count == 1 }
        try await engine.commit(.set("items/x"), .set("a/1/items/y"), .set("a/1/other/z"), .set("a/10/items/w"))
        await engine.settle()
        #expect(sink.story == ["reset ", "+a/1/items/y +a/10/items/w +items/x"])
        #expect(below.story == ["reset ", "+a/1/items/y"])
        try await engine.checkAndShutDown()
    }

    @Test("a window is filled again when a document leaves, and drops documents beyond its limit")
    func window() async throws {
        let query = StructuredQuery.collection("c").ordered(by: "n").window(limit: 2)
        func n(_ path: String, _ value: Int64) -> Write { .set(path, ("n", .integer(value))) }
        let (engine, sink, _) = try await watching(
            .query(query), n("c/a", 10), n("c/b", 20), n("c/d", 30), n("c/e", 40))
        try await engine.commit(n("c/front", 5))  // pushes b out
        try await engine.commit(.delete("c/a"))  // brings b back
        try await engine.commit(n("c/front", 35))  // moves behind the edge: d comes in
        try await engine.commit(n("c/e", 41))  // outside
        try await engine.commit(n("c/b", 21))  // inside, same place
        try await engine.commit(.delete("c/b"), .delete("c/d"), .delete("c/e"))  // one is left
        try await engine.commit(n("c/z", 99), n("c/y", 100))  // not full: comes in, then pushes itself out
        await engine.settle()
        #expect(
            sink.story == [
                "reset +c/a +c/b", "+c/front -c/b", "+c/b -c/a", "+c/d -c/front", "+c/b", "+c/front -c/b -c/d", "+c/z",
            ])
        try await engine.checkAndShutDown()
    }

    @Test("an offset hides the front of the window, with and without a limit")
    func offset() async throws {
        let engine = try Engine.memory()
        try await engine.commit(.set("c/b"), .set("c/d"), .set("c/f"), .set("c/h"))
        let limited = RecordingSink()
        let open = RecordingSink()
        _ = engine.watch(.query(.collection("c").window(offset: 1, limit: 2)), context: .embedded, sink: limited)
        _ = engine.watch(.query(.collection("c").window(offset: 2, limit: nil)), context: .embedded, sink: open)
        await eventually("first states") { limited.batches.count == 1 && open.batches.count == 1 }
        try await engine.commit(.set("c/a"))
        try await engine.commit(.delete("c/a"), .delete("c/b"))
        await engine.settle()
        #expect(limited.story == ["reset +c/d +c/f", "+c/b -c/f", "+c/f +c/h -c/b -c/d"])
        #expect(open.story == ["reset +c/f +c/h", "+c/d", "-c/d -c/f"])
        try await engine.checkAndShutDown()
    }

    @Test("a watch started after a submit begins with it, awaited or not")
    func readYourWrites() async throws {
        let engine = try Engine.memory()
        for number in 0..<50 {
            engine.submit([.set("c/\(number)")], context: .embedded) { _ in }
            let sink = RecordingSink()
            let handle = engine.watch(.query(.collection("c")), context: .embedded, sink: sink)
            await eventually("first state") { !sink.batches.isEmpty }
            #expect(sink.batches[0].changes.count == number + 1)
            handle.cancel()
        }
        try await engine.checkAndShutDown()
    }

    @Test("a watch that joins others begins with the commits submitted before it") // LS-59
    func joiningOthers() async throws {
        let (engine, first, _) = try await watching(.query(.collection("c")))
        let document = RecordingSink()
        _ = engine.watch(.document(DocumentKey(trusted: "c/0")), context: .embedded, sink: document)
        for number in 0..<50 {
            engine.submit([.set("c/\(number)")], context: .embedded) { _ in }
            let sink = RecordingSink()
            let handle = engine.watch(.query(.collection("c")), context: .embedded, sink: sink)
            await eventually("first state") { !sink.batches.isEmpty }
            #expect(sink.batches[0].isReset && sink.batches[0].changes.count == number + 1)
            if number % 2 == 0 { handle.cancel() }
        }
        await engine.settle()
        #expect(first.documents.count == 50 && first.batches.count == 51)
        #expect(document.story == ["reset ", "+c/0"] || document.story == ["reset +c/0"])
        try await engine.checkAndShutDown()
    }

    @Test("a projection applies to reported documents, not to matching and ordering") // QR-43
    func projection() async throws {
        var query = StructuredQuery.collection("c").filter("n", .greaterThan, .integer(1)).window(limit: 2)
        query.projection = [FieldPathSegments("name")]
        let (engine, sink, _) = try await watching(
            .query(query), .set("c/a", ("n", .integer(2)), ("name", .string("A"))), .set("c/b", ("n", .integer(1))))
        try await engine.commit(.increment("c/b", "n", by: 5))
        try await engine.commit(.increment("c/a", "n", by: -9))
        await engine.settle()
        #expect(sink.story == ["reset +c/a", "+c/b", "-c/a"])
        let reported = sink.batches.flatMap(\.changes).compactMap { if case .update(let document) = $0 { document.fields } else { nil } }
        #expect(reported == [FieldBytes(FieldMap([("name", .string("A"))])), .empty])
        try await engine.checkAndShutDown()
    }

    @Test("a document that leaves is reported with its new state, if it still exists") // LS-14, LS-15
    func departures() async throws {
        let engine = try Engine.memory()
        for n in 1...4 { try await engine.commit(.set("c/\(n)", ("n", .integer(Int64(n))), ("open", .boolean(true)))) }
        let query = StructuredQuery.collection("c").filter("open", .equal, .boolean(true)).ordered(by: "n").window(limit: 3)
        let sink = RecordingSink()
        _ = engine.watch(.query(query), context: .embedded, sink: sink)
        await eventually("first state") { sink.batches.count == 1 }
        // By its own change, by a document that enters before it, by its deletion, and by both together.
        try await engine.commit(.set("c/1", ("n", .integer(1)), ("open", .boolean(false))))
        try await engine.commit(.set("c/0", ("n", .integer(0)), ("open", .boolean(true))))
        try await engine.commit(.delete("c/0"))
        try await engine.commit(.set("c/0", ("n", .integer(0)), ("open", .boolean(true))), .delete("c/4"))
        await engine.settle()
        #expect(sink.story == ["reset +c/1 +c/2 +c/3", "+c/4 -c/1", "+c/0 -c/4", "+c/4 -c/0", "+c/0 -c/4"])
        #expect(sink.batches.map { $0.departed.map(\.key.path) } == [[], ["c/1"], ["c/4"], [], []])
        #expect(sink.batches[1].departed.map(\.updateTime) == [sink.batches[1].readTime])
        try await engine.checkAndShutDown()
    }

    @Test("rounds end when every affected watch has been notified, for their own handle only") // LS-58
    func rounds() async throws {
        let (engine, sink, _) = try await watching(.query(.collection("c")))
        let other = RecordingSink()
        _ = engine.watch(.document(DocumentKey(trusted: "c/a")), context: .embedded, sink: other)
        await eventually("first state") { other.batches.count == 1 }
        let seen = Mutex<[[Int]]>([])
        let times = Mutex<[DocumentVersion]>([])
        let handle = engine.watchRounds(context: .embedded) { time in
            seen.withLock { $0.append([sink.batches.count, other.batches.count]) }
            times.withLock { $0.append(time) }
        }
        try await engine.commit(.set("c/a"))
        try await engine.commit(.set("d/a"))
        try await engine.commit(.set("c/b"))
        await engine.settle()
        #expect(seen.withLock { $0 } == [[2, 2], [3, 2]])
        #expect(times.withLock { $0 } == sink.batches.dropFirst().map(\.readTime))
        handle.cancel()
        try await engine.commit(.set("c/c"))
        await engine.settle()
        #expect(seen.withLock { $0.count } == 2)
        try await engine.checkAndShutDown()
    }

    @Test("watches that start during commits miss nothing and receive nothing twice")
    func startingUnderLoad() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        let sinks = (0..<20).map { _ in RecordingSink() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<400 {
                    engine.submit([.set("c/\(number)"), .increment("n/n", "n")], context: .embedded) { _ in }
                    if number % 20 == 0 { await Task.yield() }
                }
            }
            group.addTask {
                for sink in sinks {
                    _ = engine.watch(.query(.collection("c")), context: .embedded, sink: sink)
                    await Task.yield()
                }
            }
        }
        for sink in sinks {
            await eventually("all of it") { sink.documents.count == 400 }
            let batches = sink.batches
            #expect(batches.reduce(0) { $0 + $1.changes.count } == 400)
            #expect(zip(batches, batches.dropFirst()).allSatisfy { $0.readTime < $1.readTime })
            #expect(batches.map(\.isReset) == [true] + Array(repeating: false, count: batches.count - 1))
        }
        try await engine.checkAndShutDown()
    }

    @Test("a cancelled watch receives nothing more, also when it cancels itself")
    func cancel() async throws {
        let (engine, sink, handle) = try await watching(.query(.collection("c")))
        handle.cancel()
        handle.cancel()
        try await engine.commit(.set("c/a"))
        await engine.settle()
        #expect(sink.story == ["reset "])

        let selfish = SelfCancellingSink()
        let watch = engine.watch(.query(.collection("c")), context: .embedded, sink: selfish)
        selfish.handle.withLock { $0 = watch }
        try await engine.commit(.set("c/b"))
        await eventually("one") { selfish.count.withLock { $0 } >= 1 }
        for number in 0..<10 { try await engine.commit(.set("c/\(number)")) }
        await engine.settle()
        #expect(selfish.count.withLock { $0 } <= 2)
        try await engine.checkAndShutDown()
    }

    private final class SelfCancellingSink: WatchSink {
        let handle = Mutex<(any WatchHandle)?>(nil)
        let count = Mutex(0)
        func receive(_ batch: WatchBatch) {
            count.withLock { $0 += 1 }
            handle.withLock { $0 }?.cancel()
        }
        func fail(_ error: FirestoreError) {}
    }

    @Test("a target that cannot be is failed once")
    func invalid() async throws {
        let engine = try Engine.memory()
        let sink = RecordingSink()
        _ = engine.watch(.query(.collection("c").window(limit: -1)), context: .embedded, sink: sink)
        await eventually("refusal") { !sink.errors.isEmpty }
        try await engine.commit(.set("c/a"))
        await engine.settle()
        #expect(sink.errors.map(\.code) == [.invalidArgument])
        #expect(sink.batches.isEmpty)
        try await engine.checkAndShutDown()
    }
}
