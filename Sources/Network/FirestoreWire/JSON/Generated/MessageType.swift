// Made by dev/generate-protos. Do not edit.

/// The messages of `google.firestore.v1` and what they consist of.
enum MessageType: Int, CaseIterable {
    case batchGetDocumentsRequest
    case documentMask
    case transactionOptions
    case transactionOptionsReadOnly
    case transactionOptionsReadWrite
    case requestOptions
    case batchGetDocumentsResponse
    case document
    case value
    case latLng
    case arrayValue
    case mapValue
    case function
    case pipeline
    case pipelineStage
    case batchWriteRequest
    case write
    case documentTransform
    case documentTransformFieldTransform
    case precondition
    case batchWriteResponse
    case writeResult
    case status
    case beginTransactionRequest
    case beginTransactionResponse
    case commitRequest
    case commitResponse
    case createDocumentRequest
    case deleteDocumentRequest
    case empty
    case executePipelineRequest
    case structuredPipeline
    case executePipelineResponse
    case explainStats
    case getDocumentRequest
    case listCollectionIdsRequest
    case listCollectionIdsResponse
    case listDocumentsRequest
    case listDocumentsResponse
    case listenRequest
    case target
    case targetQueryTarget
    case structuredQuery
    case structuredQueryProjection
    case structuredQueryFieldReference
    case structuredQueryCollectionSelector
    case structuredQueryFilter
    case structuredQueryCompositeFilter
    case structuredQueryFieldFilter
    case structuredQueryUnaryFilter
    case structuredQueryOrder
    case cursor
    case structuredQueryFindNearest
    case targetDocumentsTarget
    case targetPipelineQueryTarget
    case listenResponse
    case targetChange
    case documentChange
    case documentDelete
    case documentRemove
    case existenceFilter
    case bloomFilter
    case bitSequence
    case partitionQueryRequest
    case partitionQueryResponse
    case rollbackRequest
    case runAggregationQueryRequest
    case structuredAggregationQuery
    case structuredAggregationQueryAggregation
    case structuredAggregationQueryAggregationCount
    case structuredAggregationQueryAggregationSum
    case structuredAggregationQueryAggregationAvg
    case explainOptions
    case runAggregationQueryResponse
    case aggregationResult
    case explainMetrics
    case planSummary
    case executionStats
    case runQueryRequest
    case runQueryResponse
    case updateDocumentRequest
    case writeRequest
    case writeResponse

