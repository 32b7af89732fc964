import FirestoreCore
import FirestoreRemote
import Testing

extension DocumentService {
    @discardableResult
    func commit(_ writes: Write...) async throws(FirestoreError) -> CommitResponse {
        try await commit(writes, context: .embedded)
    }

    func get(_ path: String) async throws(FirestoreError) -> Document? {
        try await documents([DocumentKey(trusted: path)], context: .embedded).documents[0]
    }

    func find(_ query: StructuredQuery) async throws(FirestoreError) -> [Document] {
        try await run(query, context: .embedded).documents
    }
}

extension Write {
    static func set(_ path: String, _ number: Int = 0, _ precondition: Precondition? = nil) -> Write {
        Write(
            key: DocumentKey(trusted: path), operation: .set(FieldBytes(FieldMap([("n", .integer(Int64(number)))]))),
            precondition: precondition)
    }

    static func delete(_ path: String) -> Write { Write(key: DocumentKey(trusted: path), operation: .delete) }

    static func increment(_ path: String) -> Write {
        Write(
            key: DocumentKey(trusted: path), operation: .patch(.empty, mask: []),
            transforms: [FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1)))])
    }
}

extension StructuredQuery {
    static func collection(_ path: String) -> StructuredQuery {
        StructuredQuery(scope: .collection(CollectionPath(trusted: path)))
    }

    func below(_ number: Int64) -> StructuredQuery {
        var copy = self
        copy.filter = .field(FieldPathSegments("n"), .lessThan, ValueBytes(.integer(number)))
        return copy
    }

    func first(_ limit: Int) -> StructuredQuery {
        var copy = self
        copy.orders = [FirestoreCore.SortOrder(path: FieldPathSegments("n"), direction: .ascending)]
        copy.limit = limit
        return copy
    }
}

extension Document {
    /// The field `n`.
    var number: Int? {
        guard case .integer(let number)? = try? fields.map["n"] else { return nil }
        return Int(number)
    }

    var id: String { key.path.split(separator: "/").last.map(String.init) ?? "" }
}

extension Backoff {
    /// Tests do not wait.
    static let immediate = Backoff(sleep: { _ in await Task.yield() })
}

extension RetryPolicy {
    static var immediate: RetryPolicy { RetryPolicy(backoff: .immediate) }
}
