// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    import FirestoreStorage
    import PostgresLink

    /// A document by the number of its collection and its encoded id.
    struct RowKey: Hashable {
        let collection: Int64
        let id: [UInt8]
    }

    /// A document inside the answer of a statement: create time, update time and fields from `column` on.
    struct FetchedRow {
        let result: PostgresResult
        let row: Int
        let column: Int
    }

    /// The handles of a snapshot: ordinals of the documents it has named, with the documents that were read ahead (DN-3.4).
    final class DocumentHandles {
        private var ordinals: [RowKey: Int] = [:]
        private(set) var keys: [RowKey] = []
        private var rows: [Int: FetchedRow] = [:]
        private var bytes = 0
        /// How many documents were asked for: a cursor that leads to none stops to read them ahead.
        private(set) var uses = 0
        private static let capacity = 16 << 20

        func handle(_ key: RowKey) -> DocumentHandle {
            if let known = ordinals[key] { return DocumentHandle(Int64(known)) }
            ordinals[key] = keys.count
            keys.append(key)
            return DocumentHandle(Int64(keys.count - 1))
        }

        func key(of handle: DocumentHandle) -> RowKey? {
            keys.indices.contains(Int(handle.number)) ? keys[Int(handle.number)] : nil
        }

        /// Retains rows that belong together. Forgets all others if they are too many.
        func keep(_ fetched: [(DocumentHandle, FetchedRow)], bytes count: Int) {
            if bytes + count > Self.capacity { (rows, bytes) = ([:], 0) }
            bytes += count
            for (handle, row) in fetched { rows[Int(handle.number)] = row }
        }

        func row(of handle: DocumentHandle) -> FetchedRow? {
            uses += 1
            return rows[Int(handle.number)]
        }

        /// A document that was not read ahead, and those named after it that were not either.
        func missing(from handle: DocumentHandle) -> [Int] {
            let first = Int(handle.number)
            return [first] + (first + 1..<min(keys.count, max(first + 1, first + 64))).filter { rows[$0] == nil }
        }
    }

    extension PostgresSnapshot {
        package func visit(
            _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) -> ScanStep {
            guard let key = handles.key(of: handle) else { throw damaged("an index entry") }
            let known = handles.row(of: handle)
            let fetched = if let known { known } else { try fetch(handle) }
            let collection = try path(of: key.collection)
            let id = ByteSlice(key.id)
            defer { withExtendedLifetime((id, fetched.result)) {} }
            return try fetched.scan(id.buffer, in: collection, session.errors, body)
        }

        private func fetch(_ handle: DocumentHandle) throws(FirestoreError) -> FetchedRow {
            let wanted = handles.missing(from: handle)
            let result = try session.query(
                """
                SELECT k.place, d.create_time, d.update_time, d.fields
                FROM unnest($2::bigint[], $3::bytea[]) WITH ORDINALITY AS k(c, i, place)
                CROSS JOIN LATERAL (SELECT * FROM \(session.tables.documents) d
                WHERE d.db = $1 AND d.collection = k.c AND d.id = k.i OFFSET 0) d
                """, .int8s(wanted.map { handles.keys[$0].collection }), .byteses(wanted.map { handles.keys[$0].id }))
            var fetched: [(DocumentHandle, FetchedRow)] = []
            var bytes = 0
            for row in 0..<result.count {
                let ordinal = wanted[Int(result.integer(row, 0)) - 1]
                fetched.append((DocumentHandle(Int64(ordinal)), FetchedRow(result: result, row: row, column: 1)))
                bytes += result.bytes(row, 3)?.count ?? 0
            }
            handles.keep(fetched, bytes: bytes)
            guard let found = fetched.first(where: { $0.0 == handle }) else {
                throw damaged("an index that refers to a document, which is missing,")
            }
            return found.1
        }

        package func path(of number: Int64) throws(FirestoreError) -> CollectionPath {
            if let known = caches.directory[number] { return known }
            let result = try session.query(
                "SELECT path FROM \(session.tables.collections) WHERE db = $1 AND number = $2", .int8(number))
            guard result.count > 0, let text = result.string(0, 0) else { throw damaged("the path of collection \(number)") }
            caches.directory.remember(CollectionPath(trusted: text), number: number)
            return CollectionPath(trusted: text)
        }
    }

    extension FetchedRow {
        /// Passes the document to `body`, in place. `encodedID` is borrowed too.
        func scan<R>(
            _ encodedID: UnsafeRawBufferPointer, in collection: CollectionPath, _ errors: ServerErrors,
            _ body: (borrowing ScannedDocument) throws(FirestoreError) -> R
        ) throws(FirestoreError) -> R {
            guard let fields = result.bytes(row, column + 2), FieldsView.isWellFormed(fields),
                let value = try DocumentIDEncoding.withID(
                    encodedID,
                    { (id: UnsafeRawBufferPointer) throws(FirestoreError) -> R in
                        try body(
                            ScannedDocument(
                                collection: collection, id: id, createTime: result.version(row, column),
                                updateTime: result.version(row, column + 1), fields: fields))
                    })
            else {
                let id = DocumentIDEncoding.decode(encodedID) ?? "(unreadable id)"
                throw errors.damaged("document \(collection.path)/\(id)")
            }
            return value
        }
    }
#endif
