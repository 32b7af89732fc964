// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FirestoreServer
import FirestoreWire

/// A question to rules: an operation of a caller in a database.
struct DecisionQuestion: Sendable {
    let database: DatabaseID
    let operation: RulesRequest.Operation
    let caller: RequestContext.Caller

    /// An earlier request; nil if no rules speak of it.
    init?(_ request: ByteSlice, of method: FirestoreMethod, caller: RequestContext.Caller) throws(FirestoreError) {
        guard let (database, operation) = try Self.read(request, method) else { return nil }
        self.database = database
        self.operation = operation
        self.caller = caller
    }

    private static func read(
        _ request: ByteSlice, _ method: FirestoreMethod
    ) throws(FirestoreError) -> (DatabaseID, RulesRequest.Operation)? {
        switch method {
        case .getDocument:
            let request = try GetDocumentRequest(decoding: request)
            return (request.database, .get([request.key]))
        case .batchGetDocuments:
            let request = try BatchGetDocumentsRequest(decoding: request)
            return (request.database, .get(request.keys))
        case .listDocuments:
            let request = try ListDocumentsRequest(decoding: request)
            return (request.database, .list(try DocumentPage(request, isJudged: true, history: nil).judgedQuery()))
        case .createDocument:
            let request = try CreateDocumentRequest(decoding: request)
            let collection = CollectionPath(parent: request.parent, id: request.collectionID)
            let key = DocumentKey(collection: collection, id: request.documentID.utf8.isEmpty ? AutoID.make() : request.documentID)
            return (request.database, .commit([Write(key: key, operation: .set(request.fields), precondition: .exists(false))]))
        case .updateDocument:
            let request = try UpdateDocumentRequest(decoding: request)
            return (request.database, .commit([request.write]))
        case .deleteDocument:
            let request = try DeleteDocumentRequest(decoding: request)
            return (request.database, .commit([request.write]))
        case .commit:
            let request = try CommitRequest(decoding: request)
            return (request.database, .commit(request.writes))
        case .write:
            let request = try WriteRequest(decoding: request)
            guard let database = request.database, !request.writes.isEmpty else { return nil }
            return (database, .commit(request.writes))
        case .runQuery:
            let request = try RunQueryRequest(decoding: request)
            return (request.database, .list(request.query))
        case .runAggregationQuery:
            let request = try RunAggregationQueryRequest(decoding: request)
            return (request.database, .list(request.query))
        case .partitionQuery:
            let request = try PartitionQueryRequest(decoding: request)
            return (request.database, .list(request.query))
        case .listen:
            let request = try ListenRequest(decoding: request)
            guard case .add(let target) = request.change else { return nil }
            switch try target.target.get() {
            case .documents(let keys): return (request.database, .get(keys))
            case .query(let query): return (request.database, .list(query))
            }
        // Only administrators may.
        case .batchWrite, .listCollectionIDs: return nil
        case .executePipeline:
            let request = try ExecutePipelineRequest(decoding: request)
            return (request.database, .pipeline(try PipelineReads(request.pipeline, in: request.database)))
        case .beginTransaction, .rollback: return nil
        }
    }

    // MARK: Described

    /// `{"database":…, "as":…, "method":"update", "path":"books/b1", "fields":{}}`
    init(_ body: JSONNode) throws(FirestoreError) {
        database = try ConsoleQuestion.database(try body.required("database").string())
        caller = try ConsoleQuestion.caller(try body.optional("as"))
        let path = try body.required("path").string()
        let method = try body.required("method")
        switch try method.string() {
        case "get": operation = .get([try PathCheck.documentKey(path)])
        case "list": operation = .list(StructuredQuery(scope: .collection(try PathCheck.collectionPath(path))))
        case "create": operation = .commit([try Self.write(path, try body.optional("fields"), exists: false, database)])
        case "update": operation = .commit([try Self.write(path, try body.optional("fields"), exists: true, database)])
        case "delete": operation = .commit([Write(key: try PathCheck.documentKey(path), operation: .delete)])
        default: throw method.failure("get, list, create, update or delete is expected")
        }
    }

    /// A write of a whole document in the form of REST.
    private static func write(
        _ path: String, _ fields: JSONNode?, exists: Bool, _ database: DatabaseID
    ) throws(FirestoreError) -> Write {
        let name: JSON = .string(database.name(of: try PathCheck.documentKey(path)))
        let write: JSON = .object([
            ("update", .object([("name", name), ("fields", fields?.json ?? .object([]))])),
            ("currentDocument", .object([("exists", .boolean(exists))])),
        ])
        let request: JSON = .object([
            ("database", .string("projects/\(database.projectID)/databases/\(database.databaseID)")), ("writes", .array([write])),
        ])
        let commit = try CommitRequest(decoding: try FirestoreMethod.commit.requestBytes(request))
        guard let write = commit.writes.first else { throw .invalidArgument("the request has no write") }
        return write
    }

    /// The documents that are looked at in any case.
    var keys: [DocumentKey] {
        switch operation {
        case .get(let keys): keys
        case .list: []
        case .pipeline(let reads): reads.keys
        case .commit(let writes): writes.map(\.key)
        }
    }

    var writes: [Write] { if case .commit(let writes) = operation { writes } else { [] } }
}
