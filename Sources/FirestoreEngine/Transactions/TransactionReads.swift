// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// What a transaction has read, and its moment.
struct TransactionReads: Sendable {
    /// The moment of the first read; nil before it.
    var snapshot: DocumentVersion?
    private(set) var versions: [DocumentKey: DocumentVersion] = [:]
    private(set) var queries: [QueryDependency] = []

    mutating func add(_ dependency: ReadDependency) {
        switch dependency {
        case .documents(let documents):
            // All from one snapshot, so the same document has the same version again.
            for (key, version) in documents { versions[key] = version }
        case .query(let query): queries.append(query)
        }
    }

    /// The approximate memory it holds.
    var weight: Int {
        versions.keys.reduce(queries.count * 1_024) { $0 + $1.path.utf8.count + 64 }
    }
}
