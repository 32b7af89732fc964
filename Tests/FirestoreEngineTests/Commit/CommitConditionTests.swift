import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// What stands in the way of a commit, asked inside it: the seam of transactions today and of security rules later.
@Suite struct CommitConditionTests {
    /// A condition that is a closure.
    private struct Condition: CommitCondition {
        let body: @Sendable (any CommitState) throws(FirestoreError) -> Void
        var weight: Int { 64 }
        func check(_ commit: any CommitState) throws(FirestoreError) { try body(commit) }
    }

    private static let denied = FirestoreError(.permissionDenied, "no")

    private func submit(
        _ engine: Engine, _ writes: [Write], _ conditions: (@Sendable (any CommitState) throws(FirestoreError) -> Void)...
    ) async throws(FirestoreError) -> CommitResponse {
        let options = CommitOptions(conditions: conditions.map { Condition(body: $0) })
        let result = await withCheckedContinuation { continuation in
            engine.submit(writes, options: options, context: .embedded) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    private static func number(_ document: Document?, _ field: String = "n") -> Int64? {
        document.flatMap { $0.fields.view[utf8: field]?.integer }
    }

    @Test func `it sees every document before the commit and after all of its writes`() async throws {
        let engine = try Engine.memory()
        let before = try await engine.commit(.set("c/a", ("n", .integer(1)), ("m", .integer(7))), .set("c/other", ("n", .integer(9))))
        let seen = Mutex<[String: Int64?]>([:])
        let (a, b, other) = (DocumentKey(trusted: "c/a"), DocumentKey(trusted: "c/b"), DocumentKey(trusted: "c/other"))
        let response = try await submit(
            engine, [.increment("c/a", by: 2), .set("c/b", ("n", .integer(5))), .increment("c/a", by: 3), .patch("c/b", "n", .integer(6))]
        ) { commit throws(FirestoreError) in
            let (aBefore, aAfter) = (try commit.before(a), try commit.after(a))
            let figures = [
                "a before": Self.number(aBefore), "a after": Self.number(aAfter), "a's other field": Self.number(aAfter, "m"),
                "b before": Self.number(try commit.before(b)), "b after": Self.number(try commit.after(b)),
                "other before": Self.number(try commit.before(other)), "other after": Self.number(try commit.after(other)),
                // Asked again behind the writes.
                "a before, again": Self.number(try commit.before(a)), "writes": Int64(commit.writes.count),
                "time": aAfter?.updateTime == commit.time ? 1 : 0, "previous": commit.previousTime == before.commitTime ? 1 : 0,
            ]
            seen.withLock { $0 = figures }
        }
        #expect(
            seen.withLock { $0 } == [
                "a before": 1, "a after": 6, "a's other field": 7, "b before": nil, "b after": 6, "other before": 9, "other after": 9,
                "a before, again": 1, "writes": 4, "time": 1, "previous": 1,
            ])
        #expect(try await engine.get("c/a")?.updateTime == response.commitTime)
        #expect(Self.number(try await engine.get("c/a")) == 6)
        try await engine.checkAndShutDown()
    }

    @Test func `the first that throws refuses the whole commit, with its error, and the next commit goes on`() async throws {
        let engine = try Engine.memory()
        let asked = Mutex(0)
        let error = await #expect(throws: FirestoreError.self) {
            try await submit(
                engine, [.set("c/a"), .set("c/b")],
                { _ throws(FirestoreError) in asked.withLock { $0 += 1 } },
                { commit throws(FirestoreError) in
                    // Applied for the question, and not stored for that.
                    if try commit.after(DocumentKey(trusted: "c/a")) != nil { throw Self.denied }
                },
                { _ throws(FirestoreError) in asked.withLock { $0 += 10 } })
        }
        #expect(error?.code == .permissionDenied && error?.message == "no")
        #expect(asked.withLock { $0 } == 1)
        _ = try await submit(engine, [.set("c/c")]) { _ throws(FirestoreError) in }
        #expect(try await engine.paths(.collection("c")) == ["c/c"])
        try await engine.checkAndShutDown()
    }

    @Test func `a write that cannot be applied is an error of "after", which a condition may put aside`() async throws {
        let engine = try Engine.memory()
        let missing = Write.patch("c/missing", "n", .integer(1), precondition: .exists(true))
        let key = DocumentKey(trusted: "c/missing")
        await expectError(.permissionDenied) {
            try await submit(engine, [missing]) { commit throws(FirestoreError) in
                if (try? commit.after(key)) == nil { throw Self.denied }
            }
        }
        // Let through it fails as it would have failed.
        await expectError(.notFound) {
            try await submit(engine, [missing]) { commit throws(FirestoreError) in _ = try? commit.after(key) }
        }
        await expectError(.notFound) { try await submit(engine, [missing]) { commit throws(FirestoreError) in _ = try commit.after(key) } }
        try await engine.checkAndShutDown()
    }

    @Test func `each commit of a group is judged by the state the ones before it have left`() async throws {
        let engine = try Engine.memory()
        let key = DocumentKey(trusted: "c/count")
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await submit(engine, [.increment("c/count")]) { commit throws(FirestoreError) in
                            if (Self.number(try commit.before(key)) ?? 0) >= 5 { throw Self.denied }
                        }
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(outcomes == 5)
        #expect(Self.number(try await engine.get("c/count")) == 5)
        try await engine.checkAndShutDown()
    }

    @Test func `a commit without writes is asked too`() async throws {
        let engine = try Engine.memory()
        await expectError(.permissionDenied) { try await submit(engine, []) { _ throws(FirestoreError) in throw Self.denied } }
        try await engine.checkAndShutDown()
    }

    @Test func `it can look at what has changed in a scope since a moment`() async throws {
        let engine = try Engine.memory()
        let first = try await engine.commit(.set("c/a", ("n", .integer(1))), .set("d/a"))
        try await engine.commit(.set("c/a", ("n", .integer(2))))
        try await engine.commit(.set("c/b"))
        try await engine.commit(.set("d/b"))
        let changed = Mutex<[String]>([])
        _ = try await submit(engine, [.set("c/z")]) { commit throws(FirestoreError) in
            try commit.changes(since: first.commitTime, in: .collection(CollectionPath(trusted: "c"))) { state throws(FirestoreError) in
                changed.withLock { $0.append("\(state.key.path) was \(Self.number(state.document).map(String.init) ?? "missing")") }
                return .next
            }
        }
        #expect(changed.withLock { $0.sorted() } == ["c/a was 1", "c/b was missing"])
        try await engine.checkAndShutDown()
    }
}
