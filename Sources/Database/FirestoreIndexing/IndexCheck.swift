// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
package import FirestoreStorage

/// Compares the entries of every index with those its documents must have.
///
/// Storage returns rows and keys as bytes; the keys of a document are computed by the same function that commits use.
package struct IndexCheck {
    private let snapshot: any InspectableSnapshot
    private var report: ConsistencyReport

    package static func run(over snapshot: any InspectableSnapshot, into report: inout ConsistencyReport) throws(FirestoreError) {
        var check = IndexCheck(snapshot: snapshot, report: report)
        do throws(FirestoreError) {
            try check.run()
        } catch {
            guard error.code == .dataLoss else { throw error }
            check.report.add(ConsistencyFinding(.index, nil, "their catalog is damaged", repair: .rebuildIndexes))
        }
        report = check.report
    }

    /// An index while the documents are visited.
    private struct Progress {
        let index: StoredIndex
        let keys: IndexEntryKeys
        /// The number of entries that have their document.
        var found = 0

        init(_ index: StoredIndex) {
            self.index = index
            keys = IndexEntryKeys(index.definition)
        }
    }

    private mutating func run() throws(FirestoreError) {
        let catalog = try snapshot.catalog()
        report.indexes = catalog.indexes.count
        for collection in Set(catalog.indexes.map { CollectionPath(trusted: $0.definition.collectionID) }) {
            try check(catalog.kept(on: collection.path), on: collection.path)
        }
        let homeless = try snapshot.entriesWithoutIndex()
        if homeless > 0 {
            report.add(
                ConsistencyFinding(
                    .index, nil, Self.count(homeless) + " to no index", repair: .rebuildIndexes))
        }
    }

    private mutating func check(_ indexes: [StoredIndex], on collectionID: String) throws(FirestoreError) {
        var all = indexes.map(Progress.init)
        try snapshot.inspectDocuments(collectionID: collectionID) { (handle, place, document) throws(FirestoreError) in
            // Documents that a build has not reached have no entries yet.
            for number in all.indices where all[number].index.covers(place) {
                let index = all[number].index
                let wanted = all[number].keys.entries(of: document.key, fields: document.view)
                for key in wanted.keys {
                    let entry = try snapshot.entry(key, of: index, in: place.collection)
                    if entry != nil { all[number].found += 1 }
                    if let kinds = entry?.kinds, kinds != wanted.kinds {
                        report.add(finding(index, "an entry of document \(document.key.path) has other kinds of numbers"))
                    }
                    if entry?.document != handle {
                        let problem =
                            entry == nil
                            ? "document \(document.key.path) lacks an entry"
                            : "an entry of document \(document.key.path) leads elsewhere"
                        report.add(finding(index, problem))
                    }
                }
            }
        }
        for progress in all {
            let entries = try snapshot.extent(of: progress.index.number).entries
            report.indexEntries += entries
            if entries > progress.found {
                report.add(finding(progress.index, Self.count(entries - progress.found) + " to no document"))
            }
        }
    }

    private static func count(_ entries: Int) -> String { entries == 1 ? "1 entry belongs" : "\(entries) entries belong" }

    private func finding(_ index: StoredIndex, _ problem: String) -> ConsistencyFinding {
        ConsistencyFinding(.index, index.definition.description, problem, repair: .rebuildIndexes)
    }
}
