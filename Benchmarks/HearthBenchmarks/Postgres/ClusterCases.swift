// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestoreEnforcement
    import FirestoreEngine
    import FirestorePostgres
    import FirestoreRules
    import FirestoreStorage
    import Foundation
    import PostgresLink

    /// What several nodes over PostgreSQL reach, against SQL by hand over the same connection library.
    enum ClusterCases {
        static var all: [BenchmarkCase] { [flush, commits, nodes, rules, gets, first, latency, deployment, revocation, readers] }

        private static let alice = RequestContext(caller: .user(id: "alice", claims: FieldMap([("sub", .string("alice"))])))

        /// What the disk takes: without it the figures of commits say nothing.
        private static var flush: BenchmarkCase {
            BenchmarkCase(latencyOf: "PostgreSQL: a transaction by itself, the flush included") {
                let cluster = try BenchCluster(nodes: 0)
                let connection = try cluster.connection()
                defer { connection.close() }
                try connection.execute("CREATE TABLE \(cluster.options.schema).flush(n int)")
                return try (0..<200).map { _ in
                    let start = ContinuousClock.now
                    try connection.execute("INSERT INTO \(cluster.options.schema).flush VALUES(1)")
                    return Measured.seconds(since: start)
                }
            }
        }

        private static var commits: BenchmarkCase {
            BenchmarkCase(
                "PostgreSQL: commits of one write, 64 in flight", unit: .perSecond("commits"), peer: "a transaction each", goal: 5,
                operationsPerRound: 2_000
            ) {
                let cluster = try BenchCluster(nodes: 1)
                let raw = try RawTables(cluster)
                return BenchmarkCase.Contenders(
                    ours: { try await BenchCluster.commit($0, by: cluster.engines) }, peer: raw.commit, tearDown: cluster.close)
            }
        }

        private static var nodes: BenchmarkCase {
            BenchmarkCase(
                "PostgreSQL: the same by three nodes together, 64 in flight each", unit: .perSecond("commits"), peer: "one node", goal: 0.9,
                operationsPerRound: 4_000
            ) {
                let (three, one) = (try BenchCluster(nodes: 3), try BenchCluster(nodes: 1))
                return BenchmarkCase.Contenders(
                    ours: { try await BenchCluster.commit($0, by: three.engines, inFlight: 192) },
                    peer: { try await BenchCluster.commit($0, by: one.engines) },
                    tearDown: {
                        await three.close()
                        await one.close()
                    })
            }
        }

        private static var rules: BenchmarkCase {
            BenchmarkCase(
                "PostgreSQL: the same under rules with two get()", unit: .perSecond("commits"), peer: "without rules", goal: 0.5,
                operationsPerRound: 4_000
            ) {
                let cluster = try BenchCluster(nodes: 1)
                let source = """
                    rules_version = '2';
                    service cloud.firestore { match /databases/{db}/documents { match /notes/{id} {
                      allow write: if get(/databases/$(db)/documents/users/$(request.auth.uid)).data.writes
                        && get(/databases/$(db)/documents/settings/site).data.open;
                    } } }
                    """
                let engine = cluster.engines[0]
                let settings = [("users/alice", "writes"), ("settings/site", "open")].map { path, field in
                    Write(key: DocumentKey(trusted: path), operation: .set(FieldBytes(FieldMap([(field, .boolean(true))]))))
                }
                _ = try await engine.commit(settings, context: BenchCluster.context)
                let enforcement = RuleEnforcement(RulesInForce(.ruleSet(try RuleSet(source))), database: BenchCluster.database)
                let service = RuledService(engine, enforcement)
                return BenchmarkCase.Contenders(
                    ours: { try await BenchCluster.commit($0, by: [service], alice) },
                    peer: { try await BenchCluster.commit($0, by: [engine]) }, tearDown: cluster.close)
            }
        }

        private static let read = 10_000

        private static var gets: BenchmarkCase {
            BenchmarkCase(
                "PostgreSQL: gets by the engine, 32 in flight", unit: .perSecond("gets"), peer: "prepared reads, 32 pipelined",
                goal: 0.4, operationsPerRound: 20_000
            ) {
                let cluster = try BenchCluster(nodes: 1)
                let raw = try RawTables(cluster)
                try raw.fill(read, indexed: false)
                try await fill(cluster, read)
                return BenchmarkCase.Contenders(
                    ours: { try await get($0, by: cluster.engines) },
                    peer: { try await raw.get($0, pipelined: 32, of: read) }, tearDown: cluster.close)
            }
        }

        private static var readers: BenchmarkCase {
            BenchmarkCase(
                "PostgreSQL: gets by two nodes on the same processors", unit: .perSecond("gets"), peer: "one node", goal: 0.95,
                operationsPerRound: 20_000
            ) {
                let cluster = try BenchCluster(nodes: 2)
                try await fill(cluster, read)
                return BenchmarkCase.Contenders(
                    ours: { try await get($0, by: cluster.engines) },
                    peer: { try await get($0, by: [cluster.engines[0]]) }, tearDown: cluster.close)
            }
        }

        private static func get(_ operations: Int, by engines: [Engine]) async throws {
            try await BenchCluster.run(operations, inFlight: 32) { number in
                let found = try await engines[number % engines.count].documents(
                    [BenchCluster.key(number * 7)], options: .acknowledged(), context: BenchCluster.context)
                guard found.documents[0] != nil else { throw UsageError("a document is missing") }
            }
        }

        private static func fill(_ cluster: BenchCluster, _ count: Int) async throws {
            let engine = cluster.engines[0]
            try await BenchCluster.run(count / 250, inFlight: 4) { batch in
                let writes = (batch * 250..<batch * 250 + 250).map { number in
                    let fields = FieldMap([("number", .integer(Int64(number))), ("text", .string(String(repeating: "x", count: 960)))])
                    let key = DocumentKey(collection: BenchCluster.notes, id: "note\(number)")
                    return Write(key: key, operation: .set(FieldBytes(fields)))
                }
                _ = try await engine.commit(writes, context: BenchCluster.context)
            }
        }

        /// A million documents; HEARTH_FULL=1, otherwise a tenth.
        private static var first: BenchmarkCase {
            let count = ProcessInfo.processInfo.environment["HEARTH_FULL"] == "1" ? 1_000_000 : 100_000
            return BenchmarkCase(
                "PostgreSQL: first 20 of \(count) by an index", unit: .microseconds, peer: "SQL, an index by hand", goal: 0.3,
                operationsPerRound: 500
            ) {
                let cluster = try BenchCluster(nodes: 1)
                let raw = try RawTables(cluster)
                try raw.fill(count, indexed: true)
                try await fill(cluster, count)
                let engine = cluster.engines[0]
                let path = FieldPathSegments("number")
                func query(from number: Int64) -> StructuredQuery {
                    StructuredQuery(
                        scope: .collection(BenchCluster.notes), filter: .field(path, .greaterThanOrEqual, ValueBytes(.integer(number))),
                        orders: [SortOrder(path: path)], limit: 20)
                }
                // The first asks for the index.
                _ = try await engine.run(query(from: 0), options: .acknowledged(), context: BenchCluster.context)
                try await engine.indexesSettled()
                let connection = try cluster.connection()
                try connection.execute(
                    "ANALYZE \(cluster.options.schema).documents; ANALYZE \(cluster.options.schema).index_entries")
                connection.close()
                return BenchmarkCase.Contenders(
                    ours: { operations in
                        for number in 0..<operations {
                            let found = try await engine.run(
                                query(from: Int64(number * 7_919 % (count - 20))), options: .acknowledged(), context: BenchCluster.context)
                            guard found.documents.count == 20 else { throw UsageError("\(found.documents.count) documents") }
                        }
                    },
                    peer: { try await raw.firstByNumber($0, limit: 20, of: count) }, tearDown: cluster.close)
            }
        }

        /// The goal: 10 ms by polls alone.
        private static var latency: BenchmarkCase {
            BenchmarkCase(figuresOf: "PostgreSQL: written at one node, received by a listener of another") {
                let cluster = try BenchCluster(nodes: 2)
                let (arrivals, continuation) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
                let handle = cluster.engines[1].watch(
                    .document(BenchCluster.key(1)), from: nil, context: BenchCluster.context, sink: ArrivalSink(continuation))
                var iterator = arrivals.makeAsyncIterator()
                _ = await iterator.next()
                var latencies: [Double] = []
                for number in 0..<300 {
                    // In the middle between two polls, on average.
                    try await Task.sleep(for: .microseconds(3_000 + number * 37 % 5_000))
                    let fields = FieldBytes(FieldMap([("n", .integer(Int64(number)))]))
                    let start = ContinuousClock.now
                    _ = try await cluster.engines[0].commit(
                        [Write(key: BenchCluster.key(1), operation: .set(fields))], context: BenchCluster.context)
                    let arrival = await iterator.next() ?? .now
                    latencies.append(QueryCases.seconds(arrival - start))
                }
                handle.cancel()
                await cluster.close()
                return figures("PostgreSQL: written at one node, received by a listener of another", latencies, atMost: 10)
            }
        }

        private static var deployment: BenchmarkCase {
            let name = "PostgreSQL: rules deployed, in effect on three nodes"
            return BenchmarkCase(figuresOf: name) {
                try await published(name) { cluster, number in
                    let text = "\(number)"
                    _ = try cluster.membership.deploy([ClusterRuleset(scope: "", hash: Array(text.utf8), text: text)], removing: [])
                }
            }
        }

        private static var revocation: BenchmarkCase {
            let name = "PostgreSQL: a token revoked, refused by three nodes"
            return BenchmarkCase(figuresOf: name) {
                try await published(name) { cluster, number in
                    let tables = try cluster.tables(
                        named: "bench", lock: "meta", creation: "CREATE TABLE meta(n bigint); INSERT INTO meta VALUES(0)")
                    guard let tables else { throw UsageError("no tables") }
                    let (_, notice) = try tables.write { statements in
                        try statements.run("UPDATE meta SET n = $1", [.integer(Int64(number))])
                        try statements.publish(.accounts, Array("bench".utf8) + [0])
                    }
                    if let notice { try tables.awaitObedience(of: notice) }
                }
            }
        }

        /// The time until every node has obeyed.
        private static func published(
            _ name: String, _ body: (PostgresCluster, Int) throws -> Void
        ) async throws -> [BenchmarkResult] {
            let cluster = try BenchCluster(nodes: 3)
            for (number, node) in cluster.clusters.enumerated() { try node.membership.join(as: "node-\(number):1") }
            let latencies = try (0..<40).map { number in
                let start = ContinuousClock.now
                try body(cluster.clusters[number % 3], number)
                return Measured.seconds(since: start)
            }
            await cluster.close()
            return figures(name, latencies, atMost: 300)
        }

        private static func figures(_ name: String, _ latencies: [Double], atMost limit: Double) -> [BenchmarkResult] {
            let sorted = latencies.sorted()
            return [
                .atMost(limit, name + ", p50", sorted[sorted.count / 2] * 1e3, "ms"),
                .figure(name + ", p99", sorted[sorted.count * 99 / 100] * 1e3, "ms"),
            ]
        }
    }

    /// Says when batches arrive.
    private final class ArrivalSink: WatchSink {
        private let arrivals: AsyncStream<ContinuousClock.Instant>.Continuation

        init(_ arrivals: AsyncStream<ContinuousClock.Instant>.Continuation) { self.arrivals = arrivals }

        func receive(_ batch: WatchBatch) { arrivals.yield(.now) }

        func fail(_ error: FirestoreError) { arrivals.finish() }
    }
#endif
