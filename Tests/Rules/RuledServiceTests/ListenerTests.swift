// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEnforcement
@testable import FirestoreRules

/// Listeners are judged at their start and while they last.
struct ListenerTests {
    static let role = "get(/databases/$(db)/documents/roles/$(request.auth.uid)).data.role == 'reader'"

    /// Listens, and waits for the first state.
    static func listen(
        _ target: WatchTarget, _ database: RuledDatabase, as context: RequestContext, from resumption: WatchResumption? = nil
    ) async -> RecordingSink {
        let sink = RecordingSink()
        _ = database.service.watch(target, from: resumption, context: context, sink: sink)
        await eventually("the first state") { !sink.batches.isEmpty || !sink.errors.isEmpty }
        return sink
    }

    static func expectDenied(_ sink: RecordingSink, location: SourceLocation = #_sourceLocation) async {
        await eventually("a denial", location: location) { !sink.errors.isEmpty }
        #expect(sink.errors.map(\.code) == [.permissionDenied], sourceLocation: location)
        #expect(sink.complaints == [], sourceLocation: location)
    }

    @Test(arguments: [false, true])
    func `a document is judged again with every change`(onFile: Bool) async throws {
        let database = try await RuledDatabase("match /c/{id} { allow get: if resource.data.owner == request.auth.uid; }", onFile: onFile)
        try await database.fill(.set("c/a", ("owner", .string("alice"))))
        let sink = await Self.listen(.document(key("c/a")), database, as: .user("alice"))
        #expect(sink.story == ["reset +c/a"])
        try await database.fill(.set("c/a", ("owner", .string("alice")), ("n", .integer(1))))
        await eventually("the change") { sink.batches.count == 2 }
        try await database.fill(.set("c/a", ("owner", .string("bob"))))
        await Self.expectDenied(sink)
        try await database.fill(.set("c/a", ("owner", .string("alice"))))
        _ = try await database.service.watchTime(context: .embedded)
        #expect(sink.batches.count == 2)
        await database.close()
    }

