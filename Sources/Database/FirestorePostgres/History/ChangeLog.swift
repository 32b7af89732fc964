// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    import FirestoreStorage
    import PostgresLink

    /// The part of a scope that the log can be searched for.
    struct LogScope {
        let scope: QueryScope

        /// SQL, and the values of `$7` and so on. `c` is the collection of an entry.
        func condition(_ dialect: PostgresDialect) -> (String, [PostgresValue]) {
            switch scope {
            case .collection(let path):
                return (" AND c.path_hash = \(dialect.hash("$7::bytea"))", [.bytes([UInt8](path.path.utf8))])
            case .collectionGroup(let id, nil): return (" AND c.id = $7", [.bytes([UInt8](id.utf8))])
            case .collectionGroup(let id, let ancestor?):
                let (first, last) = Self.range(below: ancestor)
                return (
                    " AND c.id = $7 AND c.path > $8 AND c.path < $9", [.bytes([UInt8](id.utf8)), .bytes(first), .bytes(last)]
                )
            case .kindless(nil, _): return ("", [])
            case .kindless(let ancestor?, _):
                let (first, last) = Self.range(below: ancestor)
                return (" AND c.path > $7 AND c.path < $8", [.bytes(first), .bytes(last)])
            }
        }

        /// "/" and "0" are adjacent: the range contains everything that begins with the ancestor's path and a slash.
        static func range(below ancestor: DocumentKey) -> ([UInt8], [UInt8]) {
            ([UInt8]((ancestor.path + "/").utf8), [UInt8]((ancestor.path + "0").utf8))
        }

        /// Whether documents of a collection belong to the scope.
        func includes(_ collection: CollectionPath) -> Bool {
            func lies(below ancestor: DocumentKey?) -> Bool {
                guard let ancestor else { return true }
                return collection.path.utf8.starts(with: (ancestor.path + "/").utf8)
            }
            switch scope {
            case .collection(let path): return collection == path
            case .collectionGroup(let id, let ancestor):
                return CollectionPath(trusted: collection.id) == CollectionPath(trusted: id) && lies(below: ancestor)
            case .kindless(let ancestor, true): return lies(below: ancestor)
            case .kindless(let ancestor, false): return collection.parent == ancestor
            }
        }
    }

    /// An entry of the log.
    struct LogEntry {
        let time: Int64
        let row: RowKey
        let key: DocumentKey
        /// The state that the commit replaced; nil if the document did not exist.
        let previous: Document?
        let existsNow: Bool
    }

    /// Reads the change log inside one transaction, the oldest entries first.
    struct ChangeLog {
        let session: StoreSession

        /// Visits the entries of a scope behind a moment, until `body` stops it.
        ///
        /// - Parameter skips: Whether to leave out entries whose state is later than `time`: they are not the first of their document.
        func visit(
            after time: DocumentVersion, in scope: QueryScope, skips: Bool,
            _ body: (LogEntry) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) {
            let text = Self.text(scope, skips: skips, session.tables)
            var values: [PostgresValue] = [
                session.db, .int8(time.microseconds), .int8(time.microseconds), .int8(.max), .bytes([]), .int8(0),
            ]
            values += LogScope(scope: scope).condition(session.tables.dialect).1
            var size = session.chunk
            while true {
                values[5] = .int8(size.limit)
                let result = try session.query(PostgresCall(PostgresStatement(text), values: values))
                var bytes = 0
                for row in 0..<result.count {
                    let entry = try entry(result, row)
                    bytes += entry.previous?.fields.bytes.count ?? 0
                    if try body(entry) == .stop { return }
                    values[2] = .int8(entry.time)
                    values[3] = .int8(entry.row.collection)
                    values[4] = .bytes(entry.row.id)
                }
                guard result.count == size.rows else { return }
                size.grow(after: result.count, bytes: bytes)
            }
        }

        /// `$3` to `$5` are the place of the last entry that was read.
        private static func text(_ scope: QueryScope, skips: Bool, _ tables: PostgresTables) -> String {
            let first = skips ? " AND (l.previous_update IS NULL OR l.previous_update <= $2)" : ""
            let filter = LogScope(scope: scope).condition(tables.dialect).0
            return """
                SELECT l.commit_time, l.collection, l.id, c.path, l.previous_create, l.previous_update, l.previous, EXISTS (
                SELECT 1 FROM \(tables.documents) d WHERE d.db = $1 AND d.collection = l.collection AND d.id = l.id)
                FROM \(tables.changes) l JOIN \(tables.collections) c ON c.db = $1 AND c.number = l.collection
                WHERE l.db = $1 AND l.commit_time > $2 AND l.commit_time >= $3 AND (l.commit_time, l.collection, l.id) > ($3, $4, $5)
                \(first)\(filter)
                ORDER BY l.commit_time, l.collection, l.id LIMIT $6
                """
        }

        private func entry(_ result: PostgresResult, _ row: Int) throws(FirestoreError) -> LogEntry {
            guard let path = result.string(row, 3), let id = result.array(row, 2),
                let name = id.withUnsafeBytes({ DocumentIDEncoding.decode($0) })
            else { throw session.damaged("an entry of the change log") }
            let key = DocumentKey(collection: CollectionPath(trusted: path), id: name)
            let previous =
                result.isNull(row, 4)
                ? nil : try DocumentRows.document(key, result, row, startingAt: 4, session.errors, what: "the history of")
            return LogEntry(
                time: result.integer(row, 0), row: RowKey(collection: result.integer(row, 1), id: id), key: key, previous: previous,
                existsNow: result.integer(row, 7) != 0)
        }
    }

    extension PostgresSnapshot {
        package func states(
            at time: DocumentVersion, in scope: QueryScope, _ body: (EarlierState) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) {
            var seen: Set<DocumentKey> = []
            try ChangeLog(session: session).visit(after: time, in: scope, skips: true) { entry throws(FirestoreError) in
                if case .kindless(let parent, false) = scope, entry.key.collection.parent != parent { return .next }
                guard seen.insert(entry.key).inserted else { return .next }
                return try body(
                    EarlierState(
                        key: entry.key, document: entry.previous, current: entry.existsNow ? handles.handle(entry.row) : nil))
            }
        }

        package func changes(
            after time: DocumentVersion,
            _ body: (_ time: DocumentVersion, _ key: DocumentKey, _ previous: Document?) throws(FirestoreError) -> Void
        ) throws(FirestoreError) {
            let all = QueryScope.kindless(under: nil, allDescendants: true)
            try ChangeLog(session: session).visit(after: time, in: all, skips: false) { entry throws(FirestoreError) in
                try body(DocumentVersion(microseconds: entry.time), entry.key, entry.previous)
                return .next
            }
        }

        /// One statement: the first entry of each document behind the moment has its state, without one it is as now.
        package func documents(_ keys: [DocumentKey], at time: DocumentVersion) throws(FirestoreError) -> [Document?] {
            let tables = session.tables
            let result = try session.query(
                """
                SELECT k.place, CASE WHEN l.found THEN l.previous_create ELSE d.create_time END,
                CASE WHEN l.found THEN l.previous_update ELSE d.update_time END, CASE WHEN l.found THEN l.previous ELSE d.fields END
                FROM unnest($2::bytea[], $3::bytea[]) WITH ORDINALITY AS k(c, i, place)
                JOIN \(tables.collections) c ON c.db = $1 AND c.path_hash = \(tables.dialect.hash("k.c"))
                LEFT JOIN LATERAL (SELECT true AS found, previous_create, previous_update, previous FROM \(tables.changes) l
                WHERE l.db = $1 AND l.collection = c.number AND l.id = k.i AND l.commit_time > $4 ORDER BY l.commit_time LIMIT 1) l ON true
                LEFT JOIN LATERAL (SELECT create_time, update_time, fields FROM \(tables.documents) d
                WHERE d.db = $1 AND d.collection = c.number AND d.id = k.i OFFSET 0) d ON true
                """, .byteses(keys.map { [UInt8]($0.collection.path.utf8) }), .byteses(keys.map(\.encodedID.array)),
                .int8(time.microseconds))
            var documents = [Document?](repeating: nil, count: keys.count)
            for row in 0..<result.count where !result.isNull(row, 1) {
                let index = Int(result.integer(row, 0)) - 1
                documents[index] = try DocumentRows.document(keys[index], result, row, startingAt: 1, session.errors)
            }
            return documents
        }
    }
#endif
