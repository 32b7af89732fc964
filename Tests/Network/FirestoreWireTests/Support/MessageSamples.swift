// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Protos
import FirestoreWire
import SwiftProtobuf
import Testing

/// One message of every kind, in several states, with what SwiftProtobuf calls it.
struct MessageSample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    /// Our bytes, through our decoder and encoder.
    let ours: @Sendable ([UInt8]) throws -> [UInt8]
    /// Our bytes, through SwiftProtobuf's.
    let theirs: @Sendable ([UInt8]) throws -> [UInt8]
    /// As SwiftProtobuf writes it in JSON.
    let json: @Sendable ([UInt8]) throws -> [UInt8]
    /// `commitRequest`
    let type: String

    init<Ours: WireMessage, Theirs: SwiftProtobuf.Message>(_ name: String, _ message: Ours, _: Theirs.Type) {
        testDescription = "\(Ours.self) \(name)"
        bytes = message.encoded()
        ours = { try Ours(decoding: ByteSlice($0)).encoded() }
        theirs = { try Theirs(serializedBytes: $0).serializedBytes() }
        json = { try Theirs(serializedBytes: $0).jsonUTF8Bytes() }
        let last = Theirs.protoMessageName.split(separator: ".").last ?? ""
        type = last.prefix(1).lowercased() + last.dropFirst()
    }
}

extension MessageSample {
    static let database = DatabaseID(projectID: "p", databaseID: "(default)")
    static let key = DocumentKey(trusted: "cities/SF")
    static let time = DocumentVersion(microseconds: 1_700_000_000_123_456)
    static let fields = FieldBytes(
        FieldMap([
            ("name", .string("San Francisco")), ("count", .integer(-3)), ("place", .geoPoint(GeoPointValue(latitude: 1, longitude: 2))),
            ("more", .map(FieldMap([("list", .array([.null, .boolean(true), .double(0.5)]))]))), ("when", .timestamp(time.timestamp)),
        ]))
    static let document = Document(key: key, createTime: DocumentVersion(microseconds: 5), updateTime: time, fields: fields)
    static let token = ByteSlice([0, 1, 2, 255])
    static let paths = [FieldPathSegments("a"), FieldPathSegments(["b", "c.d", "`"])]

    static let writes: [Write] = [
        Write(key: key, operation: .set(fields)),
        Write(key: key, operation: .patch(fields, mask: paths), precondition: .exists(true)),
        Write(key: key, operation: .patch(.empty, mask: []), precondition: .exists(false), transforms: transforms),
        Write(key: key, operation: .delete, precondition: .updateTime(time)),
        Write(key: key, operation: .verify, precondition: .exists(true)),
    ]

    static let transforms: [FieldTransform] = [
        FieldTransform(path: paths[0], kind: .serverTimestamp),
        FieldTransform(path: paths[1], kind: .increment(.integer(1))),
        FieldTransform(path: paths[1], kind: .maximum(.double(2))),
        FieldTransform(path: paths[1], kind: .minimum(.integer(0))),
        FieldTransform(path: paths[1], kind: .appendMissingElements([.null, .string("x")])),
        FieldTransform(path: paths[1], kind: .removeAllFromArray([])),
    ]

    static let query = StructuredQuery(
        scope: .collection(CollectionPath(trusted: "cities/SF/landmarks")),
        filter: .or([
            .and([
                .field(paths[0], .equal, ValueBytes(.null)), .field(paths[0], .notEqual, ValueBytes(.null)),
                .field(paths[0], .equal, ValueBytes(.double(.nan))), .field(paths[0], .notEqual, ValueBytes(.double(.nan))),
            ]),
            .field(paths[0], .lessThan, ValueBytes(.integer(1))), .field(paths[0], .lessThanOrEqual, ValueBytes(.integer(1))),
            .field(paths[0], .greaterThan, ValueBytes(.integer(1))), .field(paths[0], .greaterThanOrEqual, ValueBytes(.integer(1))),
            .field(paths[0], .equal, ValueBytes(.integer(1))), .field(paths[0], .notEqual, ValueBytes(.integer(1))),
            .field(paths[0], .arrayContains, ValueBytes(.integer(1))), .field(paths[0], .in, ValueBytes(.array([.array([.null]), .integer(1)]))),
            .field(paths[0], .arrayContainsAny, ValueBytes(.array([.integer(1)]))), .field(paths[0], .notIn, ValueBytes(.array([.integer(1)]))),
            .and([]),
        ]),
        orders: [SortOrder(path: paths[0]), SortOrder(path: .documentID, direction: .descending)],
        start: QueryBound(values: [ValueBytes(.integer(1))], before: true), end: QueryBound(values: [ValueBytes(.null), ValueBytes(.null)], before: false),
        offset: 3, limit: 0, projection: [.documentID, paths[1]])

