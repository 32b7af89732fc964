// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Deletes everything in a database, as the emulator does between tests (SE-5).
struct DatabaseClearing: Sendable {
    /// The number of documents deleted in one commit.
    private static let piece = 500

    let service: any DocumentService
    let context: RequestContext

    /// Deletes until nothing is left; listeners receive these deletes like all others.
    func run() async throws(FirestoreError) {
        var query = StructuredQuery(scope: .kindless(under: nil, allDescendants: true), limit: Self.piece)
        query.projection = [.documentID]
        while true {
            let documents = try await service.run(query, options: .acknowledged(), context: context).documents
            guard !documents.isEmpty else { return }
            _ = try await service.commit(documents.map { Write(key: $0.key, operation: .delete) }, context: context)
        }
    }
}
