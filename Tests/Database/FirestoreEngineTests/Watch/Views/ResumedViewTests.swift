// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreSemantics
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// The state of a watcher that stops and resumes.
private final class ResumingSink: WatchSink {
    private struct State {
        var documents: [DocumentKey: Document] = [:]
        var time = DocumentVersion.none
        var batches = 0
        var bases: [WatchBatch.Basis] = []
        var complaints: [String] = []
    }

    private let state: Mutex<State>

    /// Continues from the state of another one.
    init(after other: ResumingSink? = nil) {
        var state = State()
        if let other { (state.documents, state.time) = other.state.withLock { ($0.documents, $0.time) } }
        self.state = Mutex(state)
    }

    func receive(_ batch: WatchBatch) {
        state.withLock { state in
            if batch.readTime < state.time { state.complaints.append("goes back in time") }
            if batch.basis == .nothing { state.documents = [:] }
            for change in batch.changes {
                switch change {
                case .update(let document):
                    if batch.basis == .known, state.documents[document.key] == document {
                        state.complaints.append("\(document.key) has not changed")
                    }
                    state.documents[document.key] = document
                case .remove(let key):
                    if state.documents.removeValue(forKey: key) == nil { state.complaints.append("\(key) was not there") }
                }
            }
            if let keys = batch.keys {
                let wanted = Set(keys)
                if batch.basis == .partial { state.documents = state.documents.filter { wanted.contains($0.key) } }
                if wanted != Set(state.documents.keys) { state.complaints.append("the keys are others") }
            }
            state.time = batch.readTime
            state.batches += 1
            state.bases.append(batch.basis)
        }
    }

    func fail(_ error: FirestoreError) { state.withLock { $0.complaints.append("\(error)") } }

    var time: DocumentVersion { state.withLock { $0.time } }
    var hasFirst: Bool { state.withLock { $0.batches > 0 || !$0.complaints.isEmpty } }
    var bases: [WatchBatch.Basis] { state.withLock { $0.bases } }
    var complaints: [String] { state.withLock { $0.complaints } }
    var documents: [DocumentKey: Document] { state.withLock { $0.documents } }
}

/// Watches stop at random moments and resume; what they know always equals a fresh query (LS-4, LS-19).
@Suite struct ResumedViewTests {
    private struct Watched {
        let target: WatchTarget
        var sink: ResumingSink
        var handle: (any WatchHandle)?
    }

    private func resume(_ watched: inout Watched, on engine: Engine, wantsKeys: Bool) {
        let next = ResumingSink(after: watched.sink)
        let resumption = WatchResumption(time: watched.sink.time, wantsKeys: wantsKeys)
        watched.sink = next
        watched.handle = engine.watch(watched.target, from: resumption, context: .embedded, sink: next)
    }

    private func answer(_ target: WatchTarget, _ engine: Engine) async throws -> [DocumentKey: Document] {
        let documents =
            switch target {
            case .document(let key): [try await engine.get(key.path)].compactMap(\.self)
            case .query(let query): try await engine.run(query, context: .embedded).documents
            }
        return Dictionary(uniqueKeysWithValues: documents.map { ($0.key, $0) })
    }