    static let search = StructuredQuery(
        scope: .collectionGroup(id: "cities", under: nil),
        nearest: VectorSearch(
            field: paths[1], vector: [1, 0.5, 0], measure: .dotProduct, limit: 10, resultField: paths[0], threshold: 0))

    static let explanation: QueryExplanation = {
        var statistics = QueryExplanation.Statistics()
        statistics.results = 3
        statistics.documentsRead = 5
        statistics.entriesRead = 7
        statistics.billing = .init(documents: 3)
        statistics.duration = .milliseconds(1_500)
        let index = IndexDefinition(
            collectionID: "cities", scope: .collectionGroup, fields: [.init(paths[0]), .init(paths[1], .arrayContains)], nameDirection: .descending)
        return QueryExplanation(
            plan: "look\nand see", indexes: [index, index.reversed], idealIndex: index, scansAll: false, statistics: statistics)
    }()

    static let all: [MessageSample] = documents + changes + queries + pipelines + listens

    private static let documents: [MessageSample] = [
        .init("plain", GetDocumentRequest(database: database, key: key), Google_Firestore_V1_GetDocumentRequest.self),
        .init(
            "masked, in a transaction", GetDocumentRequest(database: database, key: key, mask: paths, consistency: .transaction(token)),
            Google_Firestore_V1_GetDocumentRequest.self),
        .init(
            "at a time", GetDocumentRequest(database: database, key: key, mask: [], consistency: .readTime(time.timestamp)),
            Google_Firestore_V1_GetDocumentRequest.self),
        .init("full", DocumentResponse(database: database, document: document), Google_Firestore_V1_Document.self),
        .init(
            "empty", DocumentResponse(database: database, document: Document(key: key, createTime: .none, updateTime: .none, fields: .empty)),
            Google_Firestore_V1_Document.self),
        .init("root", ListDocumentsRequest(database: database, parent: nil, collectionID: "c"), Google_Firestore_V1_ListDocumentsRequest.self),
        .init(
            "full",
            ListDocumentsRequest(
                database: database, parent: key, collectionID: "c", pageSize: 300, pageToken: "t", orderBy: "a desc", mask: paths,
                consistency: .readTime(time.timestamp), showMissing: true), Google_Firestore_V1_ListDocumentsRequest.self),
        .init(
            "full", ListDocumentsResponse(database: database, entries: [.document(document), .missing(key)], nextPageToken: "n"),
            Google_Firestore_V1_ListDocumentsResponse.self),
        .init(
            "plain", CreateDocumentRequest(database: database, parent: nil, collectionID: "c", documentID: "", fields: .empty),
            Google_Firestore_V1_CreateDocumentRequest.self),
        .init(
            "full", CreateDocumentRequest(database: database, parent: key, collectionID: "c", documentID: "d", fields: fields, mask: paths),
            Google_Firestore_V1_CreateDocumentRequest.self),
        .init("set", UpdateDocumentRequest(database: database, write: writes[0]), Google_Firestore_V1_UpdateDocumentRequest.self),
        .init("patch", UpdateDocumentRequest(database: database, write: writes[1], mask: paths), Google_Firestore_V1_UpdateDocumentRequest.self),
        .init("delete", DeleteDocumentRequest(database: database, write: writes[3]), Google_Firestore_V1_DeleteDocumentRequest.self),
        .init(
            "new transaction",
            BatchGetDocumentsRequest(database: database, keys: [key, key], mask: paths, consistency: .newTransaction(.readWrite(retrying: token))),
            Google_Firestore_V1_BatchGetDocumentsRequest.self),
        .init(
            "read-only", BatchGetDocumentsRequest(database: database, keys: [], consistency: .newTransaction(.readOnly(at: time.timestamp))),
            Google_Firestore_V1_BatchGetDocumentsRequest.self),
        .init(
            "found", BatchGetDocumentsResponse(database: database, outcome: .found(document), readTime: time),
            Google_Firestore_V1_BatchGetDocumentsResponse.self),
        .init(
            "missing", BatchGetDocumentsResponse(database: database, outcome: .missing(key), readTime: time),
            Google_Firestore_V1_BatchGetDocumentsResponse.self),
        .init(
            "transaction", BatchGetDocumentsResponse(database: database, outcome: .none, transaction: token, readTime: nil),
            Google_Firestore_V1_BatchGetDocumentsResponse.self),
        .init(
            "full", ListCollectionIDsRequest(database: database, parent: key, pageSize: 5, pageToken: "t", readTime: time.timestamp),
            Google_Firestore_V1_ListCollectionIdsRequest.self),
        .init("full", ListCollectionIDsMessage(ids: ["a", "b"], nextPageToken: "t"), Google_Firestore_V1_ListCollectionIdsResponse.self),
        .init("", EmptyMessage(), Google_Protobuf_Empty.self),
    ]

