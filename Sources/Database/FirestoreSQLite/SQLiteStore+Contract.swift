// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

/// The operations of the contract, for callers that do not know which store they have.
extension SQLiteStore: InspectableStore {
    package var traits: StoreTraits { StoreTraits(hasSeveralReaders: !hasOneConnection) }

    package func lookupNow(_ keys: [DocumentKey]) throws(FirestoreError) -> DocumentLookup? {
        guard let pointReaders, keys.count <= PointReaders.largestLookup else { return nil }
        return try enter {
            try pointReaders.read { database in
                try PointLookup(database: database, caches: caches, errors: errors).documents(keys)
            }
        }
    }

    /// A few are read immediately on the calling thread if a connection is free, more on a thread of the database.
    package func lookup(_ keys: [DocumentKey]) async throws(FirestoreError) -> DocumentLookup {
        if let lookup = try lookupNow(keys) { return lookup }
        return try await read { (snapshot: any StoreSnapshot) throws(FirestoreError) in try snapshot.documents(keys) }
    }

    package func readNow<R>(_ body: (any StoreSnapshot) throws(FirestoreError) -> R?) throws(FirestoreError) -> R? {
        try readNow { (snapshot: ReadTransaction) throws(FirestoreError) in try body(snapshot) }
    }

    package func read<R>(_ body: (any StoreSnapshot) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        try read { (snapshot: ReadTransaction) throws(FirestoreError) in try body(snapshot) }
    }

    package func startRead<R: Sendable>(
        _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R,
        completion: @escaping @Sendable (Result<R, FirestoreError>) -> Void
    ) {
        startRead({ (snapshot: ReadTransaction) throws(FirestoreError) in try body(snapshot) }, completion: completion)
    }

    /// Reads are near: needs are not looked at.
    package func write<R>(
        _ needs: StoreNeeds, _ body: (any StoreTransaction) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> Written<R> {
        try write { (transaction: WriteTransaction) throws(FirestoreError) in
            Written(result: try body(transaction), previous: transaction.lastCommitTime)
        }
    }

    package func inspect<R>(_ body: (any InspectableSnapshot) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        try read { (snapshot: ReadTransaction) throws(FirestoreError) in try body(snapshot) }
    }

    package func settle(_ time: DocumentVersion) async throws(FirestoreError) {}

    package func lease(_ name: String, for duration: Duration) throws(FirestoreError) -> Bool { true }

    package var commitLog: (any CommitLog)? { nil }
}
