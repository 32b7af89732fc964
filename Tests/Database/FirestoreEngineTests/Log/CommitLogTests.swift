// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

/// What the readers of the log get: every commit once, in order, with the states before and after.
@Suite struct CommitLogTests {
    private typealias State = [DocumentKey: Document]

    /// Random commits with sets, deletes and re-creations of few documents, so that most are changed again later.
    private static func commit(_ engine: Engine, _ generator: inout SeededGenerator, large: Bool = false) async throws -> DocumentVersion? {
        var writes: [Write] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let path = "\(["c", "d", "c/1/c"].randomElement(using: &generator)!)/\(Int.random(in: 0..<6, using: &generator))"
            if Int.random(in: 0..<3, using: &generator) == 0 {
                writes.append(.delete(path))
            } else {
                let text = large ? String(repeating: "x", count: 1_000_000) : ""
                writes.append(
                    .set(path, ("n", .integer(.random(in: 0..<4, using: &generator))), ("text", .string(text))))
            }
        }
        let response = try await engine.commit(writes, context: .embedded)
        return response.commitTime == .none ? nil : response.commitTime
    }

    /// Replays commits on a state, and checks that each begins with what is there.
    private static func replay(_ commits: [CommittedChanges], on state: inout State) {
        for commit in commits {
            for change in commit.changes {
                #expect(state[change.key] == change.old)
                #expect(change.new == nil || change.new?.updateTime == commit.time)
                state[change.key] = change.new
            }
        }
    }

    private static func documents(_ engine: Engine) async throws -> State {
        let all = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
        let found = try await engine.run(all, options: ReadOptions(), context: .embedded)
        return Dictionary(uniqueKeysWithValues: found.documents.map { ($0.key, $0) })
    }

    /// OT-9, OT-11
    @Test("commits read back in stretches of any size, from the store and from memory, lead to the state of the database", arguments: 0..<8)
    func model(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let engine = try Engine.memory(clock: ManualClock(microseconds: 1_000_000_000))
        let start = try await engine.log.lastCommit()
        // Half of the readings are of a followed log: its last commits are in memory.
        let handle = seed % 2 == 0 ? engine.log.follow({}, ended: { _ in }) : nil
        var (times, state, position) = ([DocumentVersion](), State(), start)
        for _ in 0..<60 {
            if let time = try await Self.commit(engine, &generator) { times.append(time) }
            guard Int.random(in: 0..<6, using: &generator) == 0 else { continue }
            let found = try engine.log.commits(after: position, limit: .random(in: 1..<9, using: &generator))
            Self.replay(found.commits, on: &state)
            position = found.end
        }
        var isLast = false
        while !isLast {
            let found = try engine.log.commits(after: position, limit: 7)
            Self.replay(found.commits, on: &state)
            (position, isLast) = (found.end, found.isLast)
        }
        #expect(try await Self.documents(engine) == state)
        // From the beginning, in one stretch and in the smallest ones: each commit once, in order.
        for limit in [1, 10_000] {
            var (seen, position, isLast) = ([DocumentVersion](), start, false)
            while !isLast {
                let found = try engine.log.commits(after: position, limit: limit)
                seen += found.commits.map(\.time)
                (position, isLast) = (found.end, found.isLast)
            }
            #expect(Set(seen).count == seen.count && seen == seen.sorted())
            #expect(Set(seen).isSubset(of: Set(times)))
        }
        handle?.stop()
        try await engine.checkAndShutDown()
    }

    @Test("memory and store give one answer")
    func tailEqualsStore() async throws {
        guard let store = try Self.fileStore() else { return }
        let (engine, sqlite) = store
        var generator = SeededGenerator(seed: 77)
        let start = try await engine.log.lastCommit()
        let handle = engine.log.follow({}, ended: { _ in })
        for _ in 0..<40 { _ = try await Self.commit(engine, &generator) }
        let (near, far) = (
            try engine.log.commits(after: start, limit: .max), try sqlite.commits(after: start, limit: .max, bytes: .max)
        )
        #expect(near.isLast && far.isLast)
        #expect(near.end == far.end)
        #expect(near.commits.map(\.time) == far.commits.map(\.time))
        for (left, right) in zip(near.commits, far.commits) {
            func sorted(_ commit: CommittedChanges) -> [CommittedChange] { commit.changes.sorted { $0.key < $1.key } }
            for (one, other) in zip(sorted(left), sorted(right)) {
                #expect(one.key == other.key && one.old == other.old && one.new == other.new)
            }
        }
        handle.stop()
        await engine.shutdown()
    }

    private static func fileStore() throws -> (Engine, SQLiteStore)? {
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: testDatabase))
        return (engine.core.store as? SQLiteStore).map { (engine, $0) }
    }

    @Test("a stretch of large documents is bounded by its size, and is whole")
    func largeDocuments() async throws {
        var generator = SeededGenerator(seed: 5)
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: testDatabase))
        let start = try await engine.log.lastCommit()
        for _ in 0..<12 { _ = try await Self.commit(engine, &generator, large: true) }
        var (position, state, stretches, isLast) = (start, State(), 0, false)
        while !isLast {
            let found = try engine.log.commits(after: position, limit: 1_000)
            Self.replay(found.commits, on: &state)
            (position, isLast, stretches) = (found.end, found.isLast, stretches + 1)
        }
        #expect(stretches > 2)
        #expect(try await Self.documents(engine) == state)
        await engine.shutdown()
    }

    /// OT-12
    @Test("the log is kept for a reader, until it is too far behind; then the reader finds it cut")
    func holds() async throws {
        let clock = ManualClock(microseconds: 1_000_000_000)
        var configuration = EngineConfiguration(
            location: .memory, databaseID: testDatabase, clock: clock, logRetention: 10_000_000)
        configuration.logHolds.window = 1_000_000_000
        let engine = try Engine.open(configuration)
        let place = try await engine.log.lastCommit()
        try await engine.setHold("reader", at: place)
        for number in 0..<3 {
            clock.advance(microseconds: 200_000_000)
            try await engine.commit(.set("c/\(number)"))
        }
        #expect(try engine.log.commits(after: place, limit: 100).commits.count == 3)
        #expect(try await engine.hold("reader") == place)
        for number in 3..<8 {
            clock.advance(microseconds: 200_000_000)
            try await engine.commit(.set("c/\(number)"))
        }
        #expect(throws: FirestoreError.self) { try engine.log.commits(after: place, limit: 100) }
        #expect(try await engine.hold("reader") == nil)
        await engine.shutdown()
    }

    @Test("a reader that does not move is dropped when the log has grown by too much; one that moves is not")
    func heldBytes() async throws {
        for moves in [true, false] {
            let clock = ManualClock(microseconds: 1_000_000_000)
            var configuration = EngineConfiguration(
                location: .memory, databaseID: testDatabase, clock: clock, logRetention: 1_000_000)
            configuration.logHolds.bytes = 100_000
            let engine = try Engine.open(configuration)
            try await engine.setHold("reader", at: try await engine.log.lastCommit())
            for number in 0..<20 {
                clock.advance(microseconds: 70_000_000)
                try await engine.commit(.set("c/\(number % 2)", ("text", .string(String(repeating: "\(number % 10)", count: 10_000)))))
                if moves { try await engine.setHold("reader", at: try await engine.log.lastCommit()) }
            }
            #expect(try await (engine.hold("reader") != nil) == moves)
            await engine.shutdown()
        }
    }

    /// OT-13
    @Test("without followers nothing is kept in memory, and followers are woken by each commit that changes something")
    func following() async throws {
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: testDatabase))
        let tail = CommitTail()
        tail.append([CommittedChanges(time: DocumentVersion(microseconds: 2), changes: [])], upTo: .none, after: .none)
        #expect(tail.commits(after: .none, limit: 1, bytes: 1) == nil)
        let woken = Mutex(0)
        let handle = engine.log.follow({ woken.withLock { $0 += 1 } }, ended: { _ in })
        try await engine.commit(.set("c/1", ("a", .integer(1))))
        try await engine.commit(.set("c/1", ("a", .integer(1))))
        try await engine.commit(.delete("c/1"))
        await engine.settle()
        #expect(woken.withLock { $0 } == 2)
        handle.stop()
        try await engine.commit(.set("c/2"))
        await engine.settle()
        #expect(woken.withLock { $0 } == 2)
        await engine.shutdown()
    }

    /// OT-44
    @Test("memory keeps the last commits up to its bound, however large each is, and the rest is read from the log")
    func boundedTail() throws {
        let tail = CommitTail()
        _ = tail.add {}
        let text = Value.string(String(repeating: "x", count: 1_000_000))
        func time(_ number: Int) -> DocumentVersion { DocumentVersion(microseconds: Int64(number)) }
        for number in 1...40 {
            let key = DocumentKey(trusted: "c/\(number)")
            let document = Document(
                key: key, createTime: time(number), updateTime: time(number), fields: FieldBytes(FieldMap([("text", text)])))
            let commit = CommittedChanges(time: time(number), changes: [CommittedChange(key: key, old: nil, new: document)])
            tail.append([commit], upTo: time(number), after: time(number - 1))
            #expect(tail.heldBytes <= 6 << 20)
        }
        #expect(tail.commits(after: time(39), limit: 10, bytes: .max)?.commits.map(\.time) == [time(40)])
        #expect(tail.commits(after: time(3), limit: 10, bytes: .max) == nil)
    }
}
