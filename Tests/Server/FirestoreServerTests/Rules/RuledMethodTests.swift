// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreWire
import Foundation
import ServerFixtures
import Testing

@testable import FirestoreServer

/// What the rules grant and deny, method by method.
struct RuledMethodTests {
    private static let database = ServerFixture.database

    private static func key(_ path: String) -> DocumentKey { DocumentKey(trusted: path) }

    private static func owned(_ id: String, by owner: String) -> Write {
        Write(key: key("own/\(id)"), operation: .patch(.of([("owner", .string(owner))]), mask: [FieldPathSegments("owner")]))
    }

    private static func query(_ owner: String) -> StructuredQuery {
        var query = StructuredQuery.all("own")
        query.filter = .field(FieldPathSegments("owner"), .equal, ValueBytes(.string(owner)))
        return query
    }

    private static let items = StructuredQuery(scope: .collectionGroup(id: "items", under: nil))

    typealias Call = @Sendable (ServerFixture, Ruled.Header) async throws -> Void

    /// A method, what it is asked, and for whom it is granted.
    struct Row: Sendable, CustomStringConvertible {
        let method: FirestoreMethod
        let name: String
        let granted: String
        /// The answer to those for whom it is granted.
        let answer: FirestoreError.Code
        let call: Call

        init(
            _ method: FirestoreMethod, _ name: String, _ granted: String, answer: FirestoreError.Code = .ok, _ call: @escaping Call
        ) {
            (self.method, self.name, self.granted, self.answer, self.call) = (method, name, granted, answer, call)
        }

        func expected(for caller: String) -> FirestoreError.Code {
            granted.split(separator: " ").contains { $0 == caller } ? answer : .permissionDenied
        }

        var description: String { "\(method) \(name)" }
    }

    private static func get(_ path: String) -> Call {
        { _ = try await $0.unary(.getDocument, GetDocumentRequest(database: database, key: key(path)), metadata: $1, as: DocumentResponse.self) }
    }

    private static func commit(_ write: Write) -> Call {
        { _ = try await $0.unary(.commit, CommitRequest(database: database, writes: [write]), metadata: $1, as: CommitMessage.self) }
    }

    private static func list(_ collection: String, size: Int = 0, missing: Bool = false) -> Call {
        { server, header in
            let request = ListDocumentsRequest(database: database, parent: nil, collectionID: collection, pageSize: size, showMissing: missing)
            _ = try await server.unary(.listDocuments, request, metadata: header, as: ListDocumentsResponse.self)
        }
    }

    private static func run(_ query: StructuredQuery) -> Call {
        { _ = try await $0.stream(.runQuery, RunQueryRequest(database: database, query: query), as: $1, of: RunQueryResponse.self) }
    }

    private static func batchGet(_ paths: String...) -> Call {
        { server, header in
            let request = BatchGetDocumentsRequest(database: database, keys: paths.map(key))
            _ = try await server.stream(.batchGetDocuments, request, as: header, of: BatchGetDocumentsResponse.self)
        }
    }

    private static func execute(_ pipeline: String) -> Call {
        { server, header in
            let request = ExecutePipelineRequest(database: database, pipeline: try PipelineText.parse(pipeline))
            _ = try await server.stream(.executePipeline, request, as: header, of: ExecutePipelineResponse.self)
        }
    }

