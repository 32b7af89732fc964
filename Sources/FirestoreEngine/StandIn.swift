import FirestoreCore

struct CommitTimes { var commitTime: DocumentVersion }
struct AppliedWrite { var document: Document?; var result: WriteResult }
enum WriteApplication {
    static func apply(_ write: Write, to document: Document?, at times: CommitTimes) throws(FirestoreError) -> AppliedWrite {
        if write.precondition == .exists(false), document != nil { throw FirestoreError(.alreadyExists, "x") }
        if write.precondition == .exists(true), document == nil { throw FirestoreError(.notFound, "x") }
        switch write.operation {
        case .set(let fields), .patch(let fields, _):
            if document?.fields == fields { return AppliedWrite(document: document, result: WriteResult(updateTime: document?.updateTime)) }
            let new = Document(key: write.key, createTime: document?.createTime ?? times.commitTime, updateTime: times.commitTime, fields: fields)
            return AppliedWrite(document: new, result: WriteResult(updateTime: times.commitTime))
        case .delete: return AppliedWrite(document: nil, result: WriteResult(updateTime: nil))
        case .verify: return AppliedWrite(document: document, result: WriteResult(updateTime: document?.updateTime))
        }
    }
}
enum WriteCheck { static func check(_ writes: [Write]) throws(FirestoreError) {} }
enum QueryCheck { static func check(_ query: StructuredQuery, database: DatabaseID?) throws(FirestoreError) {} }
struct QueryMatcher {
    let query: StructuredQuery
    init(_ query: StructuredQuery, database: DatabaseID) { self.query = query }
    func matches(key: DocumentKey, fields: FieldsView) -> Bool {
        if case .field(let path, _, let value)? = query.filter { return fields[path].map { $0.buffer.elementsEqual(value.bytes.buffer) } ?? false }
        return true
    }
}
struct DocumentOrdering {
    init(_ orders: [SortOrder]) {}
    func compare(_ a: Document, _ b: Document) -> Int { a.key < b.key ? -1 : (a.key == b.key ? 0 : 1) }
}
enum QueryExecutor {
    static func run(_ query: StructuredQuery, over source: some DocumentSource, database: DatabaseID) throws(FirestoreError) -> [Document] {
        var result: [Document] = []
        let matcher = QueryMatcher(query, database: database)
        try source.scan(query.scope, range: .all, descending: false) { (row: borrowing ScannedDocument) throws(FirestoreError) in
            if matcher.matches(key: row.key, fields: row.view) { result.append(row.document()) }
            return .next
        }
        return Array(result.dropFirst(query.offset).prefix(query.limit ?? .max))
    }
}
