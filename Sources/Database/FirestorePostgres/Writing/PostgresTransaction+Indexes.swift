// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    /// The catalog of indexes and their entries. Storage treats keys as bytes; their meaning is the caller's.
    extension PostgresTransaction {
        // MARK: Catalog

        package func addIndex(_ definition: IndexDefinition, isConfigured: Bool) throws(FirestoreError) {
            let catalog = try catalog()
            let number = (catalog.indexes.map(\.number) + catalog.dropped).max().map { $0 + 1 } ?? 1
            let index = StoredIndex(number: number, definition: definition, state: .building(nil), isConfigured: isConfigured)
            // An index is created because it is wanted now: it must not look unused.
            try change(number, to: index, createdAt: lastCommitTime.microseconds)
        }

        package func setConfigured(_ isConfigured: Bool, _ index: StoredIndex) throws(FirestoreError) {
            guard let known = try stored(index) else { return }
            try change(
                known.number,
                to: StoredIndex(
                    number: known.number, definition: known.definition, state: known.state, isConfigured: isConfigured,
                    isForExpiry: known.isForExpiry))
        }

        package func setForExpiry(_ isForExpiry: Bool, _ index: StoredIndex) throws(FirestoreError) {
            guard let known = try stored(index) else { return }
            try change(
                known.number,
                to: StoredIndex(
                    number: known.number, definition: known.definition, state: known.state, isConfigured: known.isConfigured,
                    isForExpiry: isForExpiry))
        }

        package func setBuilt(_ index: StoredIndex, to position: IndexPosition) throws(FirestoreError) {
            guard let known = try stored(index) else { return }
            try change(
                known.number,
                to: StoredIndex(
                    number: known.number, definition: known.definition, state: .building(position), isConfigured: known.isConfigured,
                    isForExpiry: known.isForExpiry))
        }

        package func setReady(_ index: StoredIndex) throws(FirestoreError) {
            guard let known = try stored(index) else { return }
            try change(
                known.number,
                to: StoredIndex(
                    number: known.number, definition: known.definition, state: .ready, isConfigured: known.isConfigured,
                    isForExpiry: known.isForExpiry))
        }

        package func drop(_ index: StoredIndex) throws(FirestoreError) {
            let known = try stored(index)
            let row = WriteBuffer.IndexRow(
                definition: nil, state: .dropped, isConfigured: known?.isConfigured ?? index.isConfigured,
                isForExpiry: known?.isForExpiry ?? index.isForExpiry, built: nil, createdAt: nil)
            let catalog = try catalog()
            buffer.set(
                row, at: index.number,
                next(catalog.indexes.filter { $0.number != index.number }, dropped: (catalog.dropped + [index.number]).sorted()))
        }

        package func removeEntries(ofDropped number: Int64, limit: Int) throws(FirestoreError) -> Int {
            buffer.dropEntries(of: number)
            let entries = session.tables.entries
            let removed = try execute([
                session.call(
                    """
                    DELETE FROM \(entries) WHERE db = $1 AND idx = $2 AND (collection, key) IN (
                    SELECT collection, key FROM \(entries) WHERE db = $1 AND idx = $2 LIMIT $3)
                    """, .int8(number), .int8(Int64(limit)))
            ])[0].affected
            guard removed < limit else { return removed }
            let catalog = try catalog()
            buffer.set(nil, at: number, next(catalog.indexes, dropped: catalog.dropped.filter { $0 != number }))
            return removed
        }

        /// The index as this transaction has it.
        private func stored(_ index: StoredIndex) throws(FirestoreError) -> StoredIndex? {
            try catalog().indexes.first { $0.number == index.number }
        }

        private func change(_ number: Int64, to index: StoredIndex, createdAt: Int64? = nil) throws(FirestoreError) {
            let catalog = try catalog()
            var built: IndexPosition?
            if case .building(let position) = index.state { built = position }
            let earlier = buffer.indexes[number] ?? nil
            let row = WriteBuffer.IndexRow(
                definition: index.definition, state: index.isReady ? .ready : .building, isConfigured: index.isConfigured,
                isForExpiry: index.isForExpiry, built: built, createdAt: createdAt ?? earlier?.createdAt)
            let others = catalog.indexes.filter { $0.number != number }
            buffer.set(row, at: number, next((others + [index]).sorted { $0.number < $1.number }, dropped: catalog.dropped))
        }

        private func next(_ indexes: [StoredIndex], dropped: [Int64]) -> IndexCatalog {
            IndexCatalog(version: meta.catalog + 1, indexes: indexes, dropped: dropped)
        }

        package func setLastUse(_ time: DocumentVersion, of index: Int64) throws(FirestoreError) {
            buffer.setLastUse(time.microseconds, of: index)
        }

        package func lastUses() throws(FirestoreError) -> [Int64: DocumentVersion] {
            noteMissedRead()
            var uses = try IndexCatalog.lastUses(session)
            for (number, row) in buffer.indexes {
                guard let row else {
                    uses[number] = nil
                    continue
                }
                if let time = row.createdAt { uses[number] = DocumentVersion(microseconds: time) }
            }
            for (number, time) in buffer.lastUses {
                if let known = uses[number] { uses[number] = max(known, DocumentVersion(microseconds: time)) }
            }
            return uses
        }

        // MARK: Entries

        package func addEntry(
            _ key: [UInt8], of index: StoredIndex, at place: DocumentPlace, kinds: Int64
        ) throws(FirestoreError) {
            buffer.set(
                WriteBuffer.Entry(home: place.collection, id: place.id.array, kinds: kinds),
                at: WriteBuffer.EntryKey(index: index.number, collection: index.entryCollection(place.collection), key: key))
        }

        package func removeEntry(_ key: [UInt8], of index: StoredIndex, at place: DocumentPlace) throws(FirestoreError) {
            buffer.set(
                nil, at: WriteBuffer.EntryKey(index: index.number, collection: index.entryCollection(place.collection), key: key))
        }

        // MARK: Building

        package func walk(
            collectionID: String, after position: IndexPosition?,
            _ body: (_ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) -> BuildStretch {
            let wanted = CollectionPath(trusted: collectionID)
            let result = try miss(
                session.call(
                    "SELECT number, path FROM \(session.tables.collections) WHERE db = $1 AND id = $2 AND number >= $3 ORDER BY number",
                    .bytes([UInt8](collectionID.utf8)), .int8(position?.collection ?? 0)))
            var collections = try (0..<result.count).map { (row) throws(FirestoreError) in
                guard let path = result.string(row, 1) else { throw session.damaged("the path of a collection") }
                return StoredCollection(number: result.integer(row, 0), path: CollectionPath(trusted: path))
            }
            // Those that are new in this transaction have the greatest numbers.
            for (path, number) in buffer.collections.sorted(by: { $0.value < $1.value })
            where CollectionPath(trusted: path.id) == wanted && number >= position?.collection ?? 0 {
                collections.append(StoredCollection(number: number, path: path))
            }
            for collection in collections {
                let start = position?.collection == collection.number ? position?.id.array ?? [] : []
                if let last = try walk(collection, after: start, body) {
                    return BuildStretch(last: IndexPosition(collection: collection.number, id: last), isAtEnd: false)
                }
            }
            return BuildStretch(last: nil, isAtEnd: true)
        }

        /// Visits the documents of a collection, merged with those of this transaction. Returns where `body` stopped.
        private func walk(
            _ collection: StoredCollection, after start: [UInt8],
            _ body: (_ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) -> ByteSlice? {
            let own = buffer.rows.filter { $0.value.collection == collection.number && start.lexicographicallyPrecedes($0.value.id) }
                .sorted { $0.value.id.lexicographicallyPrecedes($1.value.id) }
            var (next, size, after, isAtEnd) = (0, session.chunk, start, false)
            func visitOwn(upTo id: [UInt8]?) throws(FirestoreError) -> ByteSlice? {
                while next < own.count, id.map({ !$0.lexicographicallyPrecedes(own[next].value.id) }) ?? true {
                    let (key, row) = own[next]
                    next += 1
                    guard let document = buffer.documents[key] ?? nil else { continue }
                    let id = ByteSlice(row.id)
                    if try visit(document, id, in: collection, body) == .stop { return id }
                }
                return nil
            }
            while !isAtEnd {
                let result = try miss(chunk(collection.number, after: after, limit: size.limit))
                for row in 0..<result.count {
                    guard let id = result.slice(row, 0) else { throw session.damaged("a document id") }
                    after = id.array
                    let replaced = own[next...].contains { $0.value.id == after }
                    if let stop = try visitOwn(upTo: after) { return stop }
                    if replaced { continue }
                    defer { withExtendedLifetime((id, result)) {} }
                    let place = DocumentPlace(collection: collection.number, id: id)
                    let step = try FetchedRow(result: result, row: row, column: 1)
                        .scan(id.buffer, in: collection.path, session.errors) {
                            (document: borrowing ScannedDocument) throws(FirestoreError) in try body(place, document)
                        }
                    if step == .stop { return id }
                }
                isAtEnd = result.count < size.rows
                size.grow(after: result.count, bytes: (0..<result.count).reduce(0) { $0 + (result.bytes($1, 3)?.count ?? 0) })
            }
            return try visitOwn(upTo: nil)
        }

        private func chunk(_ collection: Int64, after id: [UInt8], limit: Int64) -> PostgresCall {
            session.call(
                """
                SELECT id, create_time, update_time, fields FROM \(session.tables.documents)
                WHERE db = $1 AND collection = $2 AND id > $3 ORDER BY id LIMIT $4
                """, .int8(collection), .bytes(id), .int8(limit))
        }

        private func visit(
            _ document: Document, _ id: ByteSlice, in collection: StoredCollection,
            _ body: (_ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) -> ScanStep {
            defer { withExtendedLifetime((document, id)) {} }
            let place = DocumentPlace(collection: collection.number, id: id)
            let step = try DocumentIDEncoding.withID(id.buffer) { (text: UnsafeRawBufferPointer) throws(FirestoreError) in
                try body(
                    place,
                    ScannedDocument(
                        collection: collection.path, id: text, createTime: document.createTime, updateTime: document.updateTime,
                        fields: document.fields.bytes.buffer))
            }
            guard let step else { throw session.damaged("a document of \(collection.path.path)") }
            return step
        }
    }
#endif
