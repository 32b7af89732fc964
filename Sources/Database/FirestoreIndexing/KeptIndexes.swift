// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
package import FirestoreStorage

/// The indexes of a catalog, prepared to compute their keys: the indexes that a commit updates with its documents.
package final class KeptIndexes: Sendable {
    struct Kept: Sendable {
        let index: StoredIndex
        let keys: IndexEntryKeys
    }

    package let catalog: IndexCatalog
    /// By collection id. `CollectionPath` is the key because it compares bytes.
    private let byCollectionID: [CollectionPath: [Kept]]

    init(_ catalog: IndexCatalog) {
        self.catalog = catalog
        byCollectionID = Dictionary(
            grouping: catalog.indexes.map { Kept(index: $0, keys: IndexEntryKeys($0.definition)) },
            by: { CollectionPath(trusted: $0.index.definition.collectionID) })
    }

    /// Changes the entries of a document's indexes from those of its old state to those of its new state.
    package func keep(
        _ change: CommittedChange, at place: DocumentPlace, in transaction: some IndexTransaction
    ) throws(FirestoreError) {
        guard !byCollectionID.isEmpty,
            let all = byCollectionID[CollectionPath(trusted: change.key.collection.id)]
        else { return }
        for kept in all where kept.index.covers(place) {
            let new = kept.entries(of: change.new)
            let difference = EntryDifference(from: kept.entries(of: change.old), to: new)
            for key in difference.gone { try transaction.removeEntry(key, of: kept.index, at: place) }
            for key in difference.added { try transaction.addEntry(key, of: kept.index, at: place, kinds: new.kinds) }
        }
    }
}

extension KeptIndexes.Kept {
    func entries(of document: Document?) -> IndexEntries {
        guard let document else { return IndexEntries() }
        defer { withExtendedLifetime(document) {} }
        return keys.entries(of: document.key, fields: document.fields.view)
    }
}

/// The entries of an old state that have to go, and those of a new state that have to be written. Keys are sorted.
struct EntryDifference {
    private(set) var gone: [[UInt8]] = []
    private(set) var added: [[UInt8]] = []

    init(from old: IndexEntries, to new: IndexEntries) {
        if old == new { return }
        var (left, right) = (old.keys[...], new.keys[...])
        while let first = left.first, let second = right.first {
            if first == second {
                left.removeFirst()
                right.removeFirst()
                // 1 and 1.0 have one key.
                if old.kinds != new.kinds { added.append(second) }
            } else if first.lexicographicallyPrecedes(second) {
                gone.append(left.removeFirst())
            } else {
                added.append(right.removeFirst())
            }
        }
        gone += left
        added += right
    }
}

/// The maintained indexes of the last transaction, which the next one can usually use.
package final class KeptIndexCache: Sendable {
    private let last = Mutex<KeptIndexes?>(nil)

    package init() {}

    package func indexes(of catalog: IndexCatalog) -> KeptIndexes {
        if let known = last.withLock({ $0 }), known.catalog === catalog { return known }
        let indexes = KeptIndexes(catalog)
        last.withLock { $0 = indexes }
        return indexes
    }
}
