// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// One step of the work on indexes: a bounded part of a build, or of deleting a dropped index.
///
/// Each step is a separate transaction, so that commits run in between and a crash costs one step. What to do is read from the
/// catalog, so that work continues wherever the last step ended.
struct IndexBuilding {
    let limits: IndexLimits
    /// Indexes that cannot be built at present.
    var skipped: Set<Int64> = []

    /// Does the next step; returns false if there is nothing to do.
    func step(in transaction: some IndexTransaction) throws(FirestoreError) -> Bool {
        let catalog = try transaction.catalog()
        if let index = catalog.indexes.first(where: { !$0.isReady && !skipped.contains($0.number) }) {
            try build(index, in: transaction)
            return true
        }
        guard let dropped = catalog.dropped.first else { return false }
        _ = try transaction.removeEntries(ofDropped: dropped, limit: limits.entriesPerStep)
        return true
    }

    private struct Entry {
        let key: [UInt8]
        let kinds: Int64
        let place: DocumentPlace
    }

    private func build(_ index: StoredIndex, in transaction: some IndexTransaction) throws(FirestoreError) {
        guard case .building(let position) = index.state else { return }
        let keys = IndexEntryKeys(index.definition)
        var entries: [Entry] = []
        var documents = 0
        var bytes = 0
        let stretch = try transaction.walk(collectionID: index.definition.collectionID, after: position) {
            (place, document) in
            let found = keys.entries(of: document.key, fields: document.view)
            for key in found.keys { entries.append(Entry(key: key, kinds: found.kinds, place: place)) }
            documents += 1
            bytes += document.fields.count
            let isEnough =
                documents >= limits.documentsPerStep || bytes >= limits.bytesPerStep
                || entries.count >= limits.entriesPerStep
            return isEnough ? .stop : .next
        }
        // In key order, so that adjacent entries go to the same page.
        entries.sort { left, right in
            left.place.collection != right.place.collection
                ? left.place.collection < right.place.collection : left.key.lexicographicallyPrecedes(right.key)
        }
        for entry in entries {
            try transaction.addEntry(entry.key, of: index, at: entry.place, kinds: entry.kinds)
        }
        if stretch.isAtEnd {
            try transaction.setReady(index)
        } else if let last = stretch.last {
            try transaction.setBuilt(index, to: last)
        }
    }
}
