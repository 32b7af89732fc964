import FirestoreCore
import Testing

extension DocumentService {
    @discardableResult
    func commit(_ writes: Write...) async throws(FirestoreError) -> CommitResponse {
        try await commit(writes, context: .embedded)
    }

    func get(_ path: String, at moment: ReadMoment = .latest) async throws(FirestoreError) -> Document? {
        try await documents([DocumentKey(trusted: path)], at: moment, context: .embedded).documents[0]
    }

    func paths(_ query: StructuredQuery, at moment: ReadMoment = .latest) async throws(FirestoreError) -> [String] {
        try await run(query, at: moment, context: .embedded).documents.map(\.key.path)
    }
}

extension Write {
    static func set(_ path: String, _ fields: (String, Value)..., precondition: Precondition? = nil) -> Write {
        Write(key: DocumentKey(trusted: path), operation: .set(FieldBytes(FieldMap(fields))), precondition: precondition)
    }

    static func patch(_ path: String, _ field: String, _ value: Value, precondition: Precondition? = nil) -> Write {
        Write(
            key: DocumentKey(trusted: path), operation: .patch(FieldBytes(FieldMap([(field, value)])), mask: [FieldPathSegments(field)]),
            precondition: precondition)
    }

    static func delete(_ path: String, precondition: Precondition? = nil) -> Write {
        Write(key: DocumentKey(trusted: path), operation: .delete, precondition: precondition)
    }

    static func verify(_ path: String, _ precondition: Precondition) -> Write {
        Write(key: DocumentKey(trusted: path), operation: .verify, precondition: precondition)
    }

    static func transform(_ path: String, _ field: String, _ kind: FieldTransform.Kind) -> Write {
        Write(
            key: DocumentKey(trusted: path), operation: .patch(.empty, mask: []),
            transforms: [FieldTransform(path: FieldPathSegments(field), kind: kind)])
    }
}

extension StructuredQuery {
    static func collection(_ path: String) -> StructuredQuery {
        StructuredQuery(scope: .collection(CollectionPath(trusted: path)))
    }

    static func group(_ id: String) -> StructuredQuery { StructuredQuery(scope: .collectionGroup(id: id, under: nil)) }

    func filter(_ field: String, _ op: QueryFilter.FieldOperator, _ value: Value) -> StructuredQuery {
        var copy = self
        copy.filter = .field(FieldPathSegments(field), op, ValueBytes(value))
        return copy
    }

    func ordered(by field: String, _ direction: FirestoreCore.SortOrder.Direction = .ascending) -> StructuredQuery {
        var copy = self
        copy.orders.append(FirestoreCore.SortOrder(path: FieldPathSegments(field), direction: direction))
        return copy
    }

    func window(offset: Int = 0, limit: Int?) -> StructuredQuery {
        var copy = self
        copy.offset = offset
        copy.limit = limit
        return copy
    }
}

extension Document {
    /// A field as text, for comparing.
    func text(_ field: String) -> String? { (try? fields.map[field]).map { "\($0)" } }
}

func text(_ value: Value) -> String { "\(value)" }

/// Somebody who follows a target.
final class FollowingSink: WatchSink {
    private struct State {
        var documents: [DocumentKey: Document] = [:]
        var batches: [WatchBatch] = []
        var errors: [FirestoreError] = []
        var complaints: [String] = []
    }

    private let state = Mutex(State())

    init(knowing documents: [Document] = []) {
        state.withLock { $0.documents = Dictionary(uniqueKeysWithValues: documents.map { ($0.key, $0) }) }
    }

    func receive(_ batch: WatchBatch) {
        state.withLock { state in
            if let last = state.batches.last, batch.readTime < last.readTime { state.complaints.append("goes back in time") }
            if batch.isReset { state.documents = [:] }
            for change in batch.changes {
                switch change {
                case .update(let document): state.documents[document.key] = document
                case .remove(let key): state.documents[key] = nil
                }
            }
            if let keys = batch.keys { state.documents = state.documents.filter { keys.contains($0.key) } }
            state.batches.append(batch)
        }
    }

    func fail(_ error: FirestoreError) { state.withLock { $0.errors.append(error) } }

    var batches: [WatchBatch] { state.withLock { $0.batches } }
    var errors: [FirestoreError] { state.withLock { $0.errors } }
    var complaints: [String] { state.withLock { $0.complaints } }
    var paths: [String] { state.withLock { $0.documents.keys.sorted().map(\.path) } }
    var documents: [DocumentKey: Document] { state.withLock { $0.documents } }
}
