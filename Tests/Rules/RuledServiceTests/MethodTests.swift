// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRules
import TestSupport
import Testing

@testable import FirestoreEnforcement

/// Every method of a service, asked by every kind of caller under several rules.
struct MethodTests {
    enum Method: String, CaseIterable, Sendable {
        case documents, documentsNow, run, pages, aggregate, explain, explainAggregate, collectionIDs, documentKeys, partitions
        case watchDocument, watchQuery, create, update, delete, verify, readInTransaction, queryInTransaction, commitOfTransaction

        var isList: Bool {
            switch self {
            case .run, .pages, .aggregate, .explain, .explainAggregate, .documentKeys, .partitions, .watchQuery, .queryInTransaction: true
            default: false
            }
        }
        /// What rules grant to no one.
        var isForAdministrators: Bool { [.explain, .explainAggregate, .collectionIDs].contains(self) }
        var isWrite: Bool { [.create, .update, .delete, .commitOfTransaction].contains(self) }

        var isExplanation: Bool { self == .explain || self == .explainAggregate }

        func call(_ database: RuledDatabase, _ context: RequestContext) async throws {
            let service: any DocumentService = database.service
            let query = StructuredQuery.collection("c")
            switch self {
            case .documents: _ = try await service.documents([key("c/a")], context: context)
            case .documentsNow:
                if try service.documentsNow([key("c/a")], options: .acknowledged(), context: context) == nil {
                    _ = try await service.documents([key("c/a")], context: context)
                }
            case .run: #expect(try await service.run(query, context: context).documents.count == 1)
            case .pages: try await service.run(query, options: .latest, context: context) { _ in .next }
            case .aggregate: _ = try await service.aggregate(query, [Aggregation(.count(upTo: nil))], options: .latest, context: context)
            case .explain: _ = try await service.explain(query, analyze: true, options: .latest, context: context)
            case .explainAggregate:
                _ = try await service.explain(query, [Aggregation(.count(upTo: nil))], analyze: true, options: .latest, context: context)
            case .collectionIDs: _ = try await service.collectionIDs(under: nil, after: nil, limit: 9, options: .latest, context: context)
            case .documentKeys:
                _ = try await service.documentKeys(
                    in: CollectionPath(trusted: "c"), after: nil, limit: 9, options: .latest, context: context)
            case .partitions: _ = try await service.partitions(of: .group("c"), count: 2, options: .latest, context: context)
            case .watchDocument: try await watch(.document(key("c/a")), service, context)
            case .watchQuery: try await watch(.query(query), service, context)
            case .create: _ = try await service.commit([.set("c/new", ("n", .integer(1)))], context: context)
            case .update: _ = try await service.commit([.set("c/a", ("n", .integer(1)))], context: context)
            case .delete: _ = try await service.commit([.delete("c/a")], context: context)
            case .verify: _ = try await service.commit([.verify("c/a", .exists(true))], context: context)
            case .readInTransaction:
                let id = try await service.beginTransaction(.readWrite(retrying: nil), context: context)
                _ = try await service.documents([key("c/a")], options: .transaction(id), context: context)
            case .queryInTransaction:
                let id = try await service.beginTransaction(.readOnly(at: nil), context: context)
                _ = try await service.run(query, options: .transaction(id), context: context)
            case .commitOfTransaction:
                let id = try await service.beginTransaction(.readWrite(retrying: nil), context: context)
                _ = try await service.commit([.set("c/a", ("n", .integer(2)))], in: id, context: context)
            }
        }

        private func watch(_ target: WatchTarget, _ service: any DocumentService, _ context: RequestContext) async throws {
            let sink = RecordingSink()
            let handle = service.watch(target, context: context, sink: sink)
            await eventually("an answer") { !sink.batches.isEmpty || !sink.errors.isEmpty }
            handle.cancel()
            if let error = sink.errors.first {
                #expect(sink.batches.isEmpty)
                throw error
            }
        }
    }

    enum Caller: String, CaseIterable, Sendable {
        case administrator, anonymous, alice, stranger

        var context: RequestContext {
            switch self {
            case .administrator: .embedded
            case .anonymous: .anonymous
            case .alice: .user("alice")
            case .stranger: .user("mallory")
            }
        }
    }

    struct Rule: Sendable, CustomTestStringConvertible {
        let body: String
        let granted: @Sendable (Method, Caller) -> Bool

