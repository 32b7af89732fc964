// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    extension PostgresSnapshot {
        package func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] {
            try catalog().ready(on: collectionID)
        }

        package func entries(
            of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
        ) throws(FirestoreError) -> any IndexCursor {
            guard let number = try entryCollection(of: index, in: collection) else { return EmptyCursor() }
            return EntryCursor(session, handles, index: index.number, collection: number, range: range, descending: descending)
        }

        /// The value of the column `collection` of the entries; nil if there are none.
        private func entryCollection(of index: ReadyIndex, in collection: CollectionPath?) throws(FirestoreError) -> Int64? {
            guard index.definition.scope == .collection else { return 0 }
            guard let collection else { return nil }
            return try number(of: collection)
        }

        package func entryCount(
            of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, upTo: Int?
        ) throws(FirestoreError) -> Int {
            guard let number = try entryCollection(of: index, in: collection) else { return 0 }
            let bounds = KeyBounds(lower: range.lower, upper: range.upper ?? EntryCursor.end)
            let whole = bounds.isCut ? " AND coalesce(whole, key) >= $7 AND coalesce(whole, key) < $8" : ""
            var values: [PostgresValue] = [
                session.db, .int8(index.number), .int8(number), .bytes(bounds.storedLower), .bytes(bounds.storedUpper),
                .int8(upTo.map { Int64($0) } ?? .max),
            ]
            if bounds.isCut { values += [.bytes(bounds.lower), .bytes(bounds.upper)] }
            let text = """
                SELECT count(*) FROM (SELECT 1 FROM \(session.tables.entries) WHERE db = $1 AND idx = $2 AND collection = $3
                AND key >= $4 AND key < $5\(whole) LIMIT $6) s
                """
            return Int(try session.query(PostgresCall(PostgresStatement(text), values: values)).integer(0, 0))
        }

        // MARK: For administration

        package func lastUses() throws(FirestoreError) -> [Int64: DocumentVersion] { try IndexCatalog.lastUses(session) }

        package func extent(of index: Int64) throws(FirestoreError) -> (entries: Int, bytes: Int) {
            // The same measure as that of the store in files: the key, and three other columns.
            let result = try session.query(
                """
                SELECT count(*), coalesce(sum(octet_length(coalesce(whole, key)) + 9), 0)::bigint FROM \(session.tables.entries)
                WHERE db = $1 AND idx = $2
                """, .int8(index))
            return (Int(result.integer(0, 0)), Int(result.integer(0, 1)))
        }

        package func progress(of index: StoredIndex) throws(FirestoreError) -> Double {
            guard case .building(let position) = index.state else { return 1 }
            let result = try session.query(
                """
                SELECT count(*), count(*) FILTER (WHERE d.collection < $3 OR d.collection = $3 AND d.id <= $4)
                FROM \(session.tables.collections) c JOIN \(session.tables.documents) d ON d.db = $1 AND d.collection = c.number
                WHERE c.db = $1 AND c.id = $2
                """, .bytes([UInt8](index.definition.collectionID.utf8)), .int8(position?.collection ?? 0),
                .bytes(position?.id.array ?? []))
            guard result.integer(0, 0) > 0 else { return 0 }
            return Double(result.integer(0, 1)) / Double(result.integer(0, 0))
        }
    }

    extension PostgresSnapshot: InspectableSnapshot {
        package func inspectDocuments(
            collectionID: String,
            _ body: (_ handle: DocumentHandle, _ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> Void
        ) throws(FirestoreError) {
            let found = try collections(in: .collectionGroup(id: collectionID, under: nil)).sorted { $0.number < $1.number }
            for collection in found {
                var size = session.chunk
                var (after, isAtEnd): ([UInt8], Bool) = ([], false)
                while !isAtEnd {
                    let result = try session.query(
                        """
                        SELECT id, create_time, update_time, fields FROM \(session.tables.documents)
                        WHERE db = $1 AND collection = $2 AND id > $3 ORDER BY id LIMIT $4
                        """, .int8(collection.number), .bytes(after), .int8(size.limit))
                    for row in 0..<result.count {
                        guard let id = result.slice(row, 0) else { throw damaged("a document id") }
                        after = id.array
                        // Unreadable documents are reported by the check of documents.
                        guard result.bytes(row, 3).map(FieldsView.isWellFormed) ?? false, DocumentIDEncoding.decode(id.buffer) != nil
                        else { continue }
                        let handle = handles.handle(RowKey(collection: collection.number, id: after))
                        let place = DocumentPlace(collection: collection.number, id: id)
                        defer { withExtendedLifetime((id, result)) {} }
                        try FetchedRow(result: result, row: row, column: 1).scan(id.buffer, in: collection.path, session.errors) {
                            (document: borrowing ScannedDocument) throws(FirestoreError) in try body(handle, place, document)
                        }
                    }
                    isAtEnd = result.count < size.rows
                    size.grow(after: result.count, bytes: (0..<result.count).reduce(0) { $0 + (result.bytes($1, 3)?.count ?? 0) })
                }
            }
        }

        package func entry(
            _ key: [UInt8], of index: StoredIndex, in collection: Int64
        ) throws(FirestoreError) -> (document: DocumentHandle, kinds: Int64?)? {
            let result = try session.query(
                """
                SELECT home, id, kinds FROM \(session.tables.entries) WHERE db = $1 AND idx = $2 AND collection = $3
                AND key = \(LongKey.stored("$4::bytea", session.tables.dialect))
                """, .int8(index.number), .int8(index.entryCollection(collection)), .bytes(key))
            guard result.count > 0 else { return nil }
            guard let id = result.array(0, 1) else { throw damaged("an index entry") }
            let handle = handles.handle(RowKey(collection: result.integer(0, 0), id: id))
            return (handle, result.isNull(0, 2) ? nil : result.integer(0, 2))
        }

        package func entriesWithoutIndex() throws(FirestoreError) -> Int {
            let result = try session.query(
                """
                SELECT count(*) FROM \(session.tables.entries) e WHERE e.db = $1
                AND NOT EXISTS (SELECT 1 FROM \(session.tables.indexes) i WHERE i.db = $1 AND i.number = e.idx)
                """)
            return Int(result.integer(0, 0))
        }
    }
#endif