    @Test(arguments: 0..<TestScale.pick(quick: 3, full: 40))
    func `a watch that stops and resumes equals a fresh query`(seed: Int) async throws {
        var random = RandomWatching(seed: UInt64(7_000 + seed))
        let directory = try ScratchFolder()
        let clock = ManualClock(microseconds: 1_700_000_000_000_000)
        // Sometimes the log does not reach back to where a watch stopped.
        let retention: Int64 = seed % 3 == 0 ? 60_000_000 : 3_600_000_000
        func open() throws -> Engine {
            try Engine.open(
                EngineConfiguration(
                    location: .file(path: directory.file()), durability: .relaxed, databaseID: testDatabase, clock: clock,
                    logRetention: retention))
        }
        var engine = try open()
        var watches = (0..<8).map { number -> Watched in
            let query = random.query()
            // Some share a target.
            return Watched(target: number == 7 ? .document(DocumentKey(trusted: "c/1")) : .query(query), sink: ResumingSink())
        }
        watches.append(Watched(target: watches[0].target, sink: ResumingSink()))
        watches.append(Watched(target: watches[1].target, sink: ResumingSink()))
        var known: Set<DocumentKey> = []
        for round in 0..<60 {
            for index in watches.indices {
                if watches[index].handle == nil, random.chance(40) {
                    resume(&watches[index], on: engine, wantsKeys: random.chance(50))
                } else if random.chance(25) {
                    watches[index].handle?.cancel()
                    watches[index].handle = nil
                }
            }
            for _ in 0..<random.number(0...6) {
                let commit = random.commit(on: known.sorted())
                for operation in commit {
                    if case .delete(let key) = operation { known.remove(key) } else { known.insert(operation.key) }
                }
                engine.submit(commit.map(\.write), context: .embedded) { _ in }
                clock.advance(microseconds: random.chance(10) ? 40_000_000 : 1_000)
            }
            if round % 4 == 0 { continue }
            _ = try await engine.watchTime(context: .embedded)
            await engine.settle()
            for watched in watches where watched.handle != nil {
                await eventually("the first batch") { watched.sink.hasFirst }
            }
            await engine.settle()
            for watched in watches {
                #expect(watched.sink.complaints.isEmpty, "seed \(seed), round \(round): \(watched.target)")
                guard watched.handle != nil else { continue }
                #expect(try await answer(watched.target, engine) == watched.sink.documents, "seed \(seed), round \(round): \(watched.target)")
            }
            if random.chance(15) {
                await engine.shutdown()
                for index in watches.indices { watches[index].handle = nil }
                engine = try open()
            }
        }
        await engine.shutdown()
    }

    @Test("a resumed watch receives only what has changed, including what left and entered a window")
    func difference() async throws {
        let engine = try Engine.memory()
        for number in 0..<20 { try await engine.commit(.set("c/\(number)", ("n", .integer(Int64(number))))) }
        let then = try await engine.watchTime(context: .embedded)
        try await engine.commit(.set("c/3", ("n", .integer(3)), ("m", .null)))
        try await engine.commit(.set("c/5", ("n", .integer(50))))
        try await engine.commit(.delete("c/1"))
        try await engine.commit(.set("c/new", ("n", .integer(2))), .set("d/other"))
        let low = StructuredQuery.collection("c").filter("n", .lessThan, .integer(10))
        let cases: [(WatchTarget, [String])] = [
            (.query(low), ["+c/3", "+c/new", "-c/1", "-c/5"]),
            (.query(.collection("c").ordered(by: "n").window(limit: 4)), ["+c/3", "+c/new", "-c/1"]),
            (.query(.collection("c").ordered(by: "n").window(offset: 1, limit: 3)), ["+c/3", "+c/new", "-c/1"]),
            (.query(.collection("d")), ["+d/other"]), (.query(.collection("e")), []),
            (.document(DocumentKey(trusted: "c/1")), ["-c/1"]), (.document(DocumentKey(trusted: "c/2")), []),
            (.document(DocumentKey(trusted: "c/new")), ["+c/new"]), (.document(DocumentKey(trusted: "c/none")), []),
        ]
        for (target, story) in cases {
            let sink = RecordingSink()
            let handle = engine.watch(target, from: WatchResumption(time: then, wantsKeys: true), context: .embedded, sink: sink)
            await eventually("first batch") { !sink.batches.isEmpty }
            let batch = try #require(sink.batches.first)
            #expect(batch.basis == .known && batch.keys != nil)
            #expect(sink.story.first?.split(separator: " ").map(String.init) ?? [] == story, "\(target)")
            handle.cancel()
        }
        // What has left by changing is said to be there; what is deleted is not (LS-14, LS-15).
        let sink = RecordingSink()
        _ = engine.watch(.query(low), from: WatchResumption(time: then), context: .embedded, sink: sink)
        await eventually("first batch") { !sink.batches.isEmpty }
        #expect(sink.batches[0].departed.map(\.key.path) == ["c/5"] && sink.batches[0].keys == nil)
        await engine.shutdown()
    }

    @Test("from no time, or one ahead of the database, a watch begins from nothing") // LS-4
    func fromNothing() async throws {
        let engine = try Engine.memory()
        let committed = try await engine.commit(.set("c/a")).commitTime
        for time in [DocumentVersion.none, DocumentVersion(microseconds: committed.microseconds + 1_000_000)] {
            let sink = RecordingSink()
            _ = engine.watch(.query(.collection("c")), from: WatchResumption(time: time), context: .embedded, sink: sink)
            await eventually("first batch") { !sink.batches.isEmpty }
            #expect(sink.story == ["reset +c/a"])
        }
        await engine.shutdown()
    }