    var fields: [MessageSchema] {
        switch self {
        case .batchGetDocumentsRequest: Self.batchGetDocumentsRequestFields
        case .documentMask: Self.documentMaskFields
        case .transactionOptions: Self.transactionOptionsFields
        case .transactionOptionsReadOnly: Self.transactionOptionsReadOnlyFields
        case .transactionOptionsReadWrite: Self.transactionOptionsReadWriteFields
        case .requestOptions: Self.requestOptionsFields
        case .batchGetDocumentsResponse: Self.batchGetDocumentsResponseFields
        case .document: Self.documentFields
        case .value: Self.valueFields
        case .latLng: Self.latLngFields
        case .arrayValue: Self.arrayValueFields
        case .mapValue: Self.mapValueFields
        case .function: Self.functionFields
        case .pipeline: Self.pipelineFields
        case .pipelineStage: Self.pipelineStageFields
        case .batchWriteRequest: Self.batchWriteRequestFields
        case .write: Self.writeFields
        case .documentTransform: Self.documentTransformFields
        case .documentTransformFieldTransform: Self.documentTransformFieldTransformFields
        case .precondition: Self.preconditionFields
        case .batchWriteResponse: Self.batchWriteResponseFields
        case .writeResult: Self.writeResultFields
        case .status: Self.statusFields
        case .beginTransactionRequest: Self.beginTransactionRequestFields
        case .beginTransactionResponse: Self.beginTransactionResponseFields
        case .commitRequest: Self.commitRequestFields
        case .commitResponse: Self.commitResponseFields
        case .createDocumentRequest: Self.createDocumentRequestFields
        case .deleteDocumentRequest: Self.deleteDocumentRequestFields
        case .empty: Self.emptyFields
        case .executePipelineRequest: Self.executePipelineRequestFields
        case .structuredPipeline: Self.structuredPipelineFields
        case .executePipelineResponse: Self.executePipelineResponseFields
        case .explainStats: Self.explainStatsFields
        case .getDocumentRequest: Self.getDocumentRequestFields
        case .listCollectionIdsRequest: Self.listCollectionIdsRequestFields
        case .listCollectionIdsResponse: Self.listCollectionIdsResponseFields
        case .listDocumentsRequest: Self.listDocumentsRequestFields
        case .listDocumentsResponse: Self.listDocumentsResponseFields
        case .listenRequest: Self.listenRequestFields
        case .target: Self.targetFields
        case .targetQueryTarget: Self.targetQueryTargetFields
        case .structuredQuery: Self.structuredQueryFields
        case .structuredQueryProjection: Self.structuredQueryProjectionFields
        case .structuredQueryFieldReference: Self.structuredQueryFieldReferenceFields
        case .structuredQueryCollectionSelector: Self.structuredQueryCollectionSelectorFields
        case .structuredQueryFilter: Self.structuredQueryFilterFields
        case .structuredQueryCompositeFilter: Self.structuredQueryCompositeFilterFields
        case .structuredQueryFieldFilter: Self.structuredQueryFieldFilterFields
        case .structuredQueryUnaryFilter: Self.structuredQueryUnaryFilterFields
        case .structuredQueryOrder: Self.structuredQueryOrderFields
        case .cursor: Self.cursorFields
        case .structuredQueryFindNearest: Self.structuredQueryFindNearestFields
        case .targetDocumentsTarget: Self.targetDocumentsTargetFields
        case .targetPipelineQueryTarget: Self.targetPipelineQueryTargetFields
        case .listenResponse: Self.listenResponseFields
        case .targetChange: Self.targetChangeFields
        case .documentChange: Self.documentChangeFields
        case .documentDelete: Self.documentDeleteFields
        case .documentRemove: Self.documentRemoveFields
        case .existenceFilter: Self.existenceFilterFields
        case .bloomFilter: Self.bloomFilterFields
        case .bitSequence: Self.bitSequenceFields
        case .partitionQueryRequest: Self.partitionQueryRequestFields
        case .partitionQueryResponse: Self.partitionQueryResponseFields
        case .rollbackRequest: Self.rollbackRequestFields
        case .runAggregationQueryRequest: Self.runAggregationQueryRequestFields
        case .structuredAggregationQuery: Self.structuredAggregationQueryFields
        case .structuredAggregationQueryAggregation: Self.structuredAggregationQueryAggregationFields
        case .structuredAggregationQueryAggregationCount: Self.structuredAggregationQueryAggregationCountFields
        case .structuredAggregationQueryAggregationSum: Self.structuredAggregationQueryAggregationSumFields
        case .structuredAggregationQueryAggregationAvg: Self.structuredAggregationQueryAggregationAvgFields
        case .explainOptions: Self.explainOptionsFields
        case .runAggregationQueryResponse: Self.runAggregationQueryResponseFields
        case .aggregationResult: Self.aggregationResultFields
        case .explainMetrics: Self.explainMetricsFields
        case .planSummary: Self.planSummaryFields
        case .executionStats: Self.executionStatsFields
        case .runQueryRequest: Self.runQueryRequestFields
        case .runQueryResponse: Self.runQueryResponseFields
        case .updateDocumentRequest: Self.updateDocumentRequestFields
        case .writeRequest: Self.writeRequestFields
        case .writeResponse: Self.writeResponseFields
        }
    }