    private static let changes: [MessageSample] = [
        .init("read-write", BeginTransactionRequest(database: database, options: .readWrite(retrying: nil)), Google_Firestore_V1_BeginTransactionRequest.self),
        .init("read-only", BeginTransactionRequest(database: database, options: .readOnly(at: nil)), Google_Firestore_V1_BeginTransactionRequest.self),
        .init("", BeginTransactionResponse(transaction: token), Google_Firestore_V1_BeginTransactionResponse.self),
        .init("empty", CommitRequest(database: database, writes: []), Google_Firestore_V1_CommitRequest.self),
        .init("full", CommitRequest(database: database, writes: writes, transaction: token), Google_Firestore_V1_CommitRequest.self),
        .init("empty", CommitMessage(results: [], commitTime: nil), Google_Firestore_V1_CommitResponse.self),
        .init(
            "full",
            CommitMessage(
                results: [WriteResult(updateTime: time, transformResults: [.null, .integer(5)]), WriteResult(updateTime: nil)], commitTime: time),
            Google_Firestore_V1_CommitResponse.self),
        .init("", RollbackRequest(database: database, transaction: token), Google_Firestore_V1_RollbackRequest.self),
        .init("", BatchWriteRequest(database: database, writes: writes), Google_Firestore_V1_BatchWriteRequest.self),
        .init(
            "",
            BatchWriteResponse(results: [
                .success(WriteResult(updateTime: time)), .failure(FirestoreError(.alreadyExists, "it is there")), .success(WriteResult(updateTime: nil)),
            ]), Google_Firestore_V1_BatchWriteResponse.self),
        .init("handshake", WriteRequest(database: database), Google_Firestore_V1_WriteRequest.self),
        .init("wish", WriteRequest(database: database, labels: [("hearth-resumable", "1")]), Google_Firestore_V1_WriteRequest.self),
        .init("farewell", WriteRequest(database: nil, streamToken: token), Google_Firestore_V1_WriteRequest.self),
        .init("full", WriteRequest(database: database, streamID: "s", streamToken: token, writes: writes), Google_Firestore_V1_WriteRequest.self),
        .init("handshake", WriteResponse(streamID: "s", streamToken: token), Google_Firestore_V1_WriteResponse.self),
        .init(
            "full", WriteResponse(streamID: "", streamToken: token, results: [WriteResult(updateTime: time)], commitTime: time),
            Google_Firestore_V1_WriteResponse.self),
    ]

    /// Everything that an argument can be.
    static let pipeline: PipelineRequest = {
        let text = """
            collection(/cities, force_index: "primary")
            let(population as `a.b`)
            where(and(equal($p, -3), or(exists(b.`c.d`), equal_any(a, [1, [null, true], {"": 0.5}])), not(call("f", 1, option: a))))
            add_fields(array(collection_group(x).limit(3)) as list, [a, $b, b"00FF", {k: a, l: 2}] as mixed)
            union(database().sort(a desc))
            raw_stage("own", [], "x", geo_point(1.5, 2.0), timestamp("2024-02-29T23:59:59.987654Z"), first: 1, second: [a])
            """
        do { return try PipelineText.parse(text) } catch { preconditionFailure("\(error)") }
    }()

    private static let rows: [PipelineRow] = [
        PipelineRow(name: "projects/p/databases/(default)/documents/cities/SF", createTime: DocumentVersion(microseconds: 5), updateTime: time, fields: fields),
        PipelineRow(fields: FieldBytes(FieldMap([("", .array([.array([.null]), .vector([1])])), ("__x__", .map(FieldMap([("", .null)])))]))),
        PipelineRow(fields: .empty),
    ]

    private static let pipelines: [MessageSample] = [
        .init("full", ExecutePipelineRequest(database: database, pipeline: pipeline, consistency: .readTime(time.timestamp), explain: .analyze), Google_Firestore_V1_ExecutePipelineRequest.self),
        .init(
            "with options",
            ExecutePipelineRequest(
                database: database, pipeline: PipelineRequest([PipelineStage(.database)], options: ["index_mode": .value(.string("recommended"))]),
                consistency: .newTransaction(.readWrite(retrying: nil)), commitsTransaction: true, explain: .plan), Google_Firestore_V1_ExecutePipelineRequest.self),
        .init(
            "empty, in a transaction", ExecutePipelineRequest(database: database, pipeline: PipelineRequest(), consistency: .transaction(token)),
            Google_Firestore_V1_ExecutePipelineRequest.self),
        .init(
            "full", ExecutePipelineResponse(transaction: token, rows: rows, executionTime: time, explanation: PipelineExplanation(text: "look\nand see")),
            Google_Firestore_V1_ExecutePipelineResponse.self),
        .init("empty", ExecutePipelineResponse(executionTime: time), Google_Firestore_V1_ExecutePipelineResponse.self),
    ]

