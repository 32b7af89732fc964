// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreSync
import FirestoreTesting
import FirestoreWire
import Foundation

/// A cache file with `D1` documents that a server has reported, as `CachedDevice` opens it.
struct FilledCache {
    static let name = "cache.sqlite"
    static let databaseID = DatabaseID(projectID: "demo-test")

    let directory: URL

    /// The documents of `coll`, in the target of the whole collection.
    ///
    /// - Parameters:
    ///   - pending: How many of them are overwritten by writes that are still in the queue.
    ///   - queries: Each is run until it has its indexes.
    static func make(
        documents count: Int, pending: Int = 0, indexedFor queries: [ClientQuery] = []
    ) async throws -> FilledCache {
        let cache = FilledCache(directory: try BenchmarkDirectory.make())
        let store = try cache.open()
        try fill(store, count)
        // An index of one query can be of use to another, so all are asked again when it is there.
        for _ in 0..<2 {
            for query in queries {
                _ = try store.run(query.serviceQuery)
                try await store.indexesSettled()
            }
        }
        for start in stride(from: 0, to: pending, by: 500) {
            _ = try store.write(
                (start..<min(start + 500, pending)).map { number in
                    // Spread over all groups and numbers.
                    let place = number * 101 % count
                    return [Write(key: key(place), operation: .set(Document1KB(number: place, of: count).fields))]
                })
        }
        try store.close()
        return cache
    }

    func open(
        durability: Durability = .full, collection: LocalStore.Collection = .leastRecentlyUsed
    ) throws -> LocalStore {
        try LocalStore.open(
            LocalStore.Configuration(
                location: .file(path: path), databaseID: Self.databaseID, server: "test-network", collection: collection,
                durability: durability))
    }

    var path: String { directory.appendingPathComponent(Self.name).path }

    func remove() throws { try BenchmarkDirectory.remove(directory) }

    /// The size of the file. Its log is empty when the cache is closed.
    var byteCount: Double {
        get throws { Double(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0) }
    }

    // MARK: Documents

    static let collection = CollectionPath(trusted: "coll")

    static func key(_ number: Int) -> DocumentKey { DocumentKey(collection: collection, id: Document1KB.id(number)) }

    /// What a listener of the whole collection asks the server for.
    static var wholeCollection: StructuredQuery {
        var query = StructuredQuery(scope: .collection(collection))
        query.orders = query.effectiveOrders
        return query
    }

    static func document(_ number: Int, of count: Int, at version: Int64) -> Document {
        let time = DocumentVersion(microseconds: version)
        return Document(
            key: key(number), createTime: time, updateTime: time,
            fields: Document1KB(number: number, of: count).fields)
    }

    /// Reports documents as a server does, 500 at a time.
    static func fill(_ store: LocalStore, _ count: Int) throws {
        let target = try store.allocate(.query(wholeCollection))
        var version: Int64 = 1_000_000
        for start in stride(from: 0, to: count, by: 500) {
            version += 1
            let documents = (start..<min(start + 500, count)).map { document($0, of: count, at: version) }
            let delta = TargetDelta(
                resumeToken: ByteSlice([UInt8]("token\(version)".utf8)), isCurrent: true, added: Set(documents.map(\.key)))
            _ = try store.apply(
                RemoteEvent(
                    snapshotVersion: DocumentVersion(microseconds: version), targetChanges: [target.targetID: delta],
                    documents: documents.map { RemoteDocument($0) }))
        }
        try store.release(target.targetID)
    }
}