    private static let batchGetDocumentsRequestFields: [MessageSchema] = [
        .init(1, "database", .string),
        .init(2, "documents", .string, .repeated),
        .init(3, "mask", .message(.documentMask)),
        .init(4, "transaction", .bytes, .oneof(0)),
        .init(5, "newTransaction", .message(.transactionOptions), .oneof(0)),
        .init(7, "readTime", .timestamp, .oneof(0)),
        .init(8, "requestOptions", .message(.requestOptions)),
    ]

    private static let documentMaskFields: [MessageSchema] = [
        .init(1, "fieldPaths", .string, .repeated),
    ]

    private static let transactionOptionsFields: [MessageSchema] = [
        .init(2, "readOnly", .message(.transactionOptionsReadOnly), .oneof(0)),
        .init(3, "readWrite", .message(.transactionOptionsReadWrite), .oneof(0)),
    ]

    private static let transactionOptionsReadOnlyFields: [MessageSchema] = [
        .init(2, "readTime", .timestamp, .oneof(0)),
    ]

    private static let transactionOptionsReadWriteFields: [MessageSchema] = [
        .init(1, "retryTransaction", .bytes),
        .init(2, "concurrencyMode", .enumeration([("CONCURRENCY_MODE_UNSPECIFIED", 0), ("OPTIMISTIC", 1), ("PESSIMISTIC", 2)])),
    ]

    private static let requestOptionsFields: [MessageSchema] = [
        .init(1, "requestTags", .string, .repeated),
    ]

    private static let batchGetDocumentsResponseFields: [MessageSchema] = [
        .init(1, "found", .message(.document), .oneof(0)),
        .init(2, "missing", .string, .oneof(0)),
        .init(3, "transaction", .bytes),
        .init(4, "readTime", .timestamp),
    ]

    private static let documentFields: [MessageSchema] = [
        .init(1, "name", .string),
        .init(2, "fields", .message(.value), .map),
        .init(3, "createTime", .timestamp),
        .init(4, "updateTime", .timestamp),
    ]

    private static let valueFields: [MessageSchema] = [
        .init(11, "nullValue", .null, .oneof(0)),
        .init(1, "booleanValue", .boolean, .oneof(0)),
        .init(2, "integerValue", .int64, .oneof(0)),
        .init(3, "doubleValue", .double, .oneof(0)),
        .init(10, "timestampValue", .timestamp, .oneof(0)),
        .init(17, "stringValue", .string, .oneof(0)),
        .init(18, "bytesValue", .bytes, .oneof(0)),
        .init(5, "referenceValue", .string, .oneof(0)),
        .init(8, "geoPointValue", .message(.latLng), .oneof(0)),
        .init(9, "arrayValue", .message(.arrayValue), .oneof(0)),
        .init(6, "mapValue", .message(.mapValue), .oneof(0)),
        .init(19, "fieldReferenceValue", .string, .oneof(0)),
        .init(22, "variableReferenceValue", .string, .oneof(0)),
        .init(20, "functionValue", .message(.function), .oneof(0)),
        .init(21, "pipelineValue", .message(.pipeline), .oneof(0)),
    ]

    private static let latLngFields: [MessageSchema] = [
        .init(1, "latitude", .double),
        .init(2, "longitude", .double),
    ]

    private static let arrayValueFields: [MessageSchema] = [
        .init(1, "values", .message(.value), .repeated),
    ]

    private static let mapValueFields: [MessageSchema] = [
        .init(1, "fields", .message(.value), .map),
    ]

    private static let functionFields: [MessageSchema] = [
        .init(1, "name", .string),
        .init(2, "args", .message(.value), .repeated),
        .init(3, "options", .message(.value), .map),
    ]

    private static let pipelineFields: [MessageSchema] = [
        .init(1, "stages", .message(.pipelineStage), .repeated),
    ]

    private static let pipelineStageFields: [MessageSchema] = [
        .init(1, "name", .string),
        .init(2, "args", .message(.value), .repeated),
        .init(3, "options", .message(.value), .map),
    ]

