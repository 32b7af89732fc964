// SPDX-License-Identifier: Apache-2.0

/// Names that generated code must spell differently, or not use.
enum ReservedNames {
    /// These need backticks. Words that are keywords in some places only, such as `open` and `any`, do not.
    static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout", "internal", "let",
        "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static", "struct", "subscript",
        "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard",
        "if", "in", "repeat", "return", "switch", "throw", "where", "while", "as", "await", "false", "is", "nil",
        "super", "throws", "true", "try",
    ]

    /// These cannot be names of members even in backticks, mean something else there, or are members of every `Hashable` type.
    static let members: Set<String> = ["self", "init", "Type", "Protocol", "Self", "hashValue"]

    /// These are members of every generated enumeration, or of an Optional of it, in which `.none` would mean nil.
    static let cases: Set<String> = ["unknown", "rawValue", "encode", "hash", "allCases", "none", "some"]

    /// Types that a model must not hide: of the standard library, of Foundation, of the SDK, and of the generated code.
    /// (A test compares the SDK's with its source.)
    static let types: Set<String> = [
        "Any", "AnyObject", "Array", "Bool", "Character", "Codable", "CodingKey", "CodingKeys", "Collection", "Comparable",
        "Decodable", "Decoder", "DecodingError", "Dictionary", "Double", "Encodable", "Encoder", "EncodingError", "Equatable",
        "Error", "Float", "Hashable", "Hasher", "Identifiable", "Int", "Int8", "Int16", "Int32", "Int64", "Iterator", "Key",
        "KeyPath", "Never", "Optional", "Range", "RawRepresentable", "RawValue", "Result", "Self", "Sendable", "Sequence", "Set",
        "String", "Substring", "Swift", "Task", "Type", "UInt", "UInt8", "Unicode", "Void", "Actor", "Clock", "Duration", "Slice",
        "Protocol", "Mirror", "Equal", "Bundle", "Calendar", "CharacterSet", "Data", "Date", "DateInterval", "Decimal",
        "FileManager", "Foundation", "IndexPath", "IndexSet", "JSONDecoder", "JSONEncoder", "Locale", "Measurement", "Notification",
        "Operation", "Predicate", "Process", "Progress", "Scanner", "Stream", "Thread", "TimeInterval", "TimeZone", "Timer", "Unit",
        "URL", "URLRequest", "URLSession", "UUID", "Formatter", "Host", "Port", "Pipe", "Dimension", "AggregateField",
        "AggregateQuery", "CollectionGroup", "CollectionReference", "DocumentChange", "DocumentID", "DocumentReference",
        "DocumentSnapshot", "ExplicitNull", "Expression", "Field", "FieldPath", "FieldValue", "Fields", "Filter", "Firebase",
        "FirebaseApp", "FirebaseFirestore", "Firestore", "FirestoreModel", "FirestoreSource", "FirestoreValue", "GeoPoint",
        "ListenerRegistration", "LoadBundleTask", "FieldKind", "ModelCondition", "ModelField", "ModelMigration", "ModelReference",
        "Pipeline", "Precondition", "Query", "QuerySnapshot", "ServerTimestamp", "SnapshotMetadata", "Source", "StoredValue",
        "Timestamp", "Transaction", "VectorValue", "WriteBatch", "Subcollection", "OpenEnum",
        "Default", "StoredName", "AllCases", "AnyHashable", "BitwiseCopyable", "CaseIterable", "CodingKeyRepresentable", "Copyable",
        "CustomStringConvertible", "Escapable", "ExpressibleByStringLiteral", "FirestoreModelMacros", "FirestoreModels",
        "KeyedDecodingContainer", "KeyedEncodingContainer", "LosslessStringConvertible", "OptionSet", "SendableMetatype",
        "SingleValueDecodingContainer", "SingleValueEncodingContainer", "StringProtocol",
        "AggregateQuerySnapshot", "AggregateSource", "ConflictPolicy", "ConflictResolution", "DecodedDocuments",
        "DecodingFailureStrategy", "DocumentChangeType", "DocumentEvent", "DocumentIDWrappable", "ExplainResults", "FailedWrite",
        "FailedWrites", "ExecuteOptions", "TimeToLive",
        "FirebaseConfiguration", "FirebaseLoggerLevel", "FirebaseOptions", "FirestoreDecodingError", "FirestoreEncodingError",
        "FirestoreErrorCode", "FirestoreFields", "FirestoreQuery", "FirestoreSettings", "ListenSource",
        "LoadBundleObserverHandle", "LoadBundleTaskProgress", "LoadBundleTaskState", "LocalCacheSettings", "MemoryCacheSettings",
        "MemoryEagerGCSetting", "MemoryGarbageCollectorSettings", "MemoryLRUGCSettings", "NoCacheSettings", "PendingWrite",
        "PendingWrites", "PersistentCacheIndexManager", "PersistentCacheSettings", "Pin", "Pins", "QueryDocumentSnapshot",
        "QueryPredicate", "SecurityRules", "ServerTimestampBehavior", "ServerTimestampWrappable", "SnapshotListenOptions",
        "SnapshotSources", "SourcedSnapshots", "TransactionOptions", "UnchangedUpdate", "UpdateConflict", "VectorDistanceMeasure",
        "VectorQuery", "VectorQuerySnapshot", "WriteConflict", "WriteReceipt",
        "AggregateFunction", "AliasedAggregate", "AliasedExpression", "ArrayExpression", "BooleanExpression",
        "ConditionalExpression", "Constant", "CountAll", "CurrentDocument", "CurrentTimestamp", "DecodedResults", "Direction",
        "DistanceMeasure", "DocumentMatches", "ErrorExpression", "FunctionExpression", "MapExpression", "Ordering",
        "PipelineResult", "PipelineSource", "RandomExpression", "Score", "Selectable", "TimeGranularity", "TimePart", "TimeUnit",
        "TypedOrdering", "TypedPipeline", "TypedResults", "Variable",
    ]

    /// Endings of names that hold prose or names, which repeat without being one of a few.
    static let freeText: Set<String> = [
        "name", "title", "description", "city", "text", "comment", "comments", "note", "notes", "label", "caption", "summary",
        "subject", "message", "street", "address", "body", "content", "bio", "remark", "remarks", "headline", "subtitle", "author",
        "town", "village", "surname", "nickname",
    ]

    /// Words of fields that hold the time of writing.
    static let serverTimes: Set<String> = [
        "created", "createdat", "createdon", "creationtime", "creationdate", "createtime", "datecreated", "updated", "updatedat",
        "updatedon", "updatetime", "lastupdate", "lastupdated", "lastupdatedat", "dateupdated", "modified", "modifiedat",
        "modifiedon", "lastmodified", "lastmodifiedat", "datemodified", "timestamp", "servertimestamp", "writtenat", "added",
        "addedat", "addedon", "dateadded", "inserted", "insertedat", "saved", "savedat", "stored", "storedat", "changed", "changedat",
        "lastchanged", "submitted", "submittedat", "registeredat", "joinedat", "lastseen", "lastseenat",
    ]
}
