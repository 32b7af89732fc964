// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement

/// Deletes the documents of collections. What is created or changed after its start stays.
struct BulkDeletion: Sendable {
    /// The number of documents read, and deleted in one group of commits.
    private static let piece = 500

    let service: RuledService
    let database: DatabaseID
    let context: RequestContext
    let collectionIDs: [String]

    /// Returns the number of deleted documents. `report` is called after each piece.
    func run(_ report: @Sendable (Int) -> Void) async throws(FirestoreError) -> Int {
        var deleted = 0
        var start: DocumentVersion?
        for id in collectionIDs {
            var last: DocumentKey?
            while true {
                if Task.isCancelled { throw FirestoreError(.cancelled, "the operation was cancelled after \(deleted) documents") }
                let page = try await service.run(query(id, behind: last), options: .acknowledged(), context: context)
                let began = start ?? page.readTime
                start = began
                deleted += await delete(page.documents.filter { $0.updateTime <= began })
                report(deleted)
                guard let end = page.documents.last?.key, page.documents.count == Self.piece else { break }
                last = end
            }
        }
        return deleted
    }

    private func query(_ collectionID: String, behind last: DocumentKey?) -> StructuredQuery {
        var query = StructuredQuery(scope: .collectionGroup(id: collectionID, under: nil), limit: Self.piece)
        query.projection = [.documentID]
        query.orders = [SortOrder(path: .documentID)]
        if let last { query.start = QueryBound(values: [ValueBytes(.reference(database.name(of: last)))], before: false) }
        return query
    }

    /// Each document for itself: one that was changed meanwhile stays, and does not stop the others. Returns how many were deleted.
    private func delete(_ documents: [Document]) async -> Int {
        guard !documents.isEmpty else { return 0 }
        return await withCheckedContinuation { continuation in
            let counter = Counter(of: documents.count) { continuation.resume(returning: $0) }
            for document in documents {
                let write = Write(key: document.key, operation: .delete, precondition: .updateTime(document.updateTime))
                service.submit([write], context: context) { result in counter.ended((try? result.get()) != nil) }
            }
        }
    }
}

/// Counts commits until all have ended.
private final class Counter: Sendable {
    private let state: Mutex<(open: Int, applied: Int)>
    private let body: @Sendable (Int) -> Void

    /// `body` receives the number of those that were applied.
    init(of count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        state = Mutex((count, 0))
        self.body = body
    }

    func ended(_ isApplied: Bool) {
        let applied: Int? = state.withLock { state in
            state.open -= 1
            if isApplied { state.applied += 1 }
            return state.open == 0 ? state.applied : nil
        }
        if let applied { body(applied) }
    }
}
