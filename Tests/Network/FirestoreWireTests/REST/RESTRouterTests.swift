// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

struct RESTRouterTests {
    private static let root = "/v1/projects/p/databases/(default)/documents"
    private static let name = "projects/p/databases/(default)"

    private static func match(_ verb: String, _ target: String) throws -> RESTCall? { try RESTRouter.match(verb: verb, target: target) }

    @Test(arguments: [
        ("GET", "/c/d", FirestoreMethod.getDocument, "/documents/c/d", nil), ("GET", "/c", .listDocuments, "/documents", "c"),
        ("GET", "/c/d/e", .listDocuments, "/documents/c/d", "e"), ("POST", "/c", .createDocument, "/documents", "c"),
        ("POST", "/c/d/e", .createDocument, "/documents/c/d", "e"), ("PATCH", "/c/d", .updateDocument, "/documents/c/d", nil),
        ("DELETE", "/c/d", .deleteDocument, "/documents/c/d", nil), ("POST", ":batchGet", .batchGetDocuments, "", nil),
        ("POST", ":beginTransaction", .beginTransaction, "", nil), ("POST", ":commit", .commit, "", nil), ("POST", ":rollback", .rollback, "", nil),
        ("POST", ":batchWrite", .batchWrite, "", nil), ("POST", ":executePipeline", .executePipeline, "", nil), ("POST", ":write", .write, "", nil),
        ("POST", ":listen", .listen, "", nil), ("POST", ":runQuery", .runQuery, "/documents", nil),
        ("POST", "/c/d:runQuery", .runQuery, "/documents/c/d", nil), ("POST", ":runAggregationQuery", .runAggregationQuery, "/documents", nil),
        ("POST", "/c/d:runAggregationQuery", .runAggregationQuery, "/documents/c/d", nil), ("POST", ":partitionQuery", .partitionQuery, "/documents", nil),
        ("POST", ":listCollectionIds", .listCollectionIDs, "/documents", nil), ("POST", "/c/d:listCollectionIds", .listCollectionIDs, "/documents/c/d", nil),
        // Ids may hold colons, and what is encoded.
        ("GET", "/c/a:runQuery", .getDocument, "/documents/c/a:runQuery", nil), ("POST", "/a:b", .createDocument, "/documents", "a:b"),
        ("GET", "/c/%C3%A9%20x%25", .getDocument, "/documents/c/é x%", nil), ("GET", "/c/a+b", .getDocument, "/documents/c/a+b", nil),
    ] as [(String, String, FirestoreMethod, String, String?)])
    func `paths lead to methods`(verb: String, path: String, method: FirestoreMethod, resource: String, collectionID: String?) throws {
        let call = try #require(try Self.match(verb, Self.root + path))
        #expect(call.method == method)
        #expect(call.resource == Self.name + resource)
        #expect(call.collectionID == collectionID)
        #expect(method.verb == verb)
    }

    @Test(arguments: ["(default)", "%28default%29", "%28default)"]) func `the default database may be encoded`(database: String) throws {
        // DM-2
        let call = try #require(try Self.match("GET", "/v1/projects/p/databases/\(database)/documents/c/d"))
        #expect(call.resource == Self.name + "/documents/c/d")
    }

    @Test(arguments: [
        ("GET", "/"), ("GET", ""), ("GET", "/v1"), ("GET", "/v2/projects/p/databases/d/documents/c/d"), ("GET", "/v1/projects/p/databases/d"),
        ("GET", root), ("POST", root), ("PUT", root + "/c/d"), ("POST", root + ":unheardOf"), ("POST", root + "/c/d:commit"), ("GET", root + ":commit"),
        ("DELETE", "/emulator/v1/projects/p/databases/d/documents"),
    ]) func `other paths lead nowhere`(verb: String, target: String) throws {
        #expect(try Self.match(verb, target) == nil)
    }

    @Test(arguments: [
        ("PATCH", "/c"), ("DELETE", "/c/d/e"), ("POST", "/c/d"), ("POST", "/c:runQuery"), ("GET", "/c/%zz"), ("GET", "/c/%C3"), ("GET", "/c/a%2Fb"),
    ]) func `paths that are not in order are rejected`(verb: String, path: String) {
        // DM-8, DM-9
        let error = #expect(throws: FirestoreError.self) { try Self.match(verb, Self.root + path) }
        #expect(error?.code == .invalidArgument)
    }

    private func request(_ verb: String, _ path: String, _ body: String = "") throws -> ByteSlice {
        let call = try #require(try Self.match(verb, Self.root + path))
        return try call.requestBytes(body: ByteSlice(Array(body.utf8)))
    }

    @Test func `a get takes its mask and moment from the URL`() throws {
        let request = try GetDocumentRequest(
            decoding: try request("GET", "/c/d?mask.fieldPaths=a&mask.fieldPaths=%60b.c%60&readTime=2024-01-02T03:04:05Z&key=abc&prettyPrint=false"))
        #expect(request.key == DocumentKey(trusted: "c/d") && request.database == DatabaseID(projectID: "p"))
        #expect(request.mask == [FieldPathSegments("a"), FieldPathSegments("b.c")])
        #expect(request.consistency == .readTime(TimestampValue(seconds: 1_704_164_645, nanoseconds: 0)))
    }

