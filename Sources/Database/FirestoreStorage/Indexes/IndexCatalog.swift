// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import GRDB

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

    init(version: Int64, indexes: [StoredIndex], dropped: [Int64]) {
        self.version = version
        self.indexes = indexes
        self.dropped = dropped
        kept = Dictionary(grouping: indexes) { CollectionPath(trusted: $0.definition.collectionID) }
        ready = kept.mapValues { indexes in
            indexes.filter(\.isReady).map { ReadyIndex(number: $0.number, definition: $0.definition) }
        }
    }

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

extension IndexCatalog {
    enum RowState: Int64 { case building, ready, dropped }

    static func load(_ database: Database, version: Int64, _ errors: StoreErrors) throws(FirestoreError) -> IndexCatalog {
        let statement = try SQLStatement(
            "SELECT number, definition, state, configured, built_collection, built_id FROM indexes ORDER BY number",
            on: database, errors: errors)
        defer { statement.reset() }
        var indexes: [StoredIndex] = []
        var dropped: [Int64] = []
        while try statement.step() {
            let number = statement.integer(0)
            let state: StoredIndex.State
            switch RowState(rawValue: statement.integer(2)) {
            case .dropped:
                dropped.append(number)
                continue
            case .ready: state = .ready
            case .building:
                let position = statement.blob(5).map {
                    IndexPosition(collection: statement.integer(4), id: ByteSlice(copying: $0))
                }
                state = .building(position)
            case nil: throw errors.damaged("the state of index \(number)")
            }
            guard let definition = statement.blob(1).flatMap(IndexDefinitionEncoding.decode) else {
                throw errors.damaged("the definition of index \(number)")
            }
            indexes.append(
                StoredIndex(
                    number: number, definition: definition, state: state, isConfigured: statement.integer(3) != 0))
        }
        return IndexCatalog(version: version, indexes: indexes, dropped: dropped)
    }
}

extension IndexCatalog {
    /// Stored beside the catalog, because it changes without a new version.
    static func lastUses(_ database: Database, _ errors: StoreErrors) throws(FirestoreError) -> [Int64: DocumentVersion] {
        let statement = try SQLStatement("SELECT number, last_used FROM indexes", on: database, errors: errors)
        defer { statement.reset() }
        var result: [Int64: DocumentVersion] = [:]
        while try statement.step() { result[statement.integer(0)] = DocumentVersion(microseconds: statement.integer(1)) }
        return result
    }
}

/// The newest catalog read so far, so that a transaction reads the table only when it has changed.
final class CatalogCache: Sendable {
    private let newest = Mutex<IndexCatalog?>(nil)

    /// The catalog for a transaction that found `version`.
    func catalog(_ database: Database, version: Int64, _ errors: StoreErrors) throws(FirestoreError) -> IndexCatalog {
        if let known = newest.withLock({ $0 }), known.version == version { return known }
        let loaded = try IndexCatalog.load(database, version: version, errors)
        remember(loaded)
        return loaded
    }

    /// Call it with committed catalogs only.
    func remember(_ catalog: IndexCatalog) {
        newest.withLock { newest in
            if newest.map({ $0.version < catalog.version }) ?? true { newest = catalog }
        }
    }
}