    private static let batchWriteRequestFields: [MessageSchema] = [
        .init(1, "database", .string),
        .init(2, "writes", .message(.write), .repeated),
        .init(3, "labels", .string, .map),
        .init(4, "requestOptions", .message(.requestOptions)),
    ]

    private static let writeFields: [MessageSchema] = [
        .init(1, "update", .message(.document), .oneof(0)),
        .init(2, "delete", .string, .oneof(0)),
        .init(6, "transform", .message(.documentTransform), .oneof(0)),
        .init(5, "verify", .string, .oneof(0)),
        .init(3, "updateMask", .message(.documentMask)),
        .init(7, "updateTransforms", .message(.documentTransformFieldTransform), .repeated),
        .init(4, "currentDocument", .message(.precondition)),
    ]

    private static let documentTransformFields: [MessageSchema] = [
        .init(1, "document", .string),
        .init(2, "fieldTransforms", .message(.documentTransformFieldTransform), .repeated),
    ]

    private static let documentTransformFieldTransformFields: [MessageSchema] = [
        .init(1, "fieldPath", .string),
        .init(2, "setToServerValue", .enumeration([("SERVER_VALUE_UNSPECIFIED", 0), ("REQUEST_TIME", 1)]), .oneof(0)),
        .init(3, "increment", .message(.value), .oneof(0)),
        .init(4, "maximum", .message(.value), .oneof(0)),
        .init(5, "minimum", .message(.value), .oneof(0)),
        .init(6, "appendMissingElements", .message(.arrayValue), .oneof(0)),
        .init(7, "removeAllFromArray", .message(.arrayValue), .oneof(0)),
    ]

    private static let preconditionFields: [MessageSchema] = [
        .init(1, "exists", .boolean, .oneof(0)),
        .init(2, "updateTime", .timestamp, .oneof(0)),
    ]

    private static let batchWriteResponseFields: [MessageSchema] = [
        .init(1, "writeResults", .message(.writeResult), .repeated),
        .init(2, "status", .message(.status), .repeated),
    ]

    private static let writeResultFields: [MessageSchema] = [
        .init(1, "updateTime", .timestamp),
        .init(2, "transformResults", .message(.value), .repeated),
    ]

    private static let statusFields: [MessageSchema] = [
        .init(1, "code", .int32),
        .init(2, "message", .string),
        .init(3, "details", .opaque, .repeated),
    ]

    private static let beginTransactionRequestFields: [MessageSchema] = [
        .init(1, "database", .string),
        .init(2, "options", .message(.transactionOptions)),
        .init(3, "requestOptions", .message(.requestOptions)),
    ]

    private static let beginTransactionResponseFields: [MessageSchema] = [
        .init(1, "transaction", .bytes),
    ]

    private static let commitRequestFields: [MessageSchema] = [
        .init(1, "database", .string),
        .init(2, "writes", .message(.write), .repeated),
        .init(3, "transaction", .bytes),
        .init(4, "requestOptions", .message(.requestOptions)),
    ]

    private static let commitResponseFields: [MessageSchema] = [
        .init(1, "writeResults", .message(.writeResult), .repeated),
        .init(2, "commitTime", .timestamp),
    ]

    private static let createDocumentRequestFields: [MessageSchema] = [
        .init(1, "parent", .string),
        .init(2, "collectionId", .string),
        .init(3, "documentId", .string),
        .init(4, "document", .message(.document)),
        .init(5, "mask", .message(.documentMask)),
        .init(6, "requestOptions", .message(.requestOptions)),
    ]

    private static let deleteDocumentRequestFields: [MessageSchema] = [
        .init(1, "name", .string),
        .init(2, "currentDocument", .message(.precondition)),
        .init(3, "requestOptions", .message(.requestOptions)),
    ]

    private static let emptyFields: [MessageSchema] = []

