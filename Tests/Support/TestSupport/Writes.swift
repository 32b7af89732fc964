// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension Write {
    package static func set(_ path: String, _ fields: (String, Value)..., precondition: Precondition? = nil) -> Write {
        Write(key: DocumentKey(trusted: path), operation: .set(FieldBytes(FieldMap(fields))), precondition: precondition)
    }

    package static func patch(_ path: String, _ field: String, _ value: Value, precondition: Precondition? = nil) -> Write {
        Write(
            key: DocumentKey(trusted: path), operation: .patch(FieldBytes(FieldMap([(field, value)])), mask: [FieldPathSegments(field)]),
            precondition: precondition)
    }

    package static func delete(_ path: String, precondition: Precondition? = nil) -> Write {
        Write(key: DocumentKey(trusted: path), operation: .delete, precondition: precondition)
    }

    package static func verify(_ path: String, _ precondition: Precondition) -> Write {
        Write(key: DocumentKey(trusted: path), operation: .verify, precondition: precondition)
    }

    package static func transform(_ path: String, _ field: String, _ kind: FieldTransform.Kind) -> Write {
        Write(
            key: DocumentKey(trusted: path), operation: .patch(.empty, mask: []),
            transforms: [FieldTransform(path: FieldPathSegments(field), kind: kind)])
    }

    package static func increment(_ path: String, _ field: String = "n", by amount: Int64 = 1) -> Write {
        transform(path, field, .increment(.integer(amount)))
    }
}

extension DocumentService {
    @discardableResult
    package func commit(_ writes: Write...) async throws(FirestoreError) -> CommitResponse {
        try await commit(writes, context: .embedded)
    }

    package func get(_ path: String, at moment: ReadMoment = .latest) async throws(FirestoreError) -> Document? {
        try await documents([DocumentKey(trusted: path)], options: ReadOptions(moment), context: .embedded).documents[0]
    }

    package func paths(_ query: StructuredQuery, at moment: ReadMoment = .latest) async throws(FirestoreError) -> [String] {
        try await run(query, options: ReadOptions(moment), context: .embedded).documents.map(\.key.path)
    }
}
