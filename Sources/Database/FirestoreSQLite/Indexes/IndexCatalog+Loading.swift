// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import GRDB

extension IndexCatalog {
    /// The bits of the column `configured`.
    static let configured: Int64 = 1
    static let forExpiry: Int64 = 2

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
                    number: number, definition: definition, state: state, isConfigured: statement.integer(3) & configured != 0,
                    isForExpiry: statement.integer(3) & forExpiry != 0))
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
