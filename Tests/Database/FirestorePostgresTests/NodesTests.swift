// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Dispatch
    import FirestoreCore
    import FirestorePostgres
    import FirestoreStorage
    import Foundation
    import PostgresLink
    import PostgresServer
    import Testing

    /// Several nodes on one server, and what fails between them.
    @Suite(.needsPostgres)
    struct NodesTests {
        /// The tail receives everything that is committed while it runs, and nothing else (DN-4.1, row 23 of DN-1).
        @Test func `times strictly increase and the tail misses nothing`() async throws {
            let test = try TestCluster()
            let start = try test.store()
            try start.put(["a/0": fields(0)])
            let first = try start.read { $0.readTime }
            let stores = try (0..<4).map { _ in try test.store() }
            let tail = try #require(try test.store().commitLog)
            let done = Flag()
            let heard = OwnThread { try Self.hear(tail, from: first, until: done) }
            let writers = stores.enumerated().map { number, store in
                OwnThread {
                    try (0..<100).map { round in
                        let shared = round % 4 == 0 ? nil : fields(round)
                        return try store.put(["a/\(number)_\(round % 5)": fields(round), "shared/\(round % 3)": shared])
                    }
                }
            }
            let times = try writers.flatMap { try $0.result() }
            done.set()
            #expect(Set(times).count == 400)
            #expect(try heard.result() == times.sorted())
        }

        /// Follows the log, and compares the state before each change with what was received of the document.
        private static func hear(_ log: any CommitLog, from start: DocumentVersion, until done: Flag) throws -> [DocumentVersion] {
            var (time, times, documents): (DocumentVersion, [DocumentVersion], [String: Document]) = (start, [], [:])
            while true {
                let isOver = done.isSet
                let stretch = try log.commits(after: time, limit: 7)
                for commit in stretch.commits {
                    times.append(commit.time)
                    for change in commit.changes {
                        if documents[change.key.path] != change.old { throw Wrong(text: change.key.path) }
                        documents[change.key.path] = change.new
                    }
                }
                time = stretch.end
                if isOver, stretch.isLast { return times }
            }
        }

        @Test func `followers are woken by commits of other nodes`() async throws {
            let test = try TestCluster()
            let (writer, reader) = (try test.store(), try test.store())
            let (wakes, continuation) = AsyncStream.makeStream(of: Void.self)
            let log = try #require(reader.commitLog)
            let handle = log.follow({ continuation.yield() }, ended: { _ in })
            let time = try writer.put(["a/1": fields(1)])
            for await _ in wakes {
                if try await log.lastCommit() == time { break }
            }
            handle.stop()
            let stretch = try log.commits(after: DocumentVersion(microseconds: time.microseconds - 1), limit: 10)
            #expect(stretch.commits.map(\.time) == [time] && stretch.isLast && stretch.end == time)
            #expect(throws: FirestoreError.self) { try log.commits(after: .none, limit: 10) }
        }

        // MARK: Outcomes

        /// DN-8.2. The connection ends before the last message arrives, or while the server handles it.
        @Test(arguments: [false, true]) func `a commit whose connection is lost is applied once`(isSlow: Bool) async throws {
            let test = try TestCluster()
            let losses = Countdown(isSlow ? 0 : 3)
            let answers = Countdown(5)
            let store = try test.store { options in
                options.losesAnswer = { answers.take() }
                options.beforeCommit = { connection in
                    guard losses.take() else { return }
                    let process = try? connection.query(PostgresCall(PostgresStatement("SELECT pg_backend_pid()"))).integer(0, 0)
                    _ = try? PostgresServer.shared.run("SELECT pg_terminate_backend(\(process ?? 0))")
                    Thread.sleep(forTimeInterval: 0.05)
                }
            }
            try store.put(["a/0": fields(0)])
            let killer = Flag()
            // A second connection ends whatever is committing at random moments.
            let schema = test.schema
            let killing = Task.detached {
                while isSlow, !killer.isSet {
                    let own = "application_name = 'hearth' AND query LIKE '%\(schema)%' OR query = 'COMMIT'"
                    _ = try? PostgresServer.shared.run(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'active' AND (\(own)) AND pid <> "
                            + "pg_backend_pid()"
                    )
                }
            }
            let key = DocumentKey(trusted: "a/count")
            for number in 1...30 {
                try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                    let time = DocumentVersion(microseconds: max(transaction.lastCommitTime.microseconds + 1, transaction.clock ?? 0))
                    let old = try transaction.document(key)
                    var count: Int64 = 0
                    if case .integer(let value)? = try old?.fields.map["n"] { count = value }
                    #expect(count == Int64(number - 1))
                    let new = Document(
                        key: key, createTime: old?.createTime ?? time, updateTime: time, fields: FieldBytes(fields(Int(count) + 1)))
                    try transaction.store(CommittedChange(key: key, old: old, new: new), at: time)
                    try transaction.setLastCommitTime(time)
                }
            }
            killer.set()
            await killing.value
            #expect(losses.left == 0 && answers.left == 0)
            #expect(try test.run("SELECT count(*) FROM SCHEMA.changes").hasPrefix("31"))
        }

        /// DN-8.2: the next transaction is not affected.
        @Test func `a commit whose outcome cannot be found out is reported as that`() throws {
            let test = try TestCluster()
            let (answers, schema) = (Countdown(1), test.schema)
            let store = try test.store { options in
                options.patience = .milliseconds(1)
                options.losesAnswer = {
                    guard answers.take() else { return false }
                    _ = try? PostgresServer.shared.run("ALTER TABLE \(schema).writers RENAME TO w")
                    return true
                }
            }
            var found: FirestoreError?
            do throws(FirestoreError) { try store.put(["a/1": fields(1)]) } catch { found = error }
            #expect(found?.code == .unavailable && found?.message.contains("is not known") == true)
            try test.run("ALTER TABLE SCHEMA.w RENAME TO writers")
            try store.put(["a/2": fields(2)])
            let keys = [DocumentKey(trusted: "a/1"), DocumentKey(trusted: "a/2")]
            #expect(try store.read { (snapshot) throws(FirestoreError) in try snapshot.documents(keys) }.documents.allSatisfy { $0 != nil })
        }

        // MARK: Epochs

        /// DN-8.3. The stored timeline is changed, as it looks to a server that has taken over.
        @Test func `another timeline begins another history, in which a node continues that has seen nothing else`() async throws {
            let test = try TestCluster()
            let (one, two) = (try test.store(), try test.store())
            let before = try one.put(["a/1": fields(1)])
            _ = try two.read { $0.readTime }
            let old = try #require(one.history)
            try test.run("UPDATE SCHEMA.meta SET timeline = 'before'")
            let after = try one.put(["a/2": fields(2)])
            #expect(after > before)
            let history = try #require(one.history)
            #expect(history.number != old.number)
            #expect(history.includes(old.mark, at: before) && !history.includes(old.mark, at: after))
            #expect(try two.read { $0.readTime } == after)
            #expect(two.history == one.history)
            #expect(try test.node().status().databases.first?.histories == 2)
        }

        /// The files of the server may have been put back as they were earlier. The noted start is changed, as a restart does.
        @Test func `a database that is opened after a restart of the server begins another history, with what the server has`() throws {
            let test = try TestCluster()
            let store = try test.store()
            let kept = try store.put(["a/1": fields(1)])
            let old = try #require(store.history)
            #expect(try test.store().history == old)
            try test.run("UPDATE SCHEMA.facts SET value = 'before' WHERE key = 'hearth/server-start'")
            let again = try test.store()
            let history = try #require(again.history)
            #expect(history.number != old.number && history.includes(old.mark, at: kept))
            // Commits that the put back files lack have later times.
            let lost = DocumentVersion(microseconds: kept.microseconds + 1)
            #expect(!history.includes(old.mark, at: lost))
            let next = try again.put(["a/2": fields(2)])
            #expect(next > lost)
            // Nodes that run continue in it, and a second opening begins no other.
            #expect(try store.read { $0.readTime } > lost)
            #expect(store.history == history)
            #expect(try test.store().history == history)
            #expect(try test.node().status().databases.first?.histories == 2)
        }

        @Test func `a node that has seen lost commits ends, and works after it was opened again`() async throws {
            let test = try TestCluster()
            let store = try test.store()
            let kept = try store.put(["a/1": fields(1)])
            let lost = try store.put(["b/1": fields(1)])
            let old = try #require(store.history)
            let (ends, continuation) = AsyncStream.makeStream(of: FirestoreError.self)
            let handle = store.commitLog?.follow({}, ended: { continuation.yield($0) })
            // The last commit is lost.
            try test.run(
                """
                UPDATE SCHEMA.meta SET timeline = 'before', last_commit = \(kept.microseconds), next_collection = 2;
                DELETE FROM SCHEMA.changes WHERE commit_time = \(lost.microseconds);
                DELETE FROM SCHEMA.documents WHERE update_time = \(lost.microseconds); DELETE FROM SCHEMA.collections WHERE number = 2
                """)
            #expect(throws: FirestoreError.self) { try store.put(["c/1": fields(1)]) }
            var iterator = ends.makeAsyncIterator()
            #expect(await iterator.next()?.code == .unavailable)
            #expect(throws: FirestoreError.self) { try store.read { _ in 1 } }
            await #expect(throws: FirestoreError.self) { try await store.lookup([DocumentKey(trusted: "a/1")]) }
            handle?.stop()
            let again = try test.store()
            let time = try again.put(["c/1": fields(1)])
            #expect(time > lost)
            let history = try #require(again.history)
            #expect(history.includes(old.mark, at: kept) && !history.includes(old.mark, at: lost))
            #expect(
                try await again.lookup([DocumentKey(trusted: "c/1"), DocumentKey(trusted: "b/1")]).documents.map { $0 != nil } == [
                    true, false,
                ])
        }

        /// Without a commit: reads, openings and the log begin the new history.
        @Test(arguments: ["read", "lookup", "log", "opening", "watch"])
        func `a process that only reads notices that another server has taken over`(by way: String) async throws {
            let test = try TestCluster()
            let (store, other) = (try test.store(), try test.store())
            let kept = try store.put(["a/1": fields(1)])
            let old = try #require(store.history)
            _ = try other.read { $0.readTime }
            let lost = try store.put(["a/1": fields(2)])
            let (ends, continuation) = AsyncStream.makeStream(of: FirestoreError.self)
            let handle = way == "watch" ? store.commitLog?.follow({}, ended: { continuation.yield($0) }) : nil
            try test.run(
                """
                UPDATE SCHEMA.meta SET timeline = 'before', last_commit = \(kept.microseconds);
                DELETE FROM SCHEMA.changes WHERE commit_time = \(lost.microseconds);
                UPDATE SCHEMA.documents SET update_time = \(kept.microseconds)
                """)
            switch way {
            case "read": #expect(throws: FirestoreError.self) { try store.read { $0.readTime } }
            case "lookup": await #expect(throws: FirestoreError.self) { try await store.lookup([DocumentKey(trusted: "a/1")]) }
            case "log": await #expect(throws: FirestoreError.self) { _ = try await store.commitLog?.lastCommit() }
            case "opening":
                let history = try #require(try test.store().history)
                #expect(history.includes(old.mark, at: kept) && !history.includes(old.mark, at: lost) && history.continues(old.mark))
            default:
                var iterator = ends.makeAsyncIterator()
                #expect(await iterator.next()?.code == .unavailable)
            }
            handle?.stop()
            // The one that has seen nothing that is lost continues, with tokens of the new history.
            #expect(try other.read { $0.readTime } >= kept)
            #expect(other.history.map { $0.number != old.number && !$0.includes(old.mark, at: lost) } == true)
        }

        // MARK: Lookups

        /// Those in flight together are one statement; each has its own answer, and a document that cannot be read fails its own only.
        @Test(.timeLimit(.minutes(2))) func `every lookup is answered, however many are in flight`() async throws {
            let test = try TestCluster()
            let store = try test.store()
            for number in 0..<20 { try store.put(["a/\(number)": fields(number)]) }
            func isThere(_ number: Int) async throws -> Bool {
                let keys = (0..<number % 5 + 1).map { DocumentKey(trusted: "a/\(number % 20 + ($0 == 0 ? 0 : 1_000 * $0))") }
                let found = try await store.lookup(keys).documents
                return found.count == keys.count && found[0]?.key == keys[0] && found.dropFirst().allSatisfy { $0 == nil }
            }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        for number in 0..<40 where try await !isThere(task * 40 + number) { return false }
                        return true
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
            try test.run(
                """
                UPDATE SCHEMA.documents SET update_time = 0, create_time = 5, fields = '\\xff'
                WHERE id = (SELECT id FROM SCHEMA.documents ORDER BY id LIMIT 1)
                """)
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask { (try? await store.lookup([DocumentKey(trusted: "a/\(number)")])) != nil }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 20 && outcomes.count(where: { $0 }) >= 19)
        }

        // MARK: Settling

        /// DN-6.3.3
        @Test func `a lease is of one node until it ends`() throws {
            let test = try TestCluster()
            let (first, second) = (try test.store(), try test.store())
            #expect(try first.lease("janitor", for: .seconds(30)))
            #expect(try first.lease("janitor", for: .seconds(30)))
            #expect(try !second.lease("janitor", for: .seconds(30)))
            #expect(try second.lease("other", for: .seconds(30)))
            try test.run("UPDATE SCHEMA.leases SET until = clock_timestamp() - interval '1 second'")
            #expect(try second.lease("janitor", for: .seconds(30)))
            #expect(try !first.lease("janitor", for: .seconds(30)))
        }

        @Test func `a node can move to the last commit without reading the log, also where the log no longer reaches back`() throws {
            let test = try TestCluster()
            let store = try test.store()
            let start = try store.put(["a/1": fields(1)])
            let last = try store.put(["a/1": fields(2)])
            _ = try store.write { (transaction) throws(FirestoreError) in
                try transaction.pruneLog(before: DocumentVersion(microseconds: .max / 2), limit: 100)
            }
            let log = try #require(store.commitLog)
            #expect(throws: FirestoreError.self) { try log.commits(after: start, limit: 10) }
            let stretch = try log.commits(after: start, limit: 0)
            #expect(stretch.end == last && stretch.isLast && stretch.commits.isEmpty)
        }

        /// DN-4.11.
        @Test func `settling waits for a commit that holds the row`() async throws {
            let test = try TestCluster()
            let (writer, reader) = (try test.store(), try test.store())
            try writer.put(["a/1": fields(1)])
            let (holds, isHeld) = AsyncStream.makeStream(of: Int64.self)
            let settled = Flag()
            let commit = OwnThread {
                try writer.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                    let time = transaction.clock ?? 0
                    isHeld.yield(time)
                    Thread.sleep(forTimeInterval: 0.3)
                    if settled.isSet { throw FirestoreError(.aborted, "settled too early") }
                    try transaction.setLastCommitTime(DocumentVersion(microseconds: time))
                }
            }
            var iterator = holds.makeAsyncIterator()
            let time = try #require(await iterator.next())
            try await reader.settle(DocumentVersion(microseconds: time))
            settled.set()
            try commit.result()
            #expect(try reader.read { $0.readTime.microseconds } == time)
            await #expect(throws: FirestoreError.self) {
                try await reader.settle(DocumentVersion(microseconds: time + 60_000_000))
            }
        }
    }

    struct Wrong: Error { let text: String }

    /// A job on a thread of its own: threads of the cooperative pool are few, and must not block.
    final class OwnThread<Value: Sendable>: Sendable {
        private let value = Mutex<Result<Value, any Error>?>(nil)
        private let end = DispatchSemaphore(value: 0)

        init(_ body: @escaping @Sendable () throws -> Value) {
            Thread {
                let result = Result { try body() }
                self.value.withLock { $0 = result }
                self.end.signal()
            }.start()
        }

        func result() throws -> Value {
            end.wait()
            guard let result = value.withLock({ $0 }) else { throw Wrong(text: "no result") }
            return try result.get()
        }
    }

    final class Flag: Sendable {
        private let state = Mutex(false)
        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    final class Countdown: Sendable {
        private let state: Mutex<Int>
        init(_ count: Int) { state = Mutex(count) }
        var left: Int { state.withLock { $0 } }

        func take() -> Bool {
            state.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
        }
    }
#endif