    private static let queries: [MessageSample] = [
        .init("full", RunQueryRequest(database: database, query: query, consistency: .transaction(token), explain: .plan), Google_Firestore_V1_RunQueryRequest.self),
        .init(
            "search", RunQueryRequest(database: database, query: search, consistency: .newTransaction(.readOnly(at: nil)), explain: .analyze),
            Google_Firestore_V1_RunQueryRequest.self),
        .init(
            "kindless", RunQueryRequest(database: database, query: StructuredQuery(scope: .kindless(under: key, allDescendants: true))),
            Google_Firestore_V1_RunQueryRequest.self),
        .init(
            "without explanation", RunQueryResponse(database: database, document: document, readTime: time, skippedResults: 4),
            Google_Firestore_V1_RunQueryResponse.self),
        .init(
            "explained", RunQueryResponse(database: .init(projectID: "", databaseID: ""), transaction: token, readTime: time, explanation: explanation),
            Google_Firestore_V1_RunQueryResponse.self),
        .init(
            "full",
            RunAggregationQueryRequest(
                database: database, query: query,
                aggregations: [
                    Aggregation(.count(upTo: nil)), Aggregation(.count(upTo: 5), alias: "c"), Aggregation(.sum(paths[0])),
                    Aggregation(.average(paths[1]), alias: "d"),
                ], consistency: .readTime(time.timestamp), explain: .analyze), Google_Firestore_V1_RunAggregationQueryRequest.self),
        .init(
            "full", RunAggregationQueryResponse(values: [("a", .integer(1))], transaction: token, readTime: time, explanation: explanation),
            Google_Firestore_V1_RunAggregationQueryResponse.self),
        .init("empty", RunAggregationQueryResponse(values: nil), Google_Firestore_V1_RunAggregationQueryResponse.self),
        .init(
            "full",
            PartitionQueryRequest(
                database: database, query: StructuredQuery(scope: .collectionGroup(id: "c", under: key)), partitionCount: 5, pageSize: 2,
                pageToken: "t", readTime: time.timestamp), Google_Firestore_V1_PartitionQueryRequest.self),
        .init("full", PartitionQueryResponse(database: database, cuts: [key, key], nextPageToken: "t"), Google_Firestore_V1_PartitionQueryResponse.self),
    ]

    private static let listens: [MessageSample] = [
        .init(
            "query",
            ListenRequest(
                database: database,
                change: .add(ListenTargetRequest(target: .success(.query(query)), targetID: 2, start: .resumeToken(token), expectedCount: 0)),
                labels: [("goog-listen-tags", "limbo-document")]), Google_Firestore_V1_ListenRequest.self),
        .init(
            "documents",
            ListenRequest(
                database: database,
                change: .add(ListenTargetRequest(target: .success(.documents([key, key])), targetID: 0, start: .readTime(time.timestamp), once: true))),
            Google_Firestore_V1_ListenRequest.self),
        .init("remove", ListenRequest(database: database, change: .remove(targetID: -1)), Google_Firestore_V1_ListenRequest.self),
        .init(
            "change", ListenResponse.documentChange(database, document, targets: [1, 2, 300], removedFrom: [7]),
            Google_Firestore_V1_ListenResponse.self),
        .init("delete", ListenResponse.documentDelete(database, key, removedFrom: [2], readTime: time), Google_Firestore_V1_ListenResponse.self),
        .init("remove", ListenResponse.documentRemove(database, key, removedFrom: [2], readTime: nil), Google_Firestore_V1_ListenResponse.self),
        .init(
            "target removed",
            ListenResponse.targetChange(TargetChange(.remove, targets: [1], cause: FirestoreError(.failedPrecondition, "an index is missing"))),
            Google_Firestore_V1_ListenResponse.self),
        .init(
            "snapshot", ListenResponse.targetChange(TargetChange(.noChange, resumeToken: token, readTime: time)),
            Google_Firestore_V1_ListenResponse.self),
        .init(
            "filter", ListenResponse.filter(ExistenceFilter(target: 2, count: 1, names: BloomFilter([key], in: database))),
            Google_Firestore_V1_ListenResponse.self),
        .init("count", ListenResponse.filter(ExistenceFilter(target: 2, count: 0, names: nil)), Google_Firestore_V1_ListenResponse.self),
    ]
}