    private static let executePipelineRequestFields: [MessageSchema] = [
        .init(1, "database", .string),
        .init(2, "structuredPipeline", .message(.structuredPipeline), .oneof(0)),
        .init(5, "transaction", .bytes, .oneof(1)),
        .init(6, "newTransaction", .message(.transactionOptions), .oneof(1)),
        .init(7, "readTime", .timestamp, .oneof(1)),
        .init(9, "autoCommitTransaction", .boolean),
        .init(10, "requestOptions", .message(.requestOptions)),
    ]

    private static let structuredPipelineFields: [MessageSchema] = [
        .init(1, "pipeline", .message(.pipeline)),
        .init(2, "options", .message(.value), .map),
    ]

    private static let executePipelineResponseFields: [MessageSchema] = [
        .init(1, "transaction", .bytes),
        .init(2, "results", .message(.document), .repeated),
        .init(3, "executionTime", .timestamp),
        .init(4, "explainStats", .message(.explainStats)),
    ]

    private static let explainStatsFields: [MessageSchema] = [
        .init(1, "data", .anyString),
    ]

    private static let getDocumentRequestFields: [MessageSchema] = [
        .init(1, "name", .string),
        .init(2, "mask", .message(.documentMask)),
        .init(3, "transaction", .bytes, .oneof(0)),
        .init(5, "readTime", .timestamp, .oneof(0)),
        .init(10, "requestOptions", .message(.requestOptions)),
    ]

    private static let listCollectionIdsRequestFields: [MessageSchema] = [
        .init(1, "parent", .string),
        .init(2, "pageSize", .int32),
        .init(3, "pageToken", .string),
        .init(4, "readTime", .timestamp, .oneof(0)),
        .init(5, "requestOptions", .message(.requestOptions)),
    ]

    private static let listCollectionIdsResponseFields: [MessageSchema] = [
        .init(1, "collectionIds", .string, .repeated),
        .init(2, "nextPageToken", .string),
    ]

    private static let listDocumentsRequestFields: [MessageSchema] = [
        .init(1, "parent", .string),
        .init(2, "collectionId", .string),
        .init(3, "pageSize", .int32),
        .init(4, "pageToken", .string),
        .init(6, "orderBy", .string),
        .init(7, "mask", .message(.documentMask)),
        .init(8, "transaction", .bytes, .oneof(0)),
        .init(10, "readTime", .timestamp, .oneof(0)),
        .init(12, "showMissing", .boolean),
        .init(13, "requestOptions", .message(.requestOptions)),
    ]

    private static let listDocumentsResponseFields: [MessageSchema] = [
        .init(1, "documents", .message(.document), .repeated),
        .init(2, "nextPageToken", .string),
    ]

    private static let listenRequestFields: [MessageSchema] = [
        .init(1, "database", .string),
        .init(2, "addTarget", .message(.target), .oneof(0)),
        .init(3, "removeTarget", .int32, .oneof(0)),
        .init(4, "labels", .string, .map),
        .init(5, "requestOptions", .message(.requestOptions)),
    ]

    private static let targetFields: [MessageSchema] = [
        .init(2, "query", .message(.targetQueryTarget), .oneof(0)),
        .init(3, "documents", .message(.targetDocumentsTarget), .oneof(0)),
        .init(13, "pipelineQuery", .message(.targetPipelineQueryTarget), .oneof(0)),
        .init(4, "resumeToken", .bytes, .oneof(1)),
        .init(11, "readTime", .timestamp, .oneof(1)),
        .init(5, "targetId", .int32),
        .init(6, "once", .boolean),
        .init(12, "expectedCount", .wrappedInt32),
    ]

    private static let targetQueryTargetFields: [MessageSchema] = [
        .init(1, "parent", .string),
        .init(2, "structuredQuery", .message(.structuredQuery), .oneof(0)),
    ]

