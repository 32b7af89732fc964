// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A document or a collection, and everything below it.
struct DocumentTree: Sendable {
    /// The number of documents deleted in one commit.
    private static let piece = 400

    /// The path as messages show it: without slashes at its ends.
    let path: String
    private let document: DocumentKey?
    private let query: StructuredQuery

    /// The number of segments determines whether it is a document or a collection.
    init(_ path: String) throws {
        let segments = path.utf8.split(separator: UInt8(ascii: "/")).count
        if segments % 2 == 0 {
            self.init(document: try PathCheck.documentKey(path))
        } else {
            self.init(collection: try PathCheck.collectionPath(path))
        }
    }

    init(document: DocumentKey) {
        path = document.path
        self.document = document
        query = StructuredQuery(scope: .kindless(under: document, allDescendants: true), projection: [.documentID])
    }

    /// The names from the lowest possible one in the collection to the lowest possible one in the next collection
    /// (QR-3).
    init(collection: CollectionPath) {
        path = collection.path
        document = nil
        query = StructuredQuery(scope: .kindless(under: collection.parent, allDescendants: true), projection: [.documentID])
        lowest = collection
    }

    private var lowest: CollectionPath?
    private static let lowestID = "__id-9223372036854775808__"

    /// The documents below; not the document itself.
    private func query(in database: DatabaseID) -> StructuredQuery {
        guard let lowest else { return query }
        func bound(_ path: String) -> ValueBytes {
            ValueBytes(.reference(database.name(of: DocumentKey(trusted: path + "/" + Self.lowestID))))
        }
        var query = query
        query.filter = .and([
            .field(.documentID, .greaterThanOrEqual, bound(lowest.path)), .field(.documentID, .lessThan, bound(lowest.path + "\0")),
        ])
        return query
    }

    func count(in place: OpenPlace) async throws(FirestoreError) -> Int64 {
        let answer = try await place.service.aggregate(
            query(in: place.database), [Aggregation(.count(upTo: nil), alias: "n")], options: .latest, context: place.call)
        var own: Int64 = 0
        if let document { own = try await place.service.documents([document], context: place.call).documents[0] == nil ? 0 : 1 }
        guard case .integer(let below)? = answer.values.first?.value else { return own }
        return below + own
    }

    /// Deletes until no documents are left; returns their number.
    func delete(in place: OpenPlace) async throws -> Int {
        var query = query(in: place.database)
        query.limit = Self.piece
        var count = 0
        while true {
            try Task.checkCancellation()
            let documents = try await place.service.run(query, context: place.call).documents
            guard !documents.isEmpty else { break }
            _ = try await place.service.commit(documents.map { Write(key: $0.key, operation: .delete) }, context: place.call)
            count += documents.count
        }
        if let document, try await place.service.documents([document], context: place.call).documents[0] != nil {
            _ = try await place.service.commit([Write(key: document, operation: .delete)], context: place.call)
            count += 1
        }
        return count
    }
}
