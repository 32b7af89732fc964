// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import TestSupport
import Testing

extension DocumentService {
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
}

extension StructuredQuery {
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