    private static let structuredQueryFields: [MessageSchema] = [
        .init(1, "select", .message(.structuredQueryProjection)),
        .init(2, "from", .message(.structuredQueryCollectionSelector), .repeated),
        .init(3, "where", .message(.structuredQueryFilter)),
        .init(4, "orderBy", .message(.structuredQueryOrder), .repeated),
        .init(7, "startAt", .message(.cursor)),
        .init(8, "endAt", .message(.cursor)),
        .init(6, "offset", .int32),
        .init(5, "limit", .wrappedInt32),
        .init(9, "findNearest", .message(.structuredQueryFindNearest)),
    ]

    private static let structuredQueryProjectionFields: [MessageSchema] = [
        .init(2, "fields", .message(.structuredQueryFieldReference), .repeated),
    ]

    private static let structuredQueryFieldReferenceFields: [MessageSchema] = [
        .init(2, "fieldPath", .string),
    ]

    private static let structuredQueryCollectionSelectorFields: [MessageSchema] = [
        .init(2, "collectionId", .string),
        .init(3, "allDescendants", .boolean),
    ]

    private static let structuredQueryFilterFields: [MessageSchema] = [
        .init(1, "compositeFilter", .message(.structuredQueryCompositeFilter), .oneof(0)),
        .init(2, "fieldFilter", .message(.structuredQueryFieldFilter), .oneof(0)),
        .init(3, "unaryFilter", .message(.structuredQueryUnaryFilter), .oneof(0)),
    ]

    private static let structuredQueryCompositeFilterFields: [MessageSchema] = [
        .init(1, "op", .enumeration([("OPERATOR_UNSPECIFIED", 0), ("AND", 1), ("OR", 2)])),
        .init(2, "filters", .message(.structuredQueryFilter), .repeated),
    ]

    private static let structuredQueryFieldFilterFields: [MessageSchema] = [
        .init(1, "field", .message(.structuredQueryFieldReference)),
        .init(2, "op", .enumeration([
                ("OPERATOR_UNSPECIFIED", 0), ("LESS_THAN", 1), ("LESS_THAN_OR_EQUAL", 2), ("GREATER_THAN", 3),
                ("GREATER_THAN_OR_EQUAL", 4), ("EQUAL", 5), ("NOT_EQUAL", 6), ("ARRAY_CONTAINS", 7), ("IN", 8),
                ("ARRAY_CONTAINS_ANY", 9), ("NOT_IN", 10),
            ])),
        .init(3, "value", .message(.value)),
    ]

    private static let structuredQueryUnaryFilterFields: [MessageSchema] = [
        .init(1, "op", .enumeration([("OPERATOR_UNSPECIFIED", 0), ("IS_NAN", 2), ("IS_NULL", 3), ("IS_NOT_NAN", 4), ("IS_NOT_NULL", 5)])),
        .init(2, "field", .message(.structuredQueryFieldReference), .oneof(0)),
    ]

    private static let structuredQueryOrderFields: [MessageSchema] = [
        .init(1, "field", .message(.structuredQueryFieldReference)),
        .init(2, "direction", .enumeration([("DIRECTION_UNSPECIFIED", 0), ("ASCENDING", 1), ("DESCENDING", 2)])),
    ]

    private static let cursorFields: [MessageSchema] = [
        .init(1, "values", .message(.value), .repeated),
        .init(2, "before", .boolean),
    ]

    private static let structuredQueryFindNearestFields: [MessageSchema] = [
        .init(1, "vectorField", .message(.structuredQueryFieldReference)),
        .init(2, "queryVector", .message(.value)),
        .init(3, "distanceMeasure", .enumeration([
                ("DISTANCE_MEASURE_UNSPECIFIED", 0), ("EUCLIDEAN", 1), ("COSINE", 2), ("DOT_PRODUCT", 3),
            ])),
        .init(4, "limit", .wrappedInt32),
        .init(5, "distanceResultField", .string),
        .init(6, "distanceThreshold", .wrappedDouble),
    ]

    private static let targetDocumentsTargetFields: [MessageSchema] = [
        .init(2, "documents", .string, .repeated),
    ]

