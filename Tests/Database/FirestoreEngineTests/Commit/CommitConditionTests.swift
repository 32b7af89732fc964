// SPDX-License-Identifier: Apache-2.0
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
        _ engine: Engine, _ writes: [Write], _ conditions: Condition...
    ) async throws(FirestoreError) -> CommitResponse {
        let options = CommitOptions(conditions: conditions)
        let result = await withCheckedContinuation { continuation in
            engine.submit(writes, options: options, context: .embedded) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    private static func number(_ document: Document?, _ field: String = "n") -> Int64? {
        document.flatMap { $0.fields.view[utf8: field]?.integer }
    }

    private static func figures(
        of commit: any CommitState, after previous: DocumentVersion
    ) throws(FirestoreError) -> [String: Int64?] {
        var figures: [String: Int64?] = [:]
        for name in ["a", "b", "other"] {
            let key = DocumentKey(trusted: "c/\(name)")
            let was = try commit.before(key)
            let now = try commit.after(key)
            figures.updateValue(Self.number(was), forKey: "\(name) before")
            figures.updateValue(Self.number(now), forKey: "\(name) after")
        }
        let last = try commit.after(DocumentKey(trusted: "c/a"))
        figures["a's other field"] = Self.number(last, "m")
        figures["time"] = last?.updateTime == commit.time ? 1 : 0
        // Asked again behind the writes.
        let again = try commit.before(DocumentKey(trusted: "c/a"))
        figures["a before, again"] = Self.number(again)
        figures["writes"] = Int64(commit.writes.count)
        figures["previous"] = commit.previousTime == previous ? 1 : 0
        return figures
    }

    @Test func `a condition sees every document before the commit and after all of its writes`() async throws {
        let engine = try Engine.memory()
        let before = try await engine.commit(.set("c/a", ("n", .integer(1)), ("m", .integer(7))), .set("c/other", ("n", .integer(9))))
        let seen = Mutex<[String: Int64?]>([:])
        let response = try await submit(engine, [.increment("c/a", by: 2), .set("c/b", ("n", .integer(5))), .increment("c/a", by: 3), .patch("c/b", "n", .integer(6))], Condition { commit throws(FirestoreError) in
            let all = try Self.figures(of: commit, after: before.commitTime)
            seen.withLock { $0 = all }
        })
        #expect(
            seen.withLock { $0 } == [
                "a before": 1, "a after": 6, "a's other field": 7, "b before": nil, "b after": 6, "other before": 9, "other after": 9,
                "a before, again": 1, "writes": 4, "time": 1, "previous": 1,
            ])
        #expect(try await engine.get("c/a")?.updateTime == response.commitTime)
        #expect(Self.number(try await engine.get("c/a")) == 6)
        try await engine.checkAndShutDown()
    }

    @Test func `the first that throws rejects the whole commit, with its error, and the next commit continues`() async throws {
        let engine = try Engine.memory()
        let asked = Mutex(0)
        let error = await #expect(throws: FirestoreError.self) {
            try await submit(
                engine, [.set("c/a"), .set("c/b")],
                Condition { _ throws(FirestoreError) in asked.withLock { $0 += 1 } },
                Condition { commit throws(FirestoreError) in
                    // Applied for the question, and not stored for that.
                    if try commit.after(DocumentKey(trusted: "c/a")) != nil { throw Self.denied }
                },
                Condition { _ throws(FirestoreError) in asked.withLock { $0 += 10 } })
        }
        #expect(error?.code == .permissionDenied && error?.message == "no")
        #expect(asked.withLock { $0 } == 1)
        _ = try await submit(engine, [.set("c/c")], Condition { _ throws(FirestoreError) in })
        #expect(try await engine.paths(.collection("c")) == ["c/c"])
        try await engine.checkAndShutDown()
    }

    @Test func `a write that cannot be applied is an error of "after", which a condition may put aside`() async throws {
        let engine = try Engine.memory()
        let missing = Write.patch("c/missing", "n", .integer(1), precondition: .exists(true))
        let key = DocumentKey(trusted: "c/missing")
        await expectError(.permissionDenied) {
            try await submit(engine, [missing], Condition { commit throws(FirestoreError) in
                if (try? commit.after(key)) == nil { throw Self.denied }
            })
        }
        // Let through it fails as it would have failed.
        await expectError(.notFound) {
            try await submit(engine, [missing], Condition { commit throws(FirestoreError) in _ = try? commit.after(key) })
        }
        await expectError(.notFound) { try await submit(engine, [missing], Condition { commit throws(FirestoreError) in _ = try commit.after(key) }) }
        try await engine.checkAndShutDown()
    }

    @Test func `each commit of a group is judged by the state the ones before it have left`() async throws {
        let engine = try Engine.memory()
        let key = DocumentKey(trusted: "c/count")
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await submit(engine, [.increment("c/count")], Condition { commit throws(FirestoreError) in
                            if (Self.number(try commit.before(key)) ?? 0) >= 5 { throw Self.denied }
                        })
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
        await expectError(.permissionDenied) { try await submit(engine, [], Condition { _ throws(FirestoreError) in throw Self.denied }) }
        try await engine.checkAndShutDown()
    }

    @Test func `a condition can read the changes of a scope since a moment`() async throws {
        let engine = try Engine.memory()
        let first = try await engine.commit(.set("c/a", ("n", .integer(1))), .set("d/a"))
        try await engine.commit(.set("c/a", ("n", .integer(2))))
        try await engine.commit(.set("c/b"))
        try await engine.commit(.set("d/b"))
        let changed = Mutex<[String]>([])
        _ = try await submit(engine, [.set("c/z")], Condition { commit throws(FirestoreError) in
            try commit.changes(since: first.commitTime, in: .collection(CollectionPath(trusted: "c"))) { state throws(FirestoreError) in
                changed.withLock { $0.append("\(state.key.path) was \(Self.number(state.document).map(String.init) ?? "missing")") }
                return .next
            }
        })
        #expect(changed.withLock { $0.sorted() } == ["c/a was 1", "c/b was missing"])
        try await engine.checkAndShutDown()
    }
}