        var testDescription: String { body }
    }

    static let role = "get(/databases/$(db)/documents/roles/$(request.auth.uid)).data.role == 'reader'"
    static let rules: [Rule] = [
        Rule(body: "") { _, _ in false },
        Rule(body: "match /{all=**} { allow read, write: if true; }") { _, _ in true },
        Rule(body: "match /{all=**} { allow read, write: if request.auth != null; }") { $1 != .anonymous },
        Rule(body: "match /{all=**} { allow read; }") { method, _ in !method.isWrite },
        Rule(body: "match /{all=**} { allow get; }") { method, _ in !method.isWrite && !method.isList },
        Rule(body: "match /{all=**} { allow list; }") { method, _ in method.isList },
        Rule(body: "match /{all=**} { allow create, delete; }") { method, _ in method == .create || method == .delete },
        Rule(body: "match /{all=**} { allow get: if resource.data.owner == request.auth.uid; }") { method, caller in
            caller == .alice && !method.isWrite && !method.isList
        },
        Rule(body: "match /{all=**} { allow list: if resource.data.owner == request.auth.uid; }") { _, _ in false },
        Rule(body: "match /{all=**} { allow read: if \(role); allow write: if \(role); }") { _, caller in
            caller == .alice
        },
    ]

    @Test(arguments: rules, [false, true])
    func `every method is granted to the callers that the rules grant it to`(rule: Rule, onFile: Bool) async throws {
        for method in Method.allCases {
            let database = try await RuledDatabase(rule.body, onFile: onFile)
            for caller in Caller.allCases {
                try await database.fill(
                    .set("c/a", ("owner", .string("alice"))), .delete("c/new"), .set("roles/alice", ("role", .string("reader"))))
                let isGranted = caller == .administrator || !method.isForAdministrators && rule.granted(method, caller)
                do {
                    try await method.call(database, caller.context)
                    #expect(isGranted, "\(method) was granted to \(caller)")
                } catch let error as FirestoreError {
                    #expect(error.code == .permissionDenied && !isGranted, "\(method) by \(caller): \(error)")
                    let text = method.isExplanation ? "explain_options is for administrators" : "Missing or insufficient permissions."
                    #expect(error.message.hasPrefix(text) && (method.isExplanation || error.message == text))
                }
            }
            await database.close()
        }
    }

