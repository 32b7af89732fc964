// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestoreStorage
    import PostgresLink

    extension IndexCatalog {
        static func load(_ session: StoreSession, version: Int64) throws(FirestoreError) -> IndexCatalog {
            let result = try session.query(
                """
                SELECT number, definition, state, configured, built_collection, built_id, expiry FROM \(session.tables.indexes)
                WHERE db = $1 ORDER BY number
                """)
            var indexes: [StoredIndex] = []
            var dropped: [Int64] = []
            for row in 0..<result.count {
                let number = result.integer(row, 0)
                let state: StoredIndex.State
                switch RowState(rawValue: result.integer(row, 2)) {
                case .dropped:
                    dropped.append(number)
                    continue
                case .ready: state = .ready
                case .building:
                    state = .building(result.slice(row, 5).map { IndexPosition(collection: result.integer(row, 4), id: $0) })
                case nil: throw session.damaged("the state of index \(number)")
                }
                guard let definition = result.bytes(row, 1).flatMap(IndexDefinitionEncoding.decode) else {
                    throw session.damaged("the definition of index \(number)")
                }
                indexes.append(
                    StoredIndex(
                        number: number, definition: definition, state: state, isConfigured: result.integer(row, 3) != 0,
                        isForExpiry: result.integer(row, 6) != 0))
            }
            return IndexCatalog(version: version, indexes: indexes, dropped: dropped)
        }

        /// Stored beside the catalog, because it changes without a new version.
        static func lastUses(_ session: StoreSession) throws(FirestoreError) -> [Int64: DocumentVersion] {
            let result = try session.query("SELECT number, last_used FROM \(session.tables.indexes) WHERE db = $1")
            return Dictionary(uniqueKeysWithValues: (0..<result.count).map { (result.integer($0, 0), result.version($0, 1)) })
        }
    }
#endif
