// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreEngine
import FirestoreRules
import TestSupport
import Testing

@testable import FirestoreEnforcement

/// Commits are judged inside themselves.
struct CommitTests {
    @Test func `of two commits that race, the second is judged on the result of the first`() async throws {
        // A counter that goes up by one.
        let database = try await RuledDatabase("match /c/{id} { allow write: if request.resource.data.n == resource.data.n + 1; }")
        try await database.fill(.set("c/a", ("n", .integer(0))))
        let service = database.service
        let granted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { (try? await service.commit([.set("c/a", ("n", .integer(1)))], context: .anonymous)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(granted == 1)
        await database.close()
    }

    @Test func `a commit of a group is judged on the commits before it`() async throws {
        let database = try await RuledDatabase("""
            match /members/{id} { allow create; allow delete; }
            match /posts/{id} { allow create: if exists(/databases/$(db)/documents/members/$(request.auth.uid)); }
            """)
        let service = database.service
        let results = Mutex<[Bool]>([])
        let all: [[Write]] = [
            [.set("posts/1")], [.set("members/alice")], [.set("posts/2")], [.delete("members/alice")], [.set("posts/3")],
        ]
        for writes in all {
            service.submit(writes, context: .user("alice")) { result in
                results.withLock { $0.append((try? result.get()) != nil) }
            }
        }
        await eventually("all are answered") { results.withLock { $0.count } == all.count }
        #expect(results.withLock { $0 } == [false, true, true, true, false])
        await database.close()
    }

    @Test func `a commit is judged by rules that come into force before it is applied`() async throws {
        let database = try await RuledDatabase("")
        let closed = RulesInForce.Rules.ruleSet(try RuledDatabase.ruleSet(""))
        database.rules.replace(with: .open)
        // An earlier commit, during which the rules are replaced.
        let replacing = ReplacingRules(rules: database.rules, closed)
        let results = Mutex<[Result<CommitResponse, FirestoreError>]>([])
        database.engine.submit([.set("c/a")], options: CommitOptions(conditions: [replacing]), context: .embedded) { result in
            results.withLock { $0.append(result) }
        }
        database.service.submit([.set("c/b")], context: .anonymous) { result in results.withLock { $0.append(result) } }
        replacing.go.signal()
        await eventually("both are answered") { results.withLock { $0.count } == 2 }
        let (first, second) = results.withLock { ($0.first, $0.last) }
        #expect(throws: Never.self) { try first?.get() }
        await expectError(.permissionDenied) { try second?.get() }
        await database.close()
    }

    @Test func `all rules of a commit see the state before it, and the state after it`() async throws {
        let database = try await RuledDatabase("""
            match /a/{id} { allow write: if !exists(/databases/$(db)/documents/b/1) && existsAfter(/databases/$(db)/documents/b/1); }
            match /b/{id} { allow write: if !exists(/databases/$(db)/documents/a/1) && existsAfter(/databases/$(db)/documents/a/1); }
            """)
        let service = database.service
        await expectError(.permissionDenied) { try await service.commit([.set("a/1")], context: .anonymous) }
        _ = try await service.commit([.set("a/1"), .set("b/1")], context: .anonymous)
        await expectError(.permissionDenied) { try await service.commit([.set("a/1"), .set("b/1")], context: .anonymous) }
        await database.close()
    }

    @Test func `the time of a request is the time of its commit`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow write: if request.resource.data.at == request.time; }")
        let service = database.service
        _ = try await service.commit([.transform("c/a", "at", .serverTimestamp)], context: .anonymous)
        await expectError(.permissionDenied) {
            try await service.commit([.set("c/a", ("at", .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))))], context: .anonymous)
        }
        await database.close()
    }

    @Test func `a denied commit changes nothing, and its transaction has ended`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read; allow write: if id != 'no'; }")
        let service = database.service
        let id = try await service.beginTransaction(.readWrite(retrying: nil), context: .anonymous)
        _ = try await service.documents([key("c/a")], options: .transaction(id), context: .anonymous)
        await expectError(.permissionDenied) {
            try await service.commit([.set("c/a"), .set("c/no")], in: id, context: .anonymous)
        }
        #expect(try await service.get("c/a") == nil)
        #expect(!database.engine.hasOpenTransactions)
        await database.close()
    }

    @Test func `the errors of writes are known to callers that may write`() async throws {
        let database = try await RuledDatabase("match /open/{id} { allow write; }")
        let service = database.service
        func update(_ path: String) async throws(FirestoreError) {
            _ = try await service.commit([.patch(path, "n", .null, precondition: .exists(true))], context: .anonymous)
        }
        await expectError(.notFound) { try await update("open/a") }
        await expectError(.permissionDenied) { try await update("closed/a") }
        await database.close()
    }

    @Test func `reads by rules are not reads of the transaction`() async throws {
        for query in [false, true] {
            let database = try await RuledDatabase("""
                match /c/{id} { allow read: if get(/databases/$(db)/documents/roles/x).data.n >= 0; allow write; }
                """)
            try await database.fill(.set("roles/x", ("n", .integer(0))), .set("c/a", ("n", .integer(0))))
            let service = database.service
            let id = try await service.beginTransaction(.readWrite(retrying: nil), context: .anonymous)
            if query {
                _ = try await service.run(.collection("c"), options: .transaction(id), context: .anonymous)
            } else {
                _ = try await service.documents([key("c/a")], options: .transaction(id), context: .anonymous)
            }
            try await database.fill(.set("roles/x", ("n", .integer(1))))
            _ = try await service.commit([.set("c/b")], in: id, context: .anonymous)
            await database.close()
        }
    }
}

/// Replaces the rules when the commit is checked that has this condition.
private struct ReplacingRules: CommitCondition {
    let rules: RulesInForce
    let next: RulesInForce.Rules
    let go = DispatchSemaphore(value: 0)

    init(rules: RulesInForce, _ next: RulesInForce.Rules) {
        self.rules = rules
        self.next = next
    }

    func check(_ commit: any CommitState) throws(FirestoreError) {
        _ = go.wait(timeout: .now() + 60)
        rules.replace(with: next)
    }

    var weight: Int { 0 }
}