    static let rows: [Row] = [
        Row(.getDocument, "of the owner", "ada admin", get("own/ada")),
        Row(.getDocument, "by a role", "ada admin", get("role/a")),
        Row(.getDocument, "without a match", "admin", get("roles/ada")),
        Row(.batchGetDocuments, "of one owner", "ada admin", batchGet("own/ada")),
        Row(.batchGetDocuments, "of two owners", "admin", batchGet("own/ada", "own/bob")),
        Row(.listDocuments, "of all owners", "admin", list("own")),
        Row(.listDocuments, "few", "ada bob nobody admin", list("few", size: 10)),
        Row(.listDocuments, "too many", "admin", list("few", size: 11)),
        Row(.listDocuments, "as many as the server chooses", "admin", list("few")),
        Row(.listDocuments, "few, with missing ones", "ada bob nobody admin", list("few", size: 10, missing: true)),
        Row(.runQuery, "for a's own", "ada admin", run(query("ada"))),
        Row(.runQuery, "for b's own", "bob admin", run(query("bob"))),
        Row(.runQuery, "for all", "admin", run(.all("own"))),
        Row(.runAggregationQuery, "of a's own", "ada admin") { server, header in
            let request = RunAggregationQueryRequest(database: database, query: query("ada"), aggregations: [Aggregation(.count(upTo: nil))])
            _ = try await server.stream(.runAggregationQuery, request, as: header, of: RunAggregationQueryResponse.self)
        },
        Row(.partitionQuery, "of a group", "ada bob admin") { server, header in
            let request = PartitionQueryRequest(database: database, query: items, partitionCount: 2)
            _ = try await server.unary(.partitionQuery, request, metadata: header, as: PartitionQueryResponse.self)
        },
        Row(.listCollectionIDs, "of the root", "admin") { server, header in
            let request = ListCollectionIDsRequest(database: database, parent: nil)
            _ = try await server.unary(.listCollectionIDs, request, metadata: header, as: ListCollectionIDsMessage.self)
        },
        Row(.commit, "a creation", "ada admin", commit(.set("own/new", [("owner", .string("ada"))]))),
        Row(.commit, "an update", "ada admin", commit(owned("ada", by: "bob"))),
        Row(.commit, "a deletion", "bob admin", commit(.delete("own/bob"))),
        Row(.createDocument, "of her own", "ada admin") { server, header in
            let fields = FieldBytes.of([("owner", .string("ada"))])
            let request = CreateDocumentRequest(database: database, parent: nil, collectionID: "own", documentID: "n", fields: fields)
            _ = try await server.unary(.createDocument, request, metadata: header, as: DocumentResponse.self)
        },
        Row(.updateDocument, "of her own", "ada admin") { server, header in
            let request = UpdateDocumentRequest(database: database, write: owned("ada", by: "ada"))
            _ = try await server.unary(.updateDocument, request, metadata: header, as: DocumentResponse.self)
        },
        Row(.updateDocument, "that the caller may not read", "ada bob nobody admin") { server, header in
            let request = UpdateDocumentRequest(database: database, write: .set("drop/a"))
            _ = try await server.unary(.updateDocument, request, metadata: header, as: DocumentResponse.self)
        },
        Row(.deleteDocument, "of her own", "ada admin") { server, header in
            let request = DeleteDocumentRequest(database: database, write: .delete("own/ada"))
            _ = try await server.unary(.deleteDocument, request, metadata: header, as: EmptyMessage.self)
        },
        // SR-22
        Row(.batchWrite, "of her own", "admin") { server, header in
            let request = BatchWriteRequest(database: database, writes: [owned("ada", by: "ada")])
            let answer = try await server.unary(.batchWrite, request, metadata: header, as: BatchWriteResponse.self)
            _ = try answer.results[0].get()
        },
        Row(.beginTransaction, "to read her own", "ada admin") { server, header in
            let begin = BeginTransactionRequest(database: database, options: .readWrite(retrying: nil))
            let id = try await server.unary(.beginTransaction, begin, metadata: header, as: BeginTransactionResponse.self).transaction
            let read = GetDocumentRequest(database: database, key: key("own/ada"), consistency: .transaction(id))
            _ = try await server.unary(.getDocument, read, metadata: header, as: DocumentResponse.self)
            let commit = CommitRequest(database: database, writes: [owned("ada", by: "ada")], transaction: id)
            _ = try await server.unary(.commit, commit, metadata: header, as: CommitMessage.self)
        },
        Row(.rollback, "of nothing", "ada bob nobody admin") { server, header in
            let begin = BeginTransactionRequest(database: database, options: .readWrite(retrying: nil))
            let id = try await server.unary(.beginTransaction, begin, metadata: header, as: BeginTransactionResponse.self).transaction
            _ = try await server.unary(.rollback, RollbackRequest(database: database, transaction: id), metadata: header, as: EmptyMessage.self)
        },
        Row(.write, "of her own", "ada admin") { server, header in
            let (call, handler) = try server.open(.write, metadata: header)
            handler.receive(ByteSlice(WriteRequest(database: database).encoded()))
            await call.until(messages: 1)
            guard let first = call.messages.first else {
                _ = try await call.outcome()
                return
            }
            let token = try WriteResponse(decoding: first).streamToken
            handler.receive(ByteSlice(WriteRequest(database: database, streamToken: token, writes: [owned("ada", by: "ada")]).encoded()))
            handler.halfClosed()
            _ = try await call.outcome()
        },
        Row(.executePipeline, "of her own", "ada admin", execute("collection(/own) where(equal(owner, \"ada\"))")),
        Row(.executePipeline, "of everything", "admin", execute("collection(/own)")),
        Row(.executePipeline, "with a second source", "admin", execute("collection(/own) where(equal(owner, \"ada\")) union(collection(/roles))")),
        Row(.executePipeline, "of a document", "ada admin", execute("documents(/own/ada)")),
        Row(.listen, "to her own", "ada admin") { server, header in
            let listener = try server.listen(.query(query("ada")), as: header)
            listener.add(.documents([key("drop/a")]), 2)
            // A target that is denied does not end the stream (SR-144).
            if !header.contains(where: { $0.value == "Bearer owner" }) { #expect(try await listener.isRemoved(2) == .permissionDenied) }
            // Targets that become current together are named in one change.
            let change: TargetChange = try await listener.first { response in
                guard case .targetChange(let change) = response, change.targets.contains(1), change.kind != .add else { return nil }
                return change
            }
            #expect(listener.call.status == nil)
            if let cause = change.cause { throw cause }
            listener.handler.ended(nil)
        },
    ]

    @Test(arguments: rows.indices)
    func `a method under rules`(row: Int) async throws {
        let row = Self.rows[row]
        for (name, header) in Ruled.everyone {
            let server = try await Ruled.server()
            #expect(await code { try await row.call(server, header) } == row.expected(for: name), "\(row) as \(name)")
        }
    }

    @Test func `the table has every method`() {
        let missing = Set(FirestoreMethod.allCases).subtracting(Self.rows.map(\.method))
        #expect(missing.isEmpty)
    }

    /// Without rules, everything is granted to everyone.
    @Test(arguments: rows.indices)
    func `a method without rules`(row: Int) async throws {
        let server = try await Ruled.server()
        server.rules.install(.open, for: .everyDatabase)
        // Listens to a target that only rules would remove.
        guard Self.rows[row].method != .listen else { return }
        #expect(await code { try await Self.rows[row].call(server, Ruled.nobody) } == Self.rows[row].answer, "\(Self.rows[row])")
    }

    /// Methods while the caller is being identified: nothing is answered before.
    @Test(arguments: rows.indices)
    func `a method that waits for its caller`(row: Int) async throws {
        let row = Self.rows[row]
        let authentication = FakeAuthentication(slow: true)
        authentication.add("a", .user(id: "ada", claims: FieldMap([("sub", .string("ada"))])))
        let server = try await Ruled.server(authentication)
        let answer = Task { await code { try await row.call(server, [("authorization", "Bearer a")]) } }
        await authentication.untilAsked()
        authentication.answer()
        #expect(await answer.value == row.expected(for: "ada"), "\(row)")
        let refused = Task { await code { try await row.call(server, [("authorization", "Bearer b")]) } }
        #expect(await refused.value == .unauthenticated, "\(row)")
    }

    private static let runQueryPath = "/v1/projects/library/databases/(default)/documents:runQuery"
    private static let aggregationPath = "/v1/projects/library/databases/(default)/documents:runAggregationQuery"

    private static func explanation(of query: String, analyze: Bool) -> String {
        #"{\#(query),"explainOptions":{"analyze":\#(analyze)}}"#
    }

    /// Of queries that the rules grant to ada: the statistics include documents of other users.
    @Test(arguments: [ExplainOptions.plan, .analyze])
    func `queries are explained to administrators only, over gRPC and REST`(options: ExplainOptions) async throws {
        let server = try await Ruled.server()
        let count = [Aggregation(.count(upTo: nil))]
        let own = #"{"from":[{"collectionId":"own"}],"where":{"fieldFilter":{"field":{"fieldPath":"owner"},"op":"EQUAL","value":{"stringValue":"ada"}}}}"#
        let bodies = [
            (Self.runQueryPath, #""structuredQuery":\#(own)"#),
            (Self.aggregationPath, #""structuredAggregationQuery":{"structuredQuery":\#(own),"aggregations":[{"count":{}}]}"#),
        ]
        for (name, header) in Ruled.everyone {
            let expected: FirestoreError.Code = name == "admin" ? .ok : .permissionDenied
            let run = RunQueryRequest(database: Self.database, query: Self.query("ada"), explain: options)
            let aggregate = RunAggregationQueryRequest(database: Self.database, query: Self.query("ada"), aggregations: count, explain: options)
            #expect(await code { _ = try await server.stream(.runQuery, run, as: header, of: RunQueryResponse.self) } == expected, "\(name)")
            #expect(
                await code { _ = try await server.stream(.runAggregationQuery, aggregate, as: header, of: RunAggregationQueryResponse.self) }
                    == expected, "\(name)")
            for (path, body) in bodies {
                let answer = await server.http(
                    "POST", path, headers: header, body: Self.explanation(of: body, analyze: options == .analyze))
                #expect(answer.status == (expected == .ok ? 200 : 403), "\(name) \(path)")
                #expect(answer.text.contains("explainMetrics") == (expected == .ok))
                #expect(answer.text.contains("explain_options is for administrators") == (expected != .ok))
                #expect(expected == .ok || !answer.text.contains("documents/own"), "\(name) received documents")
            }
        }
    }

    @Test func `in development queries are explained to callers that may run them`() async throws {
        var settings = RuleEnforcement.Settings()
        settings.explainsToCallers = true
        let server = ServerFixture(rules: RulesRegistry(try Ruled.rules(Ruled.standard), settings: settings))
        for (header, expected) in [(Ruled.ada, FirestoreError.Code.ok), (Ruled.bob, .permissionDenied)] {
            let run = RunQueryRequest(database: Self.database, query: Self.query("ada"), explain: .analyze)
            #expect(await code { _ = try await server.stream(.runQuery, run, as: header, of: RunQueryResponse.self) } == expected)
        }
    }

    /// By every method that can name a time.
    @Test func `a role that was taken away does not read the past`() async throws {
        let server = try await Ruled.server()
        let database = try await server.open()
        let before = try await database.commit([.set("role/a")], context: .embedded).commitTime
        _ = try await database.commit([.delete("roles/ada")], context: .embedded)
        let consistency = ConsistencySelector.readTime(before.timestamp)
        let roles = StructuredQuery.all("role")
        func transaction(_ header: Ruled.Header) async throws -> ByteSlice {
            let begin = BeginTransactionRequest(database: Self.database, options: .readOnly(at: before.timestamp))
            return try await server.unary(.beginTransaction, begin, metadata: header, as: BeginTransactionResponse.self).transaction
        }
        let calls: [(name: String, call: (Ruled.Header) async throws -> Void)] = [
            (
                "get",
                {
                    let request = GetDocumentRequest(database: Self.database, key: Self.key("role/a"), consistency: consistency)
                    _ = try await server.unary(.getDocument, request, metadata: $0, as: DocumentResponse.self)
                }
            ),
            (
                "get in a transaction",
                {
                    let request = GetDocumentRequest(
                        database: Self.database, key: Self.key("role/a"), consistency: .transaction(try await transaction($0)))
                    _ = try await server.unary(.getDocument, request, metadata: $0, as: DocumentResponse.self)
                }
            ),
            (
                "batch get",
                {
                    let request = BatchGetDocumentsRequest(database: Self.database, keys: [Self.key("role/a")], consistency: consistency)
                    _ = try await server.stream(.batchGetDocuments, request, as: $0, of: BatchGetDocumentsResponse.self)
                }
            ),
            (
                "list",
                {
                    let request = ListDocumentsRequest(
                        database: Self.database, parent: nil, collectionID: "role", consistency: consistency)
                    _ = try await server.unary(.listDocuments, request, metadata: $0, as: ListDocumentsResponse.self)
                }
            ),
            (
                "query",
                {
                    let request = RunQueryRequest(database: Self.database, query: roles, consistency: consistency)
                    _ = try await server.stream(.runQuery, request, as: $0, of: RunQueryResponse.self)
                }
            ),
            (
                "aggregation",
                {
                    let request = RunAggregationQueryRequest(
                        database: Self.database, query: roles, aggregations: [Aggregation(.count(upTo: nil))], consistency: consistency)
                    _ = try await server.stream(.runAggregationQuery, request, as: $0, of: RunAggregationQueryResponse.self)
                }
            ),
        ]
        for (name, call) in calls {
            #expect(await code { try await call(Ruled.ada) } == .permissionDenied, "\(name)")
            #expect(await code { try await call(Ruled.admin) } == .ok, "\(name)")
        }
        _ = try await database.commit([.set("roles/ada", [("reads", .boolean(true))])], context: .embedded)
        for (name, call) in calls { #expect(await code { try await call(Ruled.ada) } == .ok, "\(name)") }
    }

    @Test func `a malformed list is an invalid argument even for callers that rules deny it`() async throws {
        let server = try await Ruled.server()
        var malformed = StructuredQuery.all("own")
        malformed.filter = .field(FieldPathSegments("n"), .in, ValueBytes(.array((0..<31).map { .integer($0) })))
        let calls: [() async throws -> Void] = [
            {
                let request = RunQueryRequest(database: Self.database, query: malformed)
                _ = try await server.stream(.runQuery, request, as: Ruled.bob, of: RunQueryResponse.self)
            },
            {
                let request = RunAggregationQueryRequest(
                    database: Self.database, query: malformed, aggregations: [Aggregation(.count(upTo: nil))])
                _ = try await server.stream(.runAggregationQuery, request, as: Ruled.bob, of: RunAggregationQueryResponse.self)
            },
            {
                let request = RunQueryRequest(
                    database: Self.database, query: malformed, consistency: .newTransaction(.readOnly(at: nil)))
                _ = try await server.stream(.runQuery, request, as: Ruled.bob, of: RunQueryResponse.self)
            },
            {
                let request = PartitionQueryRequest(database: Self.database, query: malformed, partitionCount: 2)
                _ = try await server.unary(.partitionQuery, request, metadata: Ruled.bob, as: PartitionQueryResponse.self)
            },
        ]
        for (index, call) in calls.enumerated() { #expect(await code(call) == .invalidArgument, "\(index)") }
        let listener = try server.listen(.query(malformed), as: Ruled.bob)
        #expect(try await listener.isRemoved(1) == .invalidArgument)
        listener.handler.ended(nil)
    }

    @Test func `reads that arrive together are judged each for itself`() async throws {
        let server = try await Ruled.server()
        let wanted: [(path: String, header: Ruled.Header, code: FirestoreError.Code)] = [
            ("own/ada", Ruled.ada, .ok), ("own/ada", Ruled.bob, .permissionDenied), ("own/bob", Ruled.bob, .ok), ("own/bob", Ruled.admin, .ok),
            ("own/none", Ruled.admin, .notFound), ("own/none", Ruled.ada, .permissionDenied), ("role/a", Ruled.ada, .ok), ("role/a", Ruled.bob, .permissionDenied),
        ]
        let calls = wanted.map { row in
            server.call(.getDocument, GetDocumentRequest(database: Self.database, key: Self.key(row.path)), metadata: row.header)
        }
        server.start(.getDocument, calls)
        for (call, row) in zip(calls, wanted) {
            #expect(await code { _ = try await call.result().get() } == row.code, "\(row)")
        }
    }

    @Test func `of hundreds of documents all are read, or none`() async throws {
        let server = try await Ruled.server()
        let keys = (100..<350).map { "own/\($0)" }
        let database = try await server.open()
        for (index, path) in keys.enumerated() {
            _ = try await database.commit([.set(path, [("owner", .string(index == 249 ? "bob" : "ada"))])], context: .embedded)
        }
        for (header, count) in [(Ruled.admin, 250), (Ruled.ada, 0)] {
            let (call, handler) = try server.open(.batchGetDocuments, metadata: header)
            handler.receive(ByteSlice(BatchGetDocumentsRequest(database: Self.database, keys: keys.map(Self.key)).encoded()))
            handler.halfClosed()
            let answer = await code { _ = try await call.outcome() }
            #expect(answer == (count > 0 ? .ok : .permissionDenied) && call.messages.count == count)
        }
    }

    @Test func `a caller that may write but not read gets back what was written`() async throws {
        let server = try await Ruled.server()
        _ = try await server.open().commit([.set("drop/a", [("secret", .integer(1)), ("n", .integer(1))])], context: .embedded)
        let write = Write(key: Self.key("drop/a"), operation: .patch(.of([("n", .integer(2))]), mask: [FieldPathSegments("n")]))
        for (header, sees) in [(Ruled.ada, false), (Ruled.admin, true)] {
            let document = try await server.unary(
                .updateDocument, UpdateDocumentRequest(database: Self.database, write: write), metadata: header, as: DocumentResponse.self
            ).document
            #expect((document["secret"] != nil) == sees && document["n"] != nil)
        }
    }

    @Test func `a transaction belongs to the caller that began it`() async throws {
        let server = try await Ruled.server()
        for (owner, other) in [(Ruled.ada, Ruled.bob), (Ruled.ada, Ruled.nobody), (Ruled.nobody, Ruled.ada), (Ruled.admin, Ruled.ada), (Ruled.ada, Ruled.admin)] {
            let begin = BeginTransactionRequest(database: Self.database, options: .readWrite(retrying: nil))
            let id = try await server.unary(.beginTransaction, begin, metadata: owner, as: BeginTransactionResponse.self).transaction
            let read = GetDocumentRequest(database: Self.database, key: Self.key("drop/a"), consistency: .transaction(id))
            let commit = CommitRequest(database: Self.database, writes: [.set("drop/a")], transaction: id)
            let again = BeginTransactionRequest(database: Self.database, options: .readWrite(retrying: id))
            let rollback = RollbackRequest(database: Self.database, transaction: id)
            for body: () async throws -> Void in [
                { _ = try await server.unary(.getDocument, read, metadata: other, as: DocumentResponse.self) },
                { _ = try await server.unary(.commit, commit, metadata: other, as: CommitMessage.self) },
                { _ = try await server.unary(.beginTransaction, again, metadata: other, as: BeginTransactionResponse.self) },
                { _ = try await server.unary(.rollback, rollback, metadata: other, as: EmptyMessage.self) },
            ] { #expect(await code(body) == .permissionDenied) }
            _ = try await server.unary(.commit, commit, metadata: owner, as: CommitMessage.self)
        }
    }

    @Test func `a transaction's id cannot be made up`() throws {
        let unbound = TransactionTokens(run: 1, isBoundToCaller: false)
        let shared = unbound.token(of: TransactionID(7), in: Self.database, for: .administrator)
        #expect(try unbound.transaction(of: shared, in: Self.database, for: .anonymous) == TransactionID(7))
        let tokens = TransactionTokens(run: 1)
        let mine = tokens.token(of: TransactionID(5), in: Self.database, for: .user(id: "ada", claims: FieldMap()))
        // Everything but the proof can be computed from another id of the same run.
        let other = TransactionTokens(run: 1).token(of: TransactionID(6), in: Self.database, for: .anonymous).array
        let forged = ByteSlice(Array(other.prefix(28)) + mine.array.dropFirst(28))
        let error = #expect(throws: FirestoreError.self) {
            try tokens.transaction(of: forged, in: Self.database, for: .user(id: "ada", claims: FieldMap()))
        }
        #expect(error?.code == .permissionDenied)
    }

    @Test func `over REST a denial is 403 and a token that is not accepted 401`() async throws {
        let server = try await Ruled.server()
        let root = "/v1/projects/library/databases/(default)/documents"
        let list = #"{"structuredQuery":{"from":[{"collectionId":"own"}]}}"#
        for (header, status) in [(Ruled.ada, 200), (Ruled.bob, 403), (Ruled.nobody, 403), (Ruled.admin, 200), ([("authorization", "Bearer x")], 401)] {
            #expect(await server.http("GET", root + "/own/ada", headers: header).status == status)
            #expect(await server.http("POST", root + ":runQuery", headers: header, body: list).status == (status == 200 && header[0].value != "Bearer owner" ? 403 : status))
        }
        let denial = await server.http("GET", root + "/own/ada", headers: Ruled.bob)
        #expect(denial.text.contains("\"PERMISSION_DENIED\"") && denial.text.contains("Missing or insufficient permissions."))
    }
}