    private static let targetPipelineQueryTargetFields: [MessageSchema] = [
        .init(1, "structuredPipeline", .message(.structuredPipeline), .oneof(0)),
    ]

    private static let listenResponseFields: [MessageSchema] = [
        .init(2, "targetChange", .message(.targetChange), .oneof(0)),
        .init(3, "documentChange", .message(.documentChange), .oneof(0)),
        .init(4, "documentDelete", .message(.documentDelete), .oneof(0)),
        .init(6, "documentRemove", .message(.documentRemove), .oneof(0)),
        .init(5, "filter", .message(.existenceFilter), .oneof(0)),
    ]

    private static let targetChangeFields: [MessageSchema] = [
        .init(1, "targetChangeType", .enumeration([("NO_CHANGE", 0), ("ADD", 1), ("REMOVE", 2), ("CURRENT", 3), ("RESET", 4)])),
        .init(2, "targetIds", .int32, .repeated),
        .init(3, "cause", .message(.status)),
        .init(4, "resumeToken", .bytes),
        .init(6, "readTime", .timestamp),
    ]

    private static let documentChangeFields: [MessageSchema] = [
        .init(1, "document", .message(.document)),
        .init(5, "targetIds", .int32, .repeated),
        .init(6, "removedTargetIds", .int32, .repeated),
    ]

    private static let documentDeleteFields: [MessageSchema] = [
        .init(1, "document", .string),
        .init(6, "removedTargetIds", .int32, .repeated),
        .init(4, "readTime", .timestamp),
    ]

    private static let documentRemoveFields: [MessageSchema] = [
        .init(1, "document", .string),
        .init(2, "removedTargetIds", .int32, .repeated),
        .init(4, "readTime", .timestamp),
    ]

    private static let existenceFilterFields: [MessageSchema] = [
        .init(1, "targetId", .int32),
        .init(2, "count", .int32),
        .init(3, "unchangedNames", .message(.bloomFilter)),
    ]

    private static let bloomFilterFields: [MessageSchema] = [
        .init(1, "bits", .message(.bitSequence)),
        .init(2, "hashCount", .int32),
    ]

    private static let bitSequenceFields: [MessageSchema] = [
        .init(1, "bitmap", .bytes),
        .init(2, "padding", .int32),
    ]

    private static let partitionQueryRequestFields: [MessageSchema] = [
        .init(1, "parent", .string),
        .init(2, "structuredQuery", .message(.structuredQuery), .oneof(0)),
        .init(3, "partitionCount", .int64),
        .init(4, "pageToken", .string),
        .init(5, "pageSize", .int32),
        .init(6, "readTime", .timestamp, .oneof(1)),
        .init(7, "requestOptions", .message(.requestOptions)),
    ]

    private static let partitionQueryResponseFields: [MessageSchema] = [
        .init(1, "partitions", .message(.cursor), .repeated),
        .init(2, "nextPageToken", .string),
    ]

    private static let rollbackRequestFields: [MessageSchema] = [
        .init(1, "database", .string),
        .init(2, "transaction", .bytes),
        .init(3, "requestOptions", .message(.requestOptions)),
    ]

    private static let runAggregationQueryRequestFields: [MessageSchema] = [
        .init(1, "parent", .string),
        .init(2, "structuredAggregationQuery", .message(.structuredAggregationQuery), .oneof(0)),
        .init(4, "transaction", .bytes, .oneof(1)),
        .init(5, "newTransaction", .message(.transactionOptions), .oneof(1)),
        .init(6, "readTime", .timestamp, .oneof(1)),
        .init(8, "explainOptions", .message(.explainOptions)),
        .init(9, "requestOptions", .message(.requestOptions)),
    ]

    private static let structuredAggregationQueryFields: [MessageSchema] = [
        .init(1, "structuredQuery", .message(.structuredQuery), .oneof(0)),
        .init(3, "aggregations", .message(.structuredAggregationQueryAggregation), .repeated),
    ]

