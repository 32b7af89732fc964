// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

extension ModelQuery {
    /// Runs the query and decodes its documents.
    ///
    /// Documents that cannot be decoded are in `failures`; they neither hide the others nor fail the call. Throws
    /// `invalidArgument` for an invalid query, and what reading throws. Sees every write made before the call. With a cache and
    /// while offline, the result comes from the cache, unless `source` is `.server`.
    public nonisolated(nonsending) func get(source: FirestoreSource = .default) async throws -> DecodedDocuments<Model> {
        let typed = typedQuery
        return typed.coder.decode(try await typed.query.getDocuments(source: source))
    }

    /// The result now and after every change, decoded, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await result in big.snapshots {
    ///     show(result.values)
    /// }
    /// ```
    /// If the loop is slower than the changes, it gets fewer results; nothing accumulates.
    public var snapshots: TypedQuerySnapshots<Model> { TypedQuerySnapshots(typed: typedQuery) }

    /// The result in pages of a size, read one after the other while they are asked for.
    ///
    /// ```swift
    /// for try await page in cities.order(by: \.name).pages(of: 100) {
    ///     export(page.values)
    /// }
    /// ```
    /// Each page is a query that starts after the last document of the page before, so that pages show changes made meanwhile.
    /// A limit of the query bounds the documents of all pages together. A query with `limit(toLast:)`, or a size below one,
    /// throws `invalidArgument`.
    public func pages(of size: Int) -> TypedPages<Model> { TypedPages(typed: typedQuery, size: size) }
}

/// The results of a typed query, one after the other; see ``ModelQuery/snapshots``.
///
/// Beyond the Apple SDK.
public struct TypedQuerySnapshots<Model: FirestoreModel>: AsyncSequence, Sendable {
    /// The decoded documents, and those that cannot be decoded.
    public typealias Element = DecodedDocuments<Model>
    /// The error of the listener.
    public typealias Failure = any Error

    let typed: TypedQuery<Model>

    /// Starts a listener.
    public func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: typed.query.snapshots.makeAsyncIterator(), coder: typed.coder)
    }

    /// Ends its listener when it is destroyed.
    public struct Iterator: AsyncIteratorProtocol {
        var snapshots: Query.QuerySnapshotsSequence.Iterator
        let coder: ModelCoder<Model>

        /// The next result; nil when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws -> DecodedDocuments<Model>? {
            try await snapshots.next().map { coder.decode($0) }
        }
    }
}

/// The documents of a typed query in pages; see ``ModelQuery/pages(of:)``.
///
/// Beyond the Apple SDK.
public struct TypedPages<Model: FirestoreModel>: AsyncSequence, Sendable {
    /// The decoded documents of one page, and those that cannot be decoded.
    public typealias Element = DecodedDocuments<Model>
    /// The error of reading a page.
    public typealias Failure = any Error

    let typed: TypedQuery<Model>
    let size: Int

    /// Reads nothing yet.
    public func makeAsyncIterator() -> Iterator { Iterator(typed: typed, size: size) }

    /// Reads a page for each call.
    public struct Iterator: AsyncIteratorProtocol {
        let typed: TypedQuery<Model>
        let size: Int
        private var last: QueryDocumentSnapshot?
        private var count = 0
        private var isAtEnd = false

        init(typed: TypedQuery<Model>, size: Int) {
            self.typed = typed
            self.size = size
        }

        /// The next page, which is not empty; nil after the last one.
        public nonisolated(nonsending) mutating func next() async throws -> DecodedDocuments<Model>? {
            guard !isAtEnd else { return nil }
            let wanted = Swift.min(size, try typed.query.pageLimit() - count)
            guard wanted > 0 || size < 1 else { return nil }
            var query = typed.query.limit(to: wanted)
            if let last { query = query.start(afterDocument: last) }
            let snapshot = try await query.getDocuments()
            last = snapshot.documents.last
            count += snapshot.count
            isAtEnd = snapshot.count < wanted
            return snapshot.isEmpty ? nil : typed.coder.decode(snapshot)
        }
    }
}