    @Test func `a list takes its paging from the URL`() throws {
        let request = try ListDocumentsRequest(
            decoding: try request("GET", "/c/d/e?pageSize=5&page_token=t&orderBy=a+desc&showMissing=true&transaction=AAEC"))
        #expect(request.collectionID == "e" && request.parent == DocumentKey(trusted: "c/d"))
        #expect(request.pageSize == 5 && request.pageToken == "t" && request.orderBy == "a desc" && request.showMissing)
        #expect(request.consistency == .transaction(ByteSlice([0, 1, 2])))
    }

    @Test func `an update without a mask replaces, with one it merges`() throws {
        // WR-4, WR-5
        let body = #"{"name": "ignored", "fields": {"a": {"integerValue": "1"}}}"#
        let set = try UpdateDocumentRequest(decoding: try request("PATCH", "/c/d?currentDocument.exists=true", body))
        guard case .set(let fields) = set.write.operation else { throw FirestoreError(.internal, "no set") }
        #expect(fields == FieldBytes(FieldMap([("a", .integer(1))])) && set.write.precondition == .exists(true))
        #expect(set.write.key == DocumentKey(trusted: "c/d"))
        let patch = try UpdateDocumentRequest(
            decoding: try request("PATCH", "/c/d?updateMask.fieldPaths=a&updateMask.fieldPaths=b&currentDocument.updateTime=1970-01-01T00:00:01Z", body))
        guard case .patch(_, let mask) = patch.write.operation else { throw FirestoreError(.internal, "no patch") }
        #expect(mask == [FieldPathSegments("a"), FieldPathSegments("b")])
        #expect(patch.write.precondition == .updateTime(DocumentVersion(microseconds: 1_000_000)))
    }

    @Test func `a document is created with an id or without`() throws {
        let named = try CreateDocumentRequest(decoding: try request("POST", "/c?documentId=d&mask.fieldPaths=a", #"{"fields": {}}"#))
        #expect(named.documentID == "d" && named.collectionID == "c" && named.mask == [FieldPathSegments("a")])
        let unnamed = try CreateDocumentRequest(decoding: try request("POST", "/c/d/e"))
        #expect(unnamed.documentID.isEmpty && unnamed.parent == DocumentKey(trusted: "c/d") && unnamed.fields == .empty)
    }

    @Test func `the path says which database and parent a request is for`() throws {
        let commit = try CommitRequest(decoding: try request("POST", ":commit", #"{"database": "other", "writes": []}"#))
        #expect(commit.database == DatabaseID(projectID: "p") && commit.writes.isEmpty)
        let query = try RunQueryRequest(
            decoding: try request("POST", "/c/d:runQuery", #"{"structuredQuery": {"from": [{"collectionId": "e"}], "limit": 0}}"#))
        #expect(query.query == StructuredQuery(scope: .collection(CollectionPath(trusted: "c/d/e")), limit: 0))
    }

    @Test(arguments: [
        ("GET", "/c/d?a=%", ""), ("GET", "/c/d?unheard=of", ""), ("GET", "/c/d?mask=a", ""), ("GET", "/c?showMissing=yes", ""), ("GET", "/c?pageSize=x", ""),
        ("GET", "/c/d?transaction=AA&readTime=1970-01-01T00:00:01Z", ""), ("PATCH", "/c/d?currentDocument.exists=true&currentDocument.updateTime=1970-01-01T00:00:01Z", ""),
        ("POST", ":commit", "["), ("POST", ":commit", "[]"), ("POST", ":commit", #"{"writes": [{"delete": "a", "verify": "b"}]}"#),
        ("POST", ":commit", #"{"wrote": []}"#), ("POST", "/c", #"{"fields": {"a": 1}}"#),
    ]) func `bad parameters and bodies are rejected`(verb: String, path: String, body: String) {
        let error = #expect(throws: FirestoreError.self) { try request(verb, path, body) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `answers are JSON, and so are errors`() throws {
        let call = try #require(try Self.match("GET", Self.root + "/c/d?prettyPrint=false"))
        let empty = Document(
            key: DocumentKey(trusted: "c/d"), createTime: DocumentVersion(microseconds: 1_500_000), updateTime: DocumentVersion(microseconds: 2_000_000), fields: .empty)
        let bytes = DocumentResponse(database: DatabaseID(projectID: "p"), document: empty).encoded()
        let json = String(decoding: try call.responseJSON(ByteSlice(bytes)), as: UTF8.self)
        #expect(json == #"{"name":"projects/p/databases/(default)/documents/c/d","createTime":"1970-01-01T00:00:01.500Z","updateTime":"1970-01-01T00:00:02Z"}"#)
        let error = try JSON(FirestoreError(.notFound, "it is not there", at: "c/d").restJSON)
        #expect(error.text() == #"{"error":{"code":404,"message":"c/d: it is not there","status":"NOT_FOUND"}}"#)
    }

    @Test func `statuses map as the service maps them`() {
        // Semantics 0.4
        #expect(FirestoreError.Code.allCases.map(\.httpStatus) == [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401])
    }
}
