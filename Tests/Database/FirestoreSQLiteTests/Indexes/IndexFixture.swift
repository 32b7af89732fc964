// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// Indexes filled by hand: storage does not know what the keys mean.
extension SQLiteStore {
    @discardableResult
    func makeIndex(_ definition: IndexDefinition, isReady: Bool = true) throws(FirestoreError) -> StoredIndex {
        try write { (transaction: WriteTransaction) throws(FirestoreError) in
            try transaction.addIndex(definition, isConfigured: false)
            let index = try found(definition, in: transaction.catalog())
            guard isReady else { return index }
            try transaction.setReady(index)
            return try found(definition, in: transaction.catalog())
        }
    }

    private func found(_ definition: IndexDefinition, in catalog: IndexCatalog) throws(FirestoreError) -> StoredIndex {
        guard let index = catalog.index(serving: definition) else { throw FirestoreError(.notFound, "\(definition)") }
        return index
    }

    func addEntries(_ entries: [(key: [UInt8], row: Int64)], to index: StoredIndex, in collection: Int64 = 1) throws(FirestoreError) {
        try write { (transaction: WriteTransaction) throws(FirestoreError) in
            for (key, row) in entries {
                try transaction.addEntry(key, of: index, at: DocumentPlace(collection: collection, id: .empty, row: row), kinds: 0)
            }
        }
    }

    func catalog() throws(FirestoreError) -> IndexCatalog {
        try read { (view: ReadTransaction) throws(FirestoreError) in try view.catalog() }
    }
}

extension IndexDefinition {
    init(_ collectionID: String, _ names: String..., scope: Scope = .collection) {
        self.init(collectionID: collectionID, scope: scope, fields: names.map { Field(FieldPathSegments($0)) })
    }
}

extension StoredIndex {
    var readyIndex: ReadyIndex { ReadyIndex(number: number, definition: definition) }
}

extension IndexCursor {
    /// Everything from here on.
    func rest() throws(FirestoreError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        while try next() { keys.append([UInt8](key)) }
        return keys
    }
}
