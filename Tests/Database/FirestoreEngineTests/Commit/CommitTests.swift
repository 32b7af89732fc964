// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct CommitTests {
    @Test("a commit is there when it is acknowledged, and its times are the commit time (WR-16, WR-17)")
    func simple() async throws {
        let engine = try Engine.memory(clock: ManualClock(microseconds: 1_000_500))
        let first = try await engine.commit(.set("c/a", ("n", .integer(1))))
        #expect(first.commitTime.microseconds == 1_000_500)
        #expect(first.results.map(\.updateTime) == [first.commitTime])
        let second = try await engine.commit(.set("c/a", ("n", .integer(2))), .delete("c/missing"))
        let document = try #require(try await engine.get("c/a"))
        #expect(document.createTime == first.commitTime)
        #expect(document.updateTime == second.commitTime)
        #expect(second.results.map(\.updateTime) == [second.commitTime, nil])  // WR-20
        try await engine.checkAndShutDown()
    }

    @Test("a commit that writes a large document again and again is refused, and one with few such writes is not (WR-14)")
    func repeated() async throws {
        let engine = try Engine.memory(clock: ManualClock(microseconds: 1_000_500))
        _ = try await engine.commit(.set("c/a", ("b", .bytes([UInt8](repeating: 1, count: 1_000_000)))))
        func increments(_ count: Int) -> [Write] { (0..<count).map { _ in .increment("c/a") } }
        _ = try await engine.commit(increments(20), context: .embedded)
        let most = CommitApplication.mostRepeatedBytes / 1_000_000 + 2
        await expectError(.invalidArgument, mentioning: "again and again", "c/a") {
            try await engine.commit(increments(most), context: .embedded)
        }
        let document = try #require(try await engine.get("c/a"))
        #expect(try document.fields.map["n"].map { ValueBytes($0) } == ValueBytes(.integer(20)))
        try await engine.checkAndShutDown()
    }

    @Test("commit times grow though the clock stands still or jumps back, also over reopening (WR-18)")
    func clock() async throws {
        let directory = try ScratchFolder()
        let clock = ManualClock(microseconds: 5_000_000)
        var engine = try Engine.file(directory.file(), clock: clock)
        var times: [Int64] = []
        func commit() async throws {
            times.append(try await engine.commit(.set("c/a", ("n", .integer(Int64(times.count))))).commitTime.microseconds)
        }
        try await commit()
        try await commit()
        clock.set(microseconds: 1_000)
        try await commit()
        try await engine.checkAndShutDown()
        engine = try Engine.file(directory.file(), clock: clock)
        try await commit()
        clock.set(microseconds: 9_000_000)
        try await commit()
        #expect(times == [5_000_000, 5_000_001, 5_000_002, 5_000_003, 9_000_000])
        try await engine.checkAndShutDown()
    }

    @Test("server timestamps are milliseconds and equal in one commit (WR-32)")
    func requestTime() async throws {
        let engine = try Engine.memory(clock: ManualClock(microseconds: 1_234_567))
        let transform = FieldTransform(path: FieldPathSegments("at"), kind: .serverTimestamp)
        let writes = ["c/a", "c/b"].map {
            Write(key: DocumentKey(trusted: $0), operation: .set(.empty), transforms: [transform])
        }
        _ = try await engine.commit(writes, context: .embedded)
        for path in ["c/a", "c/b"] {
            guard case .timestamp(let time)? = try await engine.get(path)?.fields.map["at"] else {
                Issue.record("no timestamp in \(path)")
                continue
            }
            #expect(time.microsecondsSince1970 == 1_234_000)
        }
        try await engine.checkAndShutDown()
    }

    @Test("later writes of a commit see earlier ones; delete and set again is a new document (WR-13, WR-17)")
    func insideOneCommit() async throws {
        let engine = try Engine.memory()
        let first = try await engine.commit(
            .set("c/a", ("n", .integer(1)), precondition: .exists(false)), .increment("c/a", "n"), .increment("c/a", "n"))
        #expect(try await engine.get("c/a")?.fields == FieldBytes(FieldMap([("n", .integer(3))])))
        let second = try await engine.commit(.delete("c/a"), .set("c/a", ("n", .integer(9))))
        #expect(try await engine.get("c/a")?.createTime == second.commitTime)
        #expect(first.commitTime < second.commitTime)
        try await engine.commit(.set("c/x"), .delete("c/x"))
        #expect(try await engine.get("c/x") == nil)
        try await engine.checkAndShutDown()
    }

    @Test("a failed commit leaves no trace, and the other commits of its group are applied (WR-21)")
    func groupWithFailure() async throws {
        let engine = try Engine.memory()
        let hold = CommitterHold(engine)
        let log = Mutex<[String]>([])
        @Sendable func note(_ name: String, _ result: Result<CommitResponse, FirestoreError>) {
            log.withLock { log in
                switch result {
                case .success: log.append(name + " ok")
                case .failure(let error): log.append("\(name) \(error.code)")
                }
            }
        }
        let commits: [(String, [Write])] = [
            ("first", [.set("c/a")]),
            ("second", [.set("new/b"), .set("c/a", precondition: .exists(false))]),
            ("third", [.set("new/c"), .set("c/a", ("seen", .boolean(true)), precondition: .exists(true))]),
            ("fourth", []),
            ("fifth", [Write(key: DocumentKey(trusted: "c/none"), operation: .verify, precondition: .exists(true))]),
            ("sixth", [.set("c/bad id/"), .set("__reserved__/x")]),
        ]
        for (name, writes) in commits { engine.submit(writes, context: .embedded) { note(name, $0) } }
        hold.release()
        await engine.settle()
        #expect(
            log.withLock { $0 } == [
                "first ok", "second alreadyExists", "third ok", "fourth ok", "fifth notFound", "sixth invalidArgument",
            ])
        #expect(try await engine.get("new/b") == nil)
        #expect(try await engine.get("new/c") != nil)
        #expect(try await engine.get("c/a")?.fields == FieldBytes(FieldMap([("seen", .boolean(true))])))
        try await engine.checkAndShutDown()
    }

    @Test("a commit that fails while it is stored leaves no trace, alone and among others (WR-21)")
    func failureWhileStoring() async throws {
        let folder = try ScratchFolder()
        let engine = try Engine.file(folder.file())
        let store = try #require(engine.core.store as? SQLiteStore)
        try store.write { (transaction) throws(FirestoreError) in
            try transaction.statement(
                """
                CREATE TRIGGER refuse BEFORE INSERT ON documents WHEN instr(new.id, CAST('refused' AS BLOB))
                BEGIN SELECT RAISE(ABORT, 'refused'); END
                """
            ).run()
        }
        await expectError(.internal) { try await engine.commit(.set("c/a"), .set("c/refused"), .set("c/b")) }
        #expect(try await engine.get("c/a") == nil)

        let hold = CommitterHold(engine)
        let results = Mutex<[Bool]>([])
        for writes in [[Write.set("c/first")], [.set("c/a"), .set("c/refused")], [.set("c/last")]] {
            engine.submit(writes, context: .embedded) { result in results.withLock { $0.append((try? result.get()) != nil) } }
        }
        hold.release()
        await engine.settle()
        #expect(results.withLock { $0 } == [true, false, true])
        #expect(try await engine.get("c/a") == nil)
        #expect(try await engine.get("c/first") != nil)
        #expect(try await engine.get("c/last") != nil)

        try await engine.commit(.set("c/a"))
        #expect(try await engine.get("c/a") != nil)
        try await engine.checkAndShutDown()
    }

    @Test("a write that changes nothing preserves the update time and notifies no watch (WR-22)")
    func noOperation() async throws {
        let engine = try Engine.memory()
        let first = try await engine.commit(.set("c/a", ("n", .integer(1))))
        let sink = RecordingSink()
        let watch = engine.watch(.document(DocumentKey(trusted: "c/a")), context: .embedded, sink: sink)
        await eventually("first state") { sink.batches.count == 1 }
        let second = try await engine.commit(.set("c/a", ("n", .integer(1))))
        #expect(second.results.map(\.updateTime) == [first.commitTime])
        #expect(second.commitTime > first.commitTime)
        await engine.settle()
        #expect(sink.batches.count == 1)
        watch.cancel()
        try await engine.checkAndShutDown()
    }

    @Test("a document whose commit leaves it unchanged preserves its update time, unless it was deleted in between (WR-17, WR-22)")
    func thereAndBack() async throws {
        let engine = try Engine.memory()
        let first = try await engine.commit(.set("c/a", ("n", .integer(1))), .set("c/b", ("n", .integer(1))))
        let sink = RecordingSink()
        let watch = engine.watch(.document(DocumentKey(trusted: "c/a")), context: .embedded, sink: sink)
        await eventually("first state") { sink.batches.count == 1 }
        let second = try await engine.commit(
            .set("c/a", ("n", .integer(2))), .set("c/b", ("n", .integer(2))), .set("c/a", ("n", .integer(1))))
        #expect(second.results.map(\.updateTime) == [first.commitTime, second.commitTime, first.commitTime])
        #expect(try await engine.get("c/a")?.updateTime == first.commitTime)
        await engine.settle()
        #expect(sink.batches.count == 1)
        let third = try await engine.commit(.delete("c/a"), .set("c/a", ("n", .integer(1))))
        #expect(third.results.map(\.updateTime) == [nil, third.commitTime])
        #expect(try await engine.get("c/a")?.createTime == third.commitTime)
        watch.cancel()
        try await engine.checkAndShutDown()
    }

    @Test("a database without commits has a time, which lies before the first commit (QR-45)")
    func timeOfAnEmptyDatabase() async throws {
        let engine = try Engine.memory()
        let empty = try await engine.run(.collection("c"), context: .embedded)
        #expect(empty.readTime > .none)
        let first = try await engine.commit(.set("c/a"))
        #expect(first.commitTime > empty.readTime)
        try await engine.checkAndShutDown()
    }

    @Test("an empty commit answers without a time and without effect (WR-19)")
    func empty() async throws {
        let engine = try Engine.memory()
        let before = try await engine.commit(.set("c/a")).commitTime
        let response = try await engine.commit()
        #expect(response.commitTime == .none)
        #expect(response.results.isEmpty)
        #expect(try await engine.documents([], context: .embedded).readTime == before)
        try await engine.checkAndShutDown()
    }

    @Test("completions come in call order and reads see every submit before them")
    func order() async throws {
        let engine = try Engine.memory()
        let order = Mutex<[Int]>([])
        for number in 0..<300 {
            engine.submit([.increment("c/n", "n")], context: .embedded) { _ in order.withLock { $0.append(number) } }
        }
        #expect(try await engine.get("c/n")?.fields == FieldBytes(FieldMap([("n", .integer(300))])))
        await engine.settle()
        #expect(order.withLock { $0 } == Array(0..<300))
        try await engine.checkAndShutDown()
    }

    @Test("behind a commit that fails none of the same sequence is applied, in this group or later; others are (LS-39)")
    func sequences() async throws {
        let engine = try Engine.memory()
        let sequence = WriteSequence(streamID: "s")
        let inSequence = CommitOptions(place: SequencePlace(sequence, number: 1))
        let log = Mutex<[String]>([])
        func submit(_ path: String, _ options: CommitOptions, _ precondition: Precondition? = nil) {
            engine.submit([.set(path, precondition: precondition)], options: options, context: .embedded) { result in
                let outcome = if case .failure(let error) = result { "\(error.code)" } else { "ok" }
                log.withLock { $0.append("\(path) \(outcome)") }
            }
        }
        let hold = CommitterHold(engine)
        submit("c/1", inSequence)
        submit("c/2", inSequence, .exists(true))
        submit("c/3", inSequence)
        submit("c/4", CommitOptions())
        submit("c/5", CommitOptions(place: SequencePlace(WriteSequence(streamID: "t"), number: 1)))
        hold.release()
        await engine.settle()
        #expect(sequence.hasFailed)
        submit("c/6", inSequence)
        await engine.settle()
        #expect(log.withLock { $0 } == ["c/1 ok", "c/2 notFound", "c/3 aborted", "c/4 ok", "c/5 ok", "c/6 aborted"])
        #expect(try await engine.paths(.collection("c")) == ["c/1", "c/4", "c/5"])
        try await engine.checkAndShutDown()
    }

    @Test("a sequence fails with a commit that is rejected, too late, or too much for the database (LS-39)")
    func sequencesThatFail() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        try await engine.commit(.set("c/before"))
        try engine.limitSize(toPages: 24)
        let large = Write.set("c/large", ("b", .bytes([UInt8](repeating: 1, count: 900_000))))
        let rows: [(FirestoreError.Code, Write, ContinuousClock.Instant?)] = [
            (.invalidArgument, .set("c/__x__"), nil), (.deadlineExceeded, .set("c/x"), .now - .seconds(1)),
            (.resourceExhausted, large, nil),
        ]
        for (code, write, deadline) in rows {
            let sequence = WriteSequence(streamID: "s")
            func commit(_ write: Write, number: Int64, before deadline: ContinuousClock.Instant?) async throws {
                let result = await withCheckedContinuation { continuation in
                    engine.submit(
                        [write], options: CommitOptions(place: SequencePlace(sequence, number: number)),
                        context: RequestContext(caller: .administrator, deadline: deadline)
                    ) { continuation.resume(returning: $0) }
                }
                _ = try result.get()
            }
            await expectError(code) { try await commit(write, number: 1, before: deadline) }
            #expect(sequence.hasFailed, "\(code)")
            await expectError(.aborted) { try await commit(.set("c/behind"), number: 2, before: nil) }
        }
        #expect(try await engine.paths(.collection("c")) == ["c/before"])
        try engine.limitSize(toPages: nil)
        try await engine.checkAndShutDown()
    }

    @Test("a full line makes the caller wait; everything arrives", arguments: [1, 3])
    func bounded(limit: Int) async throws {
        let engine = try Engine.memory(queue: CommitQueueLimits(bytes: 500, commits: limit))
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<3 {
                group.addTask {
                    for number in 0..<50 {
                        engine.submit([.set("c/\(task)-\(number)", ("t", .string("text")))], context: .embedded) { _ in }
                    }
                }
            }
        }
        #expect(try await engine.paths(.collection("c")).count == 150)
        try await engine.checkAndShutDown()
    }

    @Test("a callback of the service may submit, whatever the line holds")
    func submitFromCallback() async throws {
        let engine = try Engine.memory(queue: CommitQueueLimits(bytes: 1, commits: 1))
        engine.submit([.set("c/0")], context: .embedded) { _ in
            for number in 1...20 { engine.submit([.set("c/\(number)")], context: .embedded) { _ in } }
        }
        try await eventually("all there") { try await engine.paths(.collection("c")).count == 21 }
        try await engine.checkAndShutDown()
    }

    @Test("a passed deadline is deadlineExceeded, before and in the line")
    func deadline() async throws {
        let engine = try Engine.memory()
        let past = RequestContext(caller: .administrator, deadline: .now - .seconds(1))
        await expectError(.deadlineExceeded) { try await engine.commit([.set("c/a")], context: past) }
        await expectError(.deadlineExceeded) { try await engine.documents([], context: past) }
        await expectError(.deadlineExceeded) { try await engine.run(.collection("c"), context: past) }
        let sink = RecordingSink()
        _ = engine.watch(.query(.collection("c")), context: past, sink: sink)
        await eventually("refusal") { sink.errors.map(\.code) == [.deadlineExceeded] }
        let hold = CommitterHold(engine)
        let soon = RequestContext(caller: .administrator, deadline: .now + .milliseconds(20))
        let code = Mutex<FirestoreError.Code?>(nil)
        engine.submit([.set("c/a")], context: soon) { result in
            if case .failure(let error) = result { code.withLock { $0 = error.code } }
        }
        await eventually("deadline passed") { soon.deadline! < .now }
        hold.release()
        await engine.settle()
        #expect(code.withLock { $0 } == .deadlineExceeded)
        #expect(try await engine.get("c/a") == nil)
        try await engine.checkAndShutDown()
    }

    @Test("a full database rejects what does not fit, keeps its data, and accepts writes again when there is space")
    func full() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        try await engine.commit(.set("c/before"))
        let sink = RecordingSink()
        _ = engine.watch(.query(.collection("c")), context: .embedded, sink: sink)
        await eventually("first state") { sink.batches.count == 1 }
        try engine.limitSize(toPages: 24)
        let large = Value.bytes([UInt8](repeating: 1, count: 900_000))
        let hold = CommitterHold(engine)
        let log = Mutex<[String]>([])
        for (name, writes) in [
            ("large", [.set("c/x"), .set("c/large", ("b", large))]), ("small", [.set("c/small")]),
        ] as [(String, [Write])] {
            engine.submit(writes, context: .embedded) { result in
                switch result {
                case .success: log.withLock { $0.append(name + " ok") }
                case .failure(let error): log.withLock { $0.append("\(name) \(error.code)") }
                }
            }
        }
        hold.release()
        await engine.settle()
        #expect(log.withLock { $0.first } == "large resourceExhausted")
        #expect(try await engine.get("c/before") != nil)
        #expect(try await engine.get("c/x") == nil)
        #expect(!sink.story.joined().contains("c/x"))
        try engine.limitSize(toPages: nil)
        try await engine.commit(.set("c/large", ("b", large)))
        #expect(try await engine.get("c/large") != nil)
        try await engine.checkAndShutDown()
    }
}
