// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore

extension Query {
    /// Compares the documents of the query with a type: which values do not decode, which fields the type does not know, and which
    /// values reading a document and writing it back with `setData(from:)` would change.
    ///
    /// ```swift
    /// let report = try await db.collection("cities").audit(as: City.self)
    /// print(report)
    /// ```
    /// All failures of a document are found, not just the first, and grouped by field. Reads only. Documents are read in pages,
    /// so memory does not grow with their number; documents that change in the meantime may be seen before or after their change.
    /// On a server every document is billed as a read; offline the cache is audited.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - decoder: The decoder that the app uses.
    ///   - encoder: The encoder that the app uses. Only for types that are `Encodable`.
    ///   - options: The checks to make, and the number of documents to read.
    /// - Throws: The error of the query. A document that does not decode is not an error.
    public nonisolated(nonsending) func audit<T: Decodable>(
        as type: T.Type, decoder: Firestore.Decoder = Firestore.Decoder(), encoder: Firestore.Encoder = Firestore.Encoder(),
        options: AuditOptions = AuditOptions()
    ) async throws -> AuditReport {
        let definition = try? definition.get()
        let scope = definition?.query.scope
        let isCollection = if case .collection? = scope { true } else { false }
        let auditor = Auditor<T>(decoder: decoder, encoder: encoder, options: options, usesPaths: !isCollection, firestore: firestore)
        var rest = min(options.limit ?? .max, definition?.query.limit ?? .max)
        var page = self
        while rest > 0 {
            // The last documents of an order are read as a whole: the query bounds them.
            let isWhole = definition?.limitsToLast != false
            let size = isWhole ? rest : min(rest, max(1, options.pageSize))
            let snapshot = try await (isWhole ? self : page.limit(to: size)).getDocuments()
            for document in snapshot.documents.prefix(size) { auditor.add(document) }
            rest -= snapshot.count
            guard !isWhole, snapshot.count == size, let last = snapshot.documents.last else { break }
            page = self.start(afterDocument: last)
            try Task.checkCancellation()
        }
        return auditor.report(source: scope?.place ?? "")
    }
}