    private static let structuredAggregationQueryAggregationFields: [MessageSchema] = [
        .init(1, "count", .message(.structuredAggregationQueryAggregationCount), .oneof(0)),
        .init(2, "sum", .message(.structuredAggregationQueryAggregationSum), .oneof(0)),
        .init(3, "avg", .message(.structuredAggregationQueryAggregationAvg), .oneof(0)),
        .init(7, "alias", .string),
    ]

    private static let structuredAggregationQueryAggregationCountFields: [MessageSchema] = [
        .init(1, "upTo", .wrappedInt64),
    ]

    private static let structuredAggregationQueryAggregationSumFields: [MessageSchema] = [
        .init(1, "field", .message(.structuredQueryFieldReference)),
    ]

    private static let structuredAggregationQueryAggregationAvgFields: [MessageSchema] = [
        .init(1, "field", .message(.structuredQueryFieldReference)),
    ]

    private static let explainOptionsFields: [MessageSchema] = [
        .init(1, "analyze", .boolean),
    ]

    private static let runAggregationQueryResponseFields: [MessageSchema] = [
        .init(1, "result", .message(.aggregationResult)),
        .init(2, "transaction", .bytes),
        .init(3, "readTime", .timestamp),
        .init(10, "explainMetrics", .message(.explainMetrics)),
    ]

    private static let aggregationResultFields: [MessageSchema] = [
        .init(2, "aggregateFields", .message(.value), .map),
    ]

    private static let explainMetricsFields: [MessageSchema] = [
        .init(1, "planSummary", .message(.planSummary)),
        .init(2, "executionStats", .message(.executionStats)),
    ]

    private static let planSummaryFields: [MessageSchema] = [
        .init(1, "indexesUsed", .structure, .repeated),
    ]

    private static let executionStatsFields: [MessageSchema] = [
        .init(1, "resultsReturned", .int64),
        .init(3, "executionDuration", .duration),
        .init(4, "readOperations", .int64),
        .init(5, "debugStats", .structure),
    ]

    private static let runQueryRequestFields: [MessageSchema] = [
        .init(1, "parent", .string),
        .init(2, "structuredQuery", .message(.structuredQuery), .oneof(0)),
        .init(5, "transaction", .bytes, .oneof(1)),
        .init(6, "newTransaction", .message(.transactionOptions), .oneof(1)),
        .init(7, "readTime", .timestamp, .oneof(1)),
        .init(10, "explainOptions", .message(.explainOptions)),
        .init(11, "requestOptions", .message(.requestOptions)),
    ]

    private static let runQueryResponseFields: [MessageSchema] = [
        .init(2, "transaction", .bytes),
        .init(1, "document", .message(.document)),
        .init(3, "readTime", .timestamp),
        .init(4, "skippedResults", .int32),
        .init(6, "done", .boolean, .oneof(0)),
        .init(11, "explainMetrics", .message(.explainMetrics)),
    ]

    private static let updateDocumentRequestFields: [MessageSchema] = [
        .init(1, "document", .message(.document)),
        .init(2, "updateMask", .message(.documentMask)),
        .init(3, "mask", .message(.documentMask)),
        .init(4, "currentDocument", .message(.precondition)),
        .init(5, "requestOptions", .message(.requestOptions)),
    ]

    private static let writeRequestFields: [MessageSchema] = [
        .init(1, "database", .string),
        .init(2, "streamId", .string),
        .init(3, "writes", .message(.write), .repeated),
        .init(4, "streamToken", .bytes),
        .init(5, "labels", .string, .map),
        .init(6, "requestOptions", .message(.requestOptions)),
    ]

    private static let writeResponseFields: [MessageSchema] = [
        .init(1, "streamId", .string),
        .init(2, "streamToken", .bytes),
        .init(3, "writeResults", .message(.writeResult), .repeated),
        .init(4, "commitTime", .timestamp),
    ]
}