    @Test func `a resumed document that has not changed is judged on its state`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow get: if resource.data.owner == request.auth.uid; }")
        try await database.fill(.set("c/a", ("owner", .string("alice"))))
        let first = await Self.listen(.document(key("c/a")), database, as: .user("alice"))
        let resumption = WatchResumption(token: try #require(first.batches.last).token)
        let again = await Self.listen(.document(key("c/a")), database, as: .user("alice"), from: resumption)
        #expect(again.errors.isEmpty)
        let stranger = await Self.listen(.document(key("c/a")), database, as: .user("mallory"), from: resumption)
        await Self.expectDenied(stranger)
        await database.close()
    }

    @Test(arguments: [false, true])
    func `a changed role ends listeners, and nothing of the same commit or a later one gets out`(onFile: Bool) async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read: if \(Self.role); }", onFile: onFile)
        try await database.fill(.set("roles/alice", ("role", .string("reader"))), .set("c/a", ("n", .integer(0))))
        let targets: [WatchTarget] = [.query(.collection("c")), .document(key("c/a"))]
        var sinks: [RecordingSink] = []
        for target in targets { sinks.append(await Self.listen(target, database, as: .user("alice"))) }
        try await database.fill(.set("c/a", ("n", .integer(1))))
        await eventually("the change") { sinks.allSatisfy { $0.batches.count == 2 } }
        // The role and a document in one commit, and a document after it.
        _ = try await database.engine.commit(
            [.set("c/a", ("n", .integer(2))), .set("roles/alice", ("role", .string("none")))], context: .embedded)
        try await database.fill(.set("c/a", ("n", .integer(3))))
        for sink in sinks {
            await Self.expectDenied(sink)
            #expect(sink.documents[key("c/a")]?.text("n") == "integer(1)")
        }
        await database.close()
    }

    @Test func `a role that changes without any other change ends listeners`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read: if \(Self.role); }")
        try await database.fill(.set("roles/alice", ("role", .string("reader"))))
        let sink = await Self.listen(.query(.collection("c")), database, as: .user("alice"))
        try await database.fill(.delete("roles/alice"))
        await Self.expectDenied(sink)
        #expect(database.enforcement.documents.count == 0)
        await database.close()
    }

    @Test func `a document that becomes public with the commit that takes the role is not denied in between`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read: if resource.data.open == true || \(Self.role); }", onFile: true)
        try await database.fill(.set("roles/alice", ("role", .string("reader"))), .set("c/a"))
        let sink = await Self.listen(.document(key("c/a")), database, as: .user("alice"))
        _ = try await database.engine.commit(
            [.set("roles/alice", ("role", .string("none"))), .set("c/a", ("open", .boolean(true)))], context: .embedded)
        await eventually("the change") { sink.batches.count == 2 }
        try await database.fill(.set("c/a"))
        await Self.expectDenied(sink)
        #expect(sink.batches.count == 2)
        await database.close()
    }

    @Test(arguments: [false, true])
    func `listeners share the watch of a document that their rules read`(onFile: Bool) async throws {
        let database = try await RuledDatabase("match /{c}/{id} { allow read: if \(Self.role); }", onFile: onFile)
        try await database.fill(.set("roles/alice", ("role", .string("reader"))))
        var sinks: [RecordingSink] = []
        for number in 0..<50 { sinks.append(await Self.listen(.query(.collection("c\(number)")), database, as: .user("alice"))) }
        #expect(database.enforcement.documents.count == 1)
        try await database.fill(.set("c7/a"))
        await eventually("the change") { sinks[7].paths == ["c7/a"] }
        try await database.fill(.set("roles/alice", ("role", .string("reader")), ("n", .integer(1))))
        try await database.fill(.set("c8/a"))
        await eventually("the change") { sinks[8].paths == ["c8/a"] }
        try await database.fill(.set("roles/alice", ("role", .string("none"))))
        for sink in sinks { await Self.expectDenied(sink) }
        #expect(database.enforcement.documents.count == 0)
        await database.close()
    }

    @Test(arguments: [false, true])
    func `a query is not judged again while nothing changes that its judgement relies on`(onFile: Bool) async throws {
        let database = try await RuledDatabase("match /{c}/{id} { allow read: if \(Self.role); }", onFile: onFile, countsCoverage: true)
        try await database.fill(.set("roles/alice", ("role", .string("reader"))))
        var sinks: [RecordingSink] = []
        for number in 0..<20 { sinks.append(await Self.listen(.query(.collection("c\(number)")), database, as: .user("alice"))) }
        func judgements() -> Int {
            database.rules.current.coverage?.current.statements.values.reduce(0) { $0 + $1.total } ?? 0
        }
        let before = judgements()
        #expect(before == 20)
        for number in 0..<10 { try await database.fill(.set("other/\(number)"), .set("c0/\(number)")) }
        await eventually("the changes") { sinks[0].documents.count == 10 }
        _ = try await database.service.watchTime(context: .user("alice"))
        #expect(judgements() == before)
        // The same role in another document is a change.
        try await database.fill(.set("roles/alice", ("role", .string("reader")), ("n", .integer(1))))
        await eventually("all are judged again") { judgements() == before + 20 }
        await database.close()
    }

    @Test func `new rules judge listeners immediately`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read; }")
        try await database.fill(.set("c/a"))
        let sink = await Self.listen(.query(.collection("c")), database, as: .anonymous)
        let other = await Self.listen(.document(key("c/a")), database, as: .user("alice"))
        try database.replaceRules("match /c/{id} { allow read: if request.auth != null; }")
        try await database.fill(.set("c/b"))
        await Self.expectDenied(sink)
        #expect(sink.paths == ["c/a"])
        try await database.fill(.set("c/a", ("n", .integer(1))))
        await eventually("the change") { other.batches.count == 2 }
        #expect(other.errors.isEmpty)
        await database.close()
    }

    @Test func `a caller whose token has changed is judged again`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read: if request.auth.token.admin == true; }")
        let sink = await Self.listen(.query(.collection("c")), database, as: .user("alice", ("admin", .boolean(true))))
        database.service.judgeListeners(as: .user(id: "alice", claims: FieldMap([("admin", .boolean(true)), ("n", .integer(1))])))
        try await database.fill(.set("c/a"))
        await eventually("the change") { sink.paths == ["c/a"] }
        database.service.judgeListeners(as: .anonymous)
        await Self.expectDenied(sink)
        await database.close()
    }

    @Test func `a condition on the time ends listeners as time passes`() async throws {
        let clock = ManualClock(microseconds: 1_750_000_000_000_000)
        let database = try await RuledDatabase(
            "match /c/{id} { allow read: if request.time < timestamp.value(1750000060000); }", clock: clock)
        let idle = await Self.listen(.query(.collection("idle")), database, as: .embedded)
        let sink = await Self.listen(.query(.collection("c")), database, as: .anonymous)
        try await database.fill(.set("c/a"))
        await eventually("the change") { sink.paths == ["c/a"] }
        clock.advance(microseconds: 61_000_000)
        database.enforcement.timePassed()
        await Self.expectDenied(sink)
        #expect(idle.errors.isEmpty)
        await database.close()
    }

    @Test func `a change after the end of the time that a condition allows is not delivered`() async throws {
        let clock = ManualClock(microseconds: 1_750_000_000_000_000)
        let database = try await RuledDatabase(
            "match /c/{id} { allow read: if request.time < timestamp.value(1750000060000); }", clock: clock)
        let sink = await Self.listen(.query(.collection("c")), database, as: .anonymous)
        clock.advance(microseconds: 61_000_000)
        // Before listeners are judged because time has passed.
        try await database.fill(.set("c/a"))
        await Self.expectDenied(sink)
        #expect(sink.paths == [])
        await database.close()
    }

    @Test func `a document that leaves a result is shown only to callers that may get it`() async throws {
        let database = try await RuledDatabase("""
            match /c/{id} { allow list: if resource.data.open == true; allow get: if resource.data.owner == request.auth.uid; }
            """)
        func document(_ path: String, open: Bool, owner: String) -> Write {
            .set(path, ("open", .boolean(open)), ("owner", .string(owner)))
        }
        try await database.fill(document("c/a", open: true, owner: "alice"), document("c/b", open: true, owner: "bob"))
        let sink = await Self.listen(
            .query(.collection("c").filter("open", .equal, .boolean(true))), database, as: .user("alice"))
        try await database.fill(document("c/a", open: false, owner: "alice"), document("c/b", open: false, owner: "bob"))
        await eventually("the change") { sink.batches.count == 2 }
        #expect(sink.story.last == "-c/a -c/b")
        #expect(sink.batches.last?.departed.map(\.key.path) == ["c/a"])
        #expect(sink.batches.last?.withheld.map(\.path) == ["c/b"])
        await database.close()
    }

    @Test(arguments: [false, true])
    func `a round is over when its batches are delivered`(onFile: Bool) async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read: if \(Self.role); }", onFile: onFile)
        try await database.fill(.set("roles/alice", ("role", .string("reader"))))
        let session = try database.service.session()
        let sink = RecordingSink()
        let missed = Mutex<[DocumentVersion]>([])
        let rounds = session.watchRounds(context: .user("alice")) { time in
            // What was committed up to now is there.
            let last = sink.batches.last?.readTime ?? .none
            if last != time { missed.withLock { $0.append(time) } }
        }
        _ = session.watch(.query(.collection("c")), context: .user("alice"), sink: sink)
        await eventually("the first state") { !sink.batches.isEmpty }
        for number in 0..<50 { try await database.fill(.set("c/\(number)")) }
        let time = try await session.watchTime(context: .user("alice"))
        #expect(sink.documents.count == 50)
        #expect(sink.batches.last?.readTime == time)
        #expect(missed.withLock { $0 } == [])
        rounds.cancel()
        await session.shutdown()
        await database.close()
    }

    @Test(arguments: [false, true])
    func `a secret that is never there while the role is held never gets out`(onFile: Bool) async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read: if \(Self.role); }", onFile: onFile)
        let engine = database.engine
        try await database.fill(.set("roles/alice", ("role", .string("reader"))))
        let writing = Task {
            for round in 0..<TestScale.pick(quick: 400, full: 10_000) {
                let isReader = round % 2 == 1
                let writes: [Write] = [
                    isReader ? .delete("c/secret") : .set("c/secret"),
                    .set("roles/alice", ("role", .string(isReader ? "reader" : "none")), ("n", .integer(Int64(round)))),
                ]
                _ = try await engine.commit(round % 4 < 2 ? writes : writes.reversed(), context: .embedded)
            }
        }
        var sinks: [RecordingSink] = []
        for number in 0..<200 {
            let sink = RecordingSink()
            let target: WatchTarget = number % 2 == 0 ? .query(.collection("c")) : .document(key("c/secret"))
            _ = database.service.watch(target, context: .user("alice"), sink: sink)
            sinks.append(sink)
            await Task.yield()
        }
        try await writing.value
        await eventually("every listener is answered") { sinks.allSatisfy { !$0.batches.isEmpty || !$0.errors.isEmpty } }
        for sink in sinks {
            #expect(sink.batches.flatMap(\.changes).allSatisfy { if case .update = $0 { false } else { true } })
            #expect(sink.errors.allSatisfy { $0.code == .permissionDenied })
            #expect(sink.complaints == [])
        }
        await database.close()
    }

    @Test(arguments: [false, true])
    func `a burst of commits reaches a listener whose rules read a role`(onFile: Bool) async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read: if \(Self.role); }", onFile: onFile)
        try await database.fill(.set("roles/alice", ("role", .string("reader"))))
        let sinks = [
            await Self.listen(.query(.collection("c")), database, as: .user("alice")),
            await Self.listen(.document(key("c/5")), database, as: .user("alice")),
        ]
        let answered = Mutex(0)
        for number in 0..<3_000 {
            database.engine.submit([.set("c/\(number % 10)", ("n", .integer(Int64(number))))], context: .embedded) { _ in
                answered.withLock { $0 += 1 }
            }
        }
        await eventually("all are committed") { answered.withLock { $0 } == 3_000 }
        _ = try await database.service.watchTime(context: .user("alice"))
        #expect(sinks.allSatisfy { $0.errors.isEmpty && $0.complaints.isEmpty })
        #expect(sinks.allSatisfy { $0.documents[key("c/5")]?.text("n") == "integer(2995)" })
        await database.close()
    }

    @Test func `a cancelled listener receives nothing more and leaves nothing behind`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read: if \(Self.role); }")
        try await database.fill(.set("roles/alice", ("role", .string("reader"))))
        let sink = RecordingSink()
        let handle = database.service.watch(.query(.collection("c")), context: .user("alice"), sink: sink)
        await eventually("the first state") { !sink.batches.isEmpty }
        handle.cancel()
        handle.cancel()
        #expect(database.enforcement.documents.count == 0)
        try await database.fill(.set("c/a"))
        _ = try await database.service.watchTime(context: .embedded)
        #expect(sink.batches.count == 1)
        #expect(sink.errors.isEmpty)
        await database.close()
    }
}

extension Document {
    func text(_ field: String) -> String? { (try? fields.map[field]).map { "\($0)" } }
}
