// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// The reads of a transaction, and their moment.
struct TransactionReads: Sendable {
    /// The moment of the first read; nil before it.
    var snapshot: DocumentVersion?
    private(set) var versions: [DocumentKey: DocumentVersion] = [:]
    private(set) var queries: [QueryDependency] = []

    /// The approximate memory it holds.
    private(set) var weight = 0

    /// Whether nothing was read since: reads are only added.
    func isSame(as earlier: TransactionReads) -> Bool {
        snapshot == earlier.snapshot && versions.count == earlier.versions.count && queries.count == earlier.queries.count
    }

    mutating func add(_ dependency: ReadDependency) {
        switch dependency {
        case .documents(let documents):
            // All from one snapshot, so the same document has the same version again.
            for (key, version) in documents where versions.updateValue(version, forKey: key) == nil {
                weight += key.path.utf8.count + 64
            }
        case .query(let query):
            queries.append(query)
            weight += query.weight
        case .several(let dependencies): dependencies.forEach { add($0) }
        }
    }
}
