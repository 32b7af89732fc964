// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The sources of a read that gives one snapshot for each, in their order.
///
/// A separate type, and not a case of ``FirestoreSource``: that is a type of the Apple SDK over which apps may switch, and most
/// reads that take one give a single snapshot.
///
/// Beyond the Apple SDK.
public struct SnapshotSources: Sendable, Hashable {
    private init() {}

    /// The cache immediately, if it contains something of the result; then the server.
    public static let cacheThenServer = SnapshotSources()
}

/// The snapshots of one read, each from another source.
///
/// The sequence ends after the last one. `metadata.isFromCache` distinguishes them. If the server cannot be reached, it throws
/// `unavailable` after the snapshot of the cache.
///
/// Beyond the Apple SDK.
public struct SourcedSnapshots<Snapshot: Sendable>: AsyncSequence, Sendable {
    /// A snapshot.
    public typealias Element = Snapshot
    /// The error of the read.
    public typealias Failure = any Error

    /// A source that has nothing to say gives nil.
    typealias Read = @Sendable () async throws -> Snapshot?

    let reads: [Read]

    /// Starts to read with the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(reads: reads[...]) }

    /// Reads from one source after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reads: ArraySlice<Read>

        /// The next snapshot; nil after that of the last source.
        public nonisolated(nonsending) mutating func next() async throws -> Snapshot? {
            while let read = reads.popFirst() {
                do {
                    if let snapshot = try await read() { return snapshot }
                } catch {
                    reads = []
                    throw error
                }
            }
            return nil
        }
    }
}

extension Query {
    /// The result from several sources, as one read.
    ///
    /// ```swift
    /// for try await snapshot in trails.snapshots(source: .cacheThenServer) {
    ///     show(snapshot.documents, isOld: snapshot.metadata.isFromCache)
    /// }
    /// ```
    /// Each snapshot has the whole result. The cache is skipped if it is empty and the query was never synchronized, so that an app
    /// does not show that there is nothing. Without a cache, and with the embedded database, there is one snapshot.
    ///
    /// Beyond the Apple SDK.
    public func snapshots(source: SnapshotSources) -> SourcedSnapshots<QuerySnapshot> {
        SourcedSnapshots(reads: [
            { try await self.firestore.reading { try await self.cached($0) } }, { try await self.getDocuments(source: .server) },
        ])
    }

    private func cached(_ backend: any ClientBackend) async throws -> QuerySnapshot? {
        let query = try runnable.get()
        guard let completeness = try await backend.completeness(of: query) else { return nil }
        let view = try await backend.run(query, from: .cache)
        return view.documents.isEmpty && completeness.asOf == nil ? nil : QuerySnapshot(query: self, view: view)
    }
}

extension DocumentReference {
    /// The document from several sources, as one read.
    ///
    /// The cache is skipped if it does not know whether the document exists. Without a cache, and with the embedded database, there is
    /// one snapshot.
    ///
    /// Beyond the Apple SDK.
    public func snapshots(source: SnapshotSources) -> SourcedSnapshots<DocumentSnapshot> {
        SourcedSnapshots(reads: [
            { try await self.firestore.reading { try await self.cached($0) } }, { try await self.getDocument(source: .server) },
        ])
    }

    private func cached(_ backend: any ClientBackend) async throws -> DocumentSnapshot? {
        guard backend.queue != nil else { return nil }
        do throws(FirestoreError) {
            let key = try location.get()
            let found = try await backend.documents([key], from: .cache)
            return DocumentSnapshot(reference: self, document: found.documents.first ?? nil, metadata: found.metadata(of: key))
        } catch {
            guard error.code == .unavailable else { throw error }
            return nil
        }
    }
}
