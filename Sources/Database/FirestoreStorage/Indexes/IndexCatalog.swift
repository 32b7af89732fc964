// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// All indexes of a database as of one version of the catalog.
package final class IndexCatalog: Sendable {
    /// Grows with every change; a read transaction compares it with the number in its snapshot.
    package let version: Int64
    /// Ready or being built, ordered by number.
    package let indexes: [StoredIndex]
    /// Numbers of indexes whose entries are being removed.
    package let dropped: [Int64]
    /// By collection id. `CollectionPath` is the key because it compares bytes.
    private let ready: [CollectionPath: [ReadyIndex]]
    private let kept: [CollectionPath: [StoredIndex]]

    package init(version: Int64, indexes: [StoredIndex], dropped: [Int64]) {
        self.version = version
        self.indexes = indexes
        self.dropped = dropped
        kept = Dictionary(grouping: indexes) { CollectionPath(trusted: $0.definition.collectionID) }
        ready = kept.mapValues { indexes in
            indexes.filter(\.isReady).map { ReadyIndex(number: $0.number, definition: $0.definition) }
        }
    }

    /// What a stored row of an index says of it.
    package enum RowState: Int64 { case building, ready, dropped }

    package var isEmpty: Bool { indexes.isEmpty }

    /// The indexes that queries may use.
    package func ready(on collectionID: String) -> [ReadyIndex] { ready[CollectionPath(trusted: collectionID)] ?? [] }

    /// The indexes that commits must maintain.
    package func kept(on collectionID: String) -> [StoredIndex] { kept[CollectionPath(trusted: collectionID)] ?? [] }

    /// The index that serves `definition`: the same one, or the same one read backwards.
    package func index(serving definition: IndexDefinition) -> StoredIndex? {
        let reversed = definition.reversed
        return indexes.first { $0.definition == definition || $0.definition == reversed }
    }
}
