// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EngineStores
import FirestoreCore
import FirestoreStorage
import SharedStores
import TestSupport
import Testing

@testable import FirestoreEngine

/// Engines of several processes over one database (DN-5, DN-6.2): here in one process, over a store that they share.
struct SeveralNodesTests {
    /// What the nodes share; nil if it is a server.
    private let cluster: SharedCluster?
    private let engines: [Engine]

    init() throws {
        let nodes = try EngineStores.nodes(3)
        cluster = nodes.shared
        engines = try nodes.places.map { try Engine.open(EngineConfiguration(location: $0, databaseID: testDatabase)) }
    }

    private func shutDown() async throws {
        for engine in engines.dropFirst() { await engine.shutdown() }
        try await engines[0].checkAndShutDown()
    }

    private func watch(_ target: WatchTarget, at node: Int) async -> RecordingSink {
        let sink = RecordingSink()
        _ = engines[node].watch(target, context: .embedded, sink: sink)
        await eventually("the first state") { sink.batches.count == 1 }
        return sink
    }

    private func number(at node: Int, of path: String = "c/n", moment: ReadMoment = .latest) async throws -> Int64? {
        Self.number(try await engines[node].get(path, at: moment))
    }

    private static func number(_ document: Document?) -> Int64? {
        guard case .integer(let number)?? = try? document?.fields.map["n"] else { return nil }
        return number
    }

    // DN-5.1
    @Test func `a listener receives the commits of all nodes, each once and in their order`() async throws {
        let sinks = [await watch(.query(.collection("c")), at: 0), await watch(.query(.collection("c")), at: 1)]
        let times = await withTaskGroup(of: [DocumentVersion].self) { group in
            for (number, engine) in engines.enumerated() {
                group.addTask {
                    var times: [DocumentVersion] = []
                    for count in 0..<40 {
                        let response = try? await engine.commit(.set("c/\(number)-\(count)"), .increment("c/all", "n"))
                        if let response { times.append(response.commitTime) }
                    }
                    return times
                }
            }
            return await group.reduce(into: []) { $0 += $1 }.sorted()
        }
        #expect(times.count == 120 && Set(times).count == 120)
        for sink in sinks {
            await eventually("all commits") { sink.batches.last?.readTime == times.last }
            #expect(sink.batches.dropFirst().map(\.readTime) == times)
            #expect(sink.paths.count == 121 && sink.complaints.isEmpty && sink.errors.isEmpty)
            #expect(Self.number(sink.documents[DocumentKey(trusted: "c/all")]) == 120)
        }
        try await shutDown()
    }

    // DN-5.8
    @Test func `a watch that joins others sees what another node has acknowledged before`() async throws {
        let first = await watch(.query(.collection("c")), at: 1)
        // Node 1 is not notified of it.
        cluster?.givesHints.withLock { $0 = false }
        let time = try await engines[0].commit(.set("c/a")).commitTime
        let second = await watch(.query(.collection("c")), at: 1)
        #expect(second.paths == ["c/a"])
        #expect(try #require(second.batches.first).readTime >= time)
        // The look has brought it to the other one, too.
        await eventually("the commit") { first.paths == ["c/a"] }
        try await shutDown()
    }

    // DN-5.2
    @Test func `a node delivers its own commits from memory while no other commits`() async throws {
        let sink = await watch(.query(.collection("c")), at: 0)
        cluster?.givesHints.withLock { $0 = false }
        let before = cluster?.roundTrips.withLock { $0 }
        for count in 0..<10 {
            let time = try await engines[0].commit(.set("c/\(count)")).commitTime
            await eventually("the commit") { sink.batches.last?.readTime == time }
        }
        #expect(cluster?.roundTrips.withLock { $0 } == before.map { $0 + 10 })
        // Another node's commit in between is read from the log, in its place.
        let other = try await engines[1].commit(.set("c/x")).commitTime
        let own = try await engines[0].commit(.set("c/y")).commitTime
        await eventually("both commits") { sink.batches.last?.readTime == own }
        #expect(sink.batches.suffix(2).map(\.readTime) == [other, own])
        try await shutDown()
    }

    // DN-6.2: the table in memory must not decide.
    @Test func `a batch is applied once though its client goes to another node and comes back`() async throws {
        let first = SequenceConnection(engines[0])
        try await first.begin()
        try await first.commit(1, .increment("c/n"))
        let second = SequenceConnection(engines[1])
        try await second.resume(after: 1)
        let answer = try await second.commit(2, .increment("c/n"))
        try await second.commit(3, .increment("c/n"))
        // Back, without the answers to 2 and 3.
        let third = SequenceConnection(engines[0])
        try await third.resume(after: 1)
        let again = try await third.commit(2, .increment("c/n"))
        #expect(again.commitTime == answer.commitTime)
        try await third.commit(3, .increment("c/n"))
        try await third.commit(4, .increment("c/n"))
        #expect(try await number(at: 2) == 4)
        try await shutDown()
    }

