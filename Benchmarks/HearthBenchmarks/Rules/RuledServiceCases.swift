// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreRules
import Foundation

/// What security rules cost in front of the engine; the peer is the same service without them.
enum RuledServiceCases {
    static var all: [BenchmarkCase] { [gets, commits, listeners] }

    private static let owner = """
        function signedIn() { return request.auth != null; }
        match /tasks/{id} {
          allow read: if signedIn() && request.auth.uid == resource.data.owner;
          allow write: if signedIn() && request.auth.uid == request.resource.data.owner;
        }
        """
    private static let role = """
        match /lists/{list}/tasks/{id} {
          allow read: if get(/databases/$(db)/documents/roles/$(request.auth.uid)).data.role == 'reader';
        }
        """
    private static let alice = RequestContext(caller: .user(id: "alice", claims: FieldMap([("sub", .string("alice"))])))

    /// The question: what does an owner rule cost readers?
    private static var gets: BenchmarkCase {
        BenchmarkCase(
            "get under an owner rule", unit: .perSecond("gets"), peer: "without rules", goal: 0.8, operationsPerRound: 20_000
        ) {
            let database = try GuardedDatabase(owner, inMemory: false)
            for number in 0..<500 { try await database.write(number) }
            return database.contenders { service, operations in
                for number in 0..<operations {
                    let keys = [task(number)]
                    if let found = try service.documentsNow(keys, options: .acknowledged(), context: alice) { blackHole(found) } else {
                        blackHole(try await service.documents(keys, options: .acknowledged(), context: alice))
                    }
                }
            }
        }
    }

    /// The question: what does an owner rule cost writers? In memory, where there is no sync to hide behind.
    private static var commits: BenchmarkCase {
        BenchmarkCase(
            "commit under an owner rule", unit: .microseconds, peer: "without rules", goal: 0.8, operationsPerRound: 2_000
        ) {
            let database = try GuardedDatabase(owner, inMemory: true)
            return database.contenders { service, operations in
                for number in 0..<operations { _ = try await service.commit([write(number)], context: alice) }
            }
        }
    }

    /// The question: do a thousand listeners whose rules read one role slow down a commit that concerns none of them?
    private static var listeners: BenchmarkCase {
        BenchmarkCase(
            "commit while 1,000 listen under rules that read a role", unit: .microseconds, peer: "the same listeners without rules",
            goal: 1 / 1.2, operationsPerRound: 2_000
        ) {
            let guarded = try GuardedDatabase(role, inMemory: true)
            let open = try GuardedDatabase(role, inMemory: true)
            let roles = Write(
                key: DocumentKey(trusted: "roles/alice"), operation: .set(FieldBytes(FieldMap([("role", .string("reader"))]))))
            _ = try await guarded.engine.commit([roles], context: .embedded)
            let sides: [any DocumentService] = [guarded.service, open.engine]
            for service in sides {
                let started = AsyncStream.makeStream(of: Void.self)
                for number in 0..<1_000 {
                    let query = StructuredQuery(scope: .collection(CollectionPath(trusted: "lists/\(number)/tasks")))
                    _ = service.watch(.query(query), context: alice, sink: StartSink(started.continuation))
                }
                var iterator = started.stream.makeAsyncIterator()
                for _ in 0..<1_000 { await iterator.next() }
            }
            return BenchmarkCase.Contenders(
                ours: { for number in 0..<$0 { try await guarded.write(number) } },
                peer: { for number in 0..<$0 { try await open.write(number) } },
                tearDown: {
                    try await guarded.close()
                    try await open.close()
                })
        }
    }

    fileprivate static func task(_ number: Int) -> DocumentKey { DocumentKey(trusted: "tasks/task\(number % 500)") }

    fileprivate static func write(_ number: Int) -> Write {
        let fields = FieldMap([
            ("owner", .string("alice")), ("done", .boolean(number % 2 == 0)), ("due", .integer(Int64(number))),
            ("title", .string("Water it")),
        ])
        return Write(key: task(number), operation: .set(FieldBytes(fields)))
    }
}

/// An engine, and a service that applies rules in front of it.
private struct GuardedDatabase {
    let engine: Engine
    let service: RuledService
    private let folder: URL

    init(_ rules: String, inMemory: Bool) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-bench-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let database = DatabaseID(projectID: "bench")
        let location = inMemory ? EngineConfiguration.Location.memory : .file(path: folder.appendingPathComponent("ruled.sqlite").path)
        engine = try Engine.open(EngineConfiguration(location: location, durability: .relaxed, databaseID: database))
        let ruleSet = try RuleSet("rules_version = '2';\nservice cloud.firestore { match /databases/{db}/documents {\n\(rules)\n}}")
        service = RuledService(engine, RuleEnforcement(RulesInForce(.ruleSet(ruleSet)), database: database))
    }

    func write(_ number: Int) async throws { _ = try await engine.commit([RuledServiceCases.write(number)], context: .embedded) }

    func contenders(_ run: @escaping (any DocumentService, Int) async throws -> Void) -> BenchmarkCase.Contenders {
        BenchmarkCase.Contenders(ours: { try await run(service, $0) }, peer: { try await run(engine, $0) }, tearDown: close)
    }

    func close() async throws {
        await service.shutdown()
        try FileManager.default.removeItem(at: folder)
    }
}

/// Says when the first state has arrived.
private final class StartSink: WatchSink {
    private let started: AsyncStream<Void>.Continuation

    init(_ started: AsyncStream<Void>.Continuation) { self.started = started }

    func receive(_ batch: WatchBatch) { if batch.isReset { started.yield() } }

    func fail(_ error: FirestoreError) {}
}