    @Test func `rules that do not compile answer every request with their errors`() async throws {
        let database = try await RuledDatabase("")
        let error = #expect(throws: RulesError.self) { try RuledDatabase.ruleSet("match /c/{id} { allow read: if ); }") }
        database.rules.replace(with: .broken(try #require(error)))
        await expectError(.invalidArgument, mentioning: "Error compiling rules:", "L3") {
            try await database.service.documents([key("c/a")], context: .anonymous)
        }
        database.rules.replace(with: .open)
        _ = try await database.service.documents([key("c/a")], context: .anonymous)
        await database.close()
    }

    @Test func `a batch of documents is granted as a whole`() async throws {
        for onFile in [false, true] {
            let database = try await RuledDatabase("match /c/{id} { allow get: if resource.data.open == true; }", onFile: onFile)
            try await database.fill(.set("c/a", ("open", .boolean(true))), .set("c/b", ("open", .boolean(true))), .set("c/secret"))
            let service = database.service
            #expect(try await service.documents([key("c/a"), key("c/b")], context: .anonymous).documents.count == 2)
            await expectError(.permissionDenied) {
                try await service.documents([key("c/a"), key("c/secret"), key("c/b")], context: .anonymous)
            }
            await expectError(.permissionDenied) {
                _ = try service.documentsNow([key("c/a"), key("c/secret")], options: .acknowledged(), context: .anonymous)
                // In memory reads are not immediate.
                if !onFile { throw FirestoreError(.permissionDenied, "") }
            }
            await database.close()
        }
    }

    @Test(arguments: [Method.explain, .explainAggregate])
    func `in development queries are explained to callers that may run them`(method: Method) async throws {
        var settings = RuleEnforcement.Settings()
        settings.explainsToCallers = true
        let database = try await RuledDatabase("match /c/{id} { allow list: if request.auth != null; }", settings: settings)
        try await method.call(database, .user("alice"))
        await expectError(.permissionDenied, mentioning: "Missing or insufficient permissions.") { try await method.call(database, .anonymous) }
        await database.close()
    }

    @Test func `queries are explained to administrators only, even where everything is granted`() async throws {
        let database = try await RuledDatabase("")
        database.rules.replace(with: .open)
        for method in [Method.explain, .explainAggregate] {
            await expectError(.permissionDenied, mentioning: "administrator's key") { try await method.call(database, .user("alice")) }
            try await method.call(database, .embedded)
        }
        await database.close()
    }

    /// Without rules being asked, so that a caller is not notified of a denial.
    @Test(arguments: ["allow read;", "allow read: if false;"])
    func `a malformed request is an invalid argument, whatever the rules say`(rule: String) async throws {
        let database = try await RuledDatabase("match /{all=**} { \(rule) }")
        let (service, context) = (database.service as any DocumentService, RequestContext.user("alice"))
        let numbers = Value.array((0..<31).map { .integer($0) })
        let query = StructuredQuery.collection("c").filter("n", .in, numbers)
        var nearest = StructuredQuery.collection("c")
        nearest.nearest = VectorSearch(field: FieldPathSegments("v"), vector: [1], measure: .euclidean, limit: 1)
        let id = try await service.beginTransaction(.readWrite(retrying: nil), context: context)
        let count = [Aggregation(.count(upTo: nil))]
        func watch(_ query: StructuredQuery) async throws {
            let sink = RecordingSink()
            _ = service.watch(.query(query), context: context, sink: sink)
            await eventually("an answer") { !sink.batches.isEmpty || !sink.errors.isEmpty }
            if let error = sink.errors.first { throw error }
        }
        let requests: [(String, () async throws -> Void)] = [
            ("run", { _ = try await service.run(query, options: .acknowledged(), context: context) }),
            ("pages", { try await service.run(query, options: .acknowledged(), context: context) { _ in .next } }),
            ("in a transaction", { _ = try await service.run(query, options: .transaction(id), context: context) }),
            ("count", { _ = try await service.aggregate(query, count, options: .acknowledged(), context: context) }),
            ("aggregations", { _ = try await service.aggregate(.collection("c"), [], options: .acknowledged(), context: context) }),
            ("partitions", { _ = try await service.partitions(of: query, count: 2, options: .acknowledged(), context: context) }),
            ("partitions of a collection", { _ = try await service.partitions(of: .collection("c"), count: 2, options: .acknowledged(), context: context) }),
            ("no partitions", { _ = try await service.partitions(of: .group("c"), count: 0, options: .acknowledged(), context: context) }),
            ("a listener", { try await watch(query) }), ("a listener on a vector search", { try await watch(nearest) }),
        ]
        for (name, request) in requests {
            do {
                try await request()
                Issue.record("\(name) was answered")
            } catch let error as FirestoreError {
                #expect(error.code == .invalidArgument, "\(name): \(error)")
            }
        }
        await database.close()
    }

    @Test func `in development a denial says why`() async throws {
        var settings = RuleEnforcement.Settings()
        settings.explainsToCallers = true
        let database = try await RuledDatabase("match /c/{id} { allow get: if resource.data.n > 1; }", settings: settings)
        try await database.fill(.set("c/a", ("n", .integer(1))))
        await expectError(.permissionDenied, mentioning: "Missing or insufficient permissions.", "L3:31", "resource.data.n = 1") {
            try await database.service.documents([key("c/a")], context: .anonymous)
        }
        await database.close()
    }

    @Test func `the reasons of denials are reported, so many a second`() async throws {
        let reasons = Mutex<[String]>([])
        var settings = RuleEnforcement.Settings()
        settings.onDenial = { explanation in reasons.withLock { $0.append(explanation.summary) } }
        settings.explainedDenialsPerSecond = 2
        let clock = ManualClock(microseconds: 1_750_000_000_000_000)
        let database = try await RuledDatabase("match /c/{id} { allow get: if 1 > 2; }", clock: clock, settings: settings)
        for _ in 0..<5 {
            await expectError(.permissionDenied) { try await database.service.documents([key("c/a")], context: .anonymous) }
        }
        #expect(reasons.withLock { $0 }.count == 2)
        clock.advance(microseconds: 1_000_000)
        await expectError(.permissionDenied) { try await database.service.commit([.set("c/a")], context: .anonymous) }
        #expect(reasons.withLock { $0 }.count == 3)
        #expect(reasons.withLock { $0[0] }.contains("get c/a: denied."))
        await database.close()
    }
}