    // DN-4.1
    @Test func `transactions of several nodes are serializable`() async throws {
        try await engines[0].commit(.set("c/n", ("n", .integer(0))))
        let failures = await withTaskGroup(of: Int.self) { group in
            for task in 0..<6 {
                let engine = engines[task % 3]
                group.addTask { await Self.increment(in: engine, times: 10) }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
        #expect(try await number(at: 1) == 60)
        try await shutDown()
    }

    /// Adds 1 by transactions that read; returns how many did not succeed in 100 attempts.
    private static func increment(in engine: Engine, times: Int) async -> Int {
        var failures = 0
        for _ in 0..<times {
            var isDone = false
            for _ in 0..<100 where !isDone {
                do throws(FirestoreError) {
                    let id = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
                    guard let count = number(try await engine.get("c/n", at: .transaction(id))) else { return times }
                    _ = try await engine.commit([.set("c/n", ("n", .integer(count + 1)))], in: id, context: .embedded)
                    isDone = true
                } catch {
                    if error.code != .aborted { return times }
                }
            }
            if !isDone { failures += 1 }
        }
        return failures
    }

    @Test func `a read at a moment of another node's commits is exact`() async throws {
        let first = try await engines[0].commit(.set("c/a", ("n", .integer(1)))).commitTime
        try await engines[1].commit(.set("c/a", ("n", .integer(2))))
        #expect(try await number(at: 2, of: "c/a", moment: .past(first)) == 1)
        let ahead = DocumentVersion(microseconds: SystemClock().now() + 60_000_000)
        await expectError(.invalidArgument) { _ = try await engines[2].get("c/a", at: .past(ahead)) }
        try await shutDown()
    }

    @Test func `listeners end, and can begin again, when the log does not reach back to them`() async throws {
        // A server's log is looked at all the time.
        guard let cluster else { return try await shutDown() }
        let sink = await watch(.query(.collection("c")), at: 1)
        cluster.givesHints.withLock { $0 = false }
        try await engines[0].commit(.set("c/a"))
        let store = engines[0].core.store
        _ = try store.write { (transaction) throws(FirestoreError) in
            try transaction.pruneLog(before: DocumentVersion(microseconds: .max / 2), limit: 100)
        }
        cluster.givesHints.withLock { $0 = true }
        try await engines[0].commit(.set("c/b"))
        await eventually("the end") { sink.errors.count == 1 }
        #expect(sink.errors.first?.code == .unavailable)
        let next = await watch(.query(.collection("c")), at: 1)
        #expect(next.paths == ["c/a", "c/b"])
        try await engines[0].commit(.set("c/c"))
        await eventually("the commit") { next.paths.count == 3 }
        try await shutDown()
    }

    @Test func `a watch that begins while its node skips commits misses none of them`() async throws {
        // Only these nodes can be held.
        guard let cluster else { return try await shutDown() }
        let first = try await engines[0].commit(.set("c/a")).commitTime
        await eventually("all nodes are there") { engines.allSatisfy { $0.core.hub.published == first } }
        let (entered, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isFirst = Mutex(true)
        cluster.beforeEnd.withLock { hook in
            hook = {
                guard isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                }) else { return }
                entered.signal()
                released.wait()
            }
        }
        // One of the nodes has seen that nothing is watched there, and has not read the last commit yet.
        cluster.wakeAll()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                entered.wait()
                continuation.resume()
            }
        }
        var sinks: [RecordingSink] = []
        for node in 0..<3 { sinks.append(await watch(.query(.collection("c")), at: node)) }
        let time = try await engines[0].commit(.set("c/b")).commitTime
        released.signal()
        for sink in sinks {
            await eventually("the commit") { sink.batches.last?.readTime == time }
            #expect(sink.paths == ["c/a", "c/b"])
        }
        cluster.beforeEnd.withLock { $0 = nil }
        try await shutDown()
    }

    // DN-6.3.3
    @Test func `the process that has the lease cleans up, and the others do not`() async throws {
        let nodes = try EngineStores.nodes(2)
        let cleaning = try nodes.places.map {
            try Engine.open(EngineConfiguration(location: $0, databaseID: testDatabase, logRetention: 0))
        }
        try await cleaning[0].commit(.set("c/a"))
        try await cleaning[0].commit(.set("c/a", ("n", .integer(1))))
        func floor() throws -> DocumentVersion {
            try cleaning[0].core.store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in try snapshot.logFloor() }
        }
        let before = try floor()
        #expect(try cleaning[1].core.store.lease("janitor", for: .seconds(30)))
        cleaning[0].core.janitor?.sweep()
        #expect(try floor() == before)
        cleaning[1].core.janitor?.sweep()
        #expect(try floor() > before)
        for engine in cleaning.reversed() { await engine.shutdown() }
        try await shutDown()
    }
}