    @Test("behind the change log a watch gets newer documents and all keys, if its sink supports that, or starts over")
    func tooFarBack() async throws {
        let clock = ManualClock(microseconds: 1_700_000_000_000_000)
        let engine = try Engine.open(
            EngineConfiguration(location: .memory, databaseID: testDatabase, clock: clock, logRetention: 1_000_000))
        try await engine.commit(.set("c/a"), .set("c/b"), .set("c/c"))
        let then = try await engine.watchTime(context: .embedded)
        for name in ["x", "y", "z"] {
            clock.advance(microseconds: 100_000_000)
            try await engine.commit(.set("c/\(name)"), .delete("c/a"))
        }
        let (able, unable, window) = (RecordingSink(), RecordingSink(), RecordingSink())
        _ = engine.watch(.query(.collection("c")), from: WatchResumption(time: then, wantsKeys: true), context: .embedded, sink: able)
        _ = engine.watch(.query(.collection("c")), from: WatchResumption(time: then), context: .embedded, sink: unable)
        _ = engine.watch(
            .query(.collection("c").window(limit: 2)), from: WatchResumption(time: then, wantsKeys: true), context: .embedded, sink: window)
        await eventually("first batches") { [able, unable, window].allSatisfy { !$0.batches.isEmpty } }
        #expect(able.batches[0].basis == .partial && able.story == ["+c/x +c/y +c/z"])
        #expect(able.batches[0].keys?.map(\.path) == ["c/b", "c/c", "c/x", "c/y", "c/z"])
        #expect(unable.story == ["reset +c/b +c/c +c/x +c/y +c/z"])
        #expect(window.story == ["reset +c/b +c/c"])
        await engine.shutdown()
    }

    @Test("while nothing is committed, a watch can be resumed however late")
    func idle() async throws {
        let clock = ManualClock(microseconds: 1_700_000_000_000_000)
        let engine = try Engine.open(EngineConfiguration(location: EngineStores.place(), databaseID: testDatabase, clock: clock))
        try await engine.commit(.set("c/a"), .set("c/b"))
        let then = try await engine.watchTime(context: .embedded)
        clock.advance(microseconds: 86_400_000_000)
        try await engine.commit(.set("c/c"))
        let sink = RecordingSink()
        _ = engine.watch(.query(.collection("c")), from: WatchResumption(time: then), context: .embedded, sink: sink)
        await eventually("first batch") { !sink.batches.isEmpty }
        #expect(sink.story == ["+c/c"])
        await engine.shutdown()
    }

    @Test("resumed watches and ordinary ones share a target, in either order", arguments: [true, false])
    func sharing(resumedFirst: Bool) async throws {
        let engine = try Engine.memory()
        try await engine.commit(.set("c/a"), .set("c/b"))
        let then = try await engine.watchTime(context: .embedded)
        try await engine.commit(.set("c/c"))
        let (resumed, ordinary) = (RecordingSink(), RecordingSink())
        let watchResumed = {
            _ = engine.watch(.query(.collection("c")), from: WatchResumption(time: then), context: .embedded, sink: resumed)
            await eventually("first batch") { !resumed.batches.isEmpty }
        }
        if resumedFirst { await watchResumed() }
        _ = engine.watch(.query(.collection("c")), context: .embedded, sink: ordinary)
        await eventually("first batch") { !ordinary.batches.isEmpty }
        if !resumedFirst { await watchResumed() }
        try await engine.commit(.delete("c/a"), .set("c/d"))
        await engine.settle()
        #expect(resumed.story == ["+c/c", "+c/d -c/a"])
        #expect(ordinary.story == ["reset +c/a +c/b +c/c", "+c/d -c/a"])
        // A third one receives immediately what the second one's read has found.
        let third = RecordingSink()
        _ = engine.watch(.query(.collection("c")), context: .embedded, sink: third)
        await eventually("first batch") { !third.batches.isEmpty }
        #expect(third.story == ["reset +c/b +c/c +c/d"])
        await engine.shutdown()
    }
}
