// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import PostgresLink

    /// Entries in a range of an index, read ahead in chunks together with their documents (DN-6.3.5).
    ///
    /// A seek to an entry that was read ahead costs nothing, any other one is a new chunk.
    final class EntryCursor: IndexCursor {
        private struct Entry {
            let key: ByteSlice
            let isLong: Bool
            let document: DocumentHandle
        }

        private let session: StoreSession
        private let handles: DocumentHandles
        private let index: Int64
        private let collection: Int64
        private let descending: Bool
        private var lower: [UInt8]
        private var upper: [UInt8]
        private var size: ChunkSize
        private var chunk: [Entry] = []
        private var position = -1
        private var isComplete = false
        private var isFinished = false
        /// How many documents had been asked for before the last chunk; nil before the first.
        private var usesBefore: Int?

        /// No key begins with FF.
        static let end: [UInt8] = [0xFF]

        init(_ session: StoreSession, _ handles: DocumentHandles, index: Int64, collection: Int64, range: IndexRange, descending: Bool) {
            (self.session, self.handles) = (session, handles)
            size = session.chunk
            (self.index, self.collection, self.descending) = (index, collection, descending)
            (lower, upper) = (range.lower, range.upper ?? Self.end)
        }

        var key: UnsafeRawBufferPointer {
            chunk.indices.contains(position) && !isFinished ? chunk[position].key.buffer : UnsafeRawBufferPointer(start: nil, count: 0)
        }

        var document: DocumentHandle { chunk.indices.contains(position) ? chunk[position].document : DocumentHandle(0) }

        func next() throws(FirestoreError) -> Bool {
            guard !isFinished else { return false }
            position += 1
            if position >= chunk.count {
                if !isComplete { try fetch() }
                guard position < chunk.count else {
                    isFinished = true
                    return false
                }
            }
            return true
        }

        func seek(_ key: [UInt8]) throws(FirestoreError) {
            guard !isFinished else { return }
            let target = ByteSlice(key)
            defer { withExtendedLifetime(target) {} }
            func isReached(_ entry: Entry) -> Bool {
                let order = compareBytes(entry.key.buffer, target.buffer)
                return descending ? order <= 0 : order >= 0
            }
            let start = max(position, 0)
            if let found = chunk[min(start, chunk.count)...].firstIndex(where: isReached) {
                position = found - 1
                return
            }
            (chunk, position) = ([], -1)
            if isComplete { return }
            // The rest of the range begins at the key, unless it has begun later.
            let bound = descending ? key + [0] : key
            if descending, bound.lexicographicallyPrecedes(upper) { upper = bound }
            if !descending, lower.lexicographicallyPrecedes(bound) { lower = bound }
            size.reset()
        }

        // MARK: Chunks

        private func fetch() throws(FirestoreError) {
            let bounds = KeyBounds(lower: lower, upper: upper)
            let readsDocuments = usesBefore.map { handles.uses > $0 } ?? true
            usesBefore = handles.uses
            let result = try rows(bounds, readsDocuments, limit: size.limit)
            var entries = try read(result, readsDocuments)
            isComplete = result.count < size.rows
            if !isComplete, let last = entries.last, last.isLong, let stored = result.array(result.count - 1, 0) {
                // The run of this key may have more, in an order of its own.
                let rest = KeyBounds(
                    lower: descending ? LongKey.runStart(of: stored) : stored + [0],
                    upper: descending ? stored : LongKey.runEnd(of: stored))
                entries += try read(rows(bounds, readsDocuments, limit: .max, within: rest), readsDocuments)
            }
            Self.sortRuns(&entries, descending)
            size.grow(after: result.count, bytes: bytes(of: result, readsDocuments))
            (chunk, position) = (entries, 0)
            guard let last = entries.last else { return }
            // Whole keys are bounds too: the stored ones of a run are never between them.
            if descending { upper = last.key.array } else { lower = last.key.array + [0] }
        }

        /// - Parameter rest: Stored keys, to which the rows are limited as well.
        private func rows(
            _ bounds: KeyBounds, _ readsDocuments: Bool, limit: Int64, within rest: KeyBounds? = nil
        ) throws(FirestoreError) -> PostgresResult {
            let direction = descending ? " DESC" : ""
            let whole = bounds.isCut ? " AND coalesce(whole, key) >= $7 AND coalesce(whole, key) < $8" : ""
            let entries = """
                SELECT key, whole, home, id FROM \(session.tables.entries) WHERE db = $1 AND idx = $2 AND collection = $3
                AND key >= $4 AND key < $5\(whole) ORDER BY key\(direction) LIMIT $6
                """
            let text =
                readsDocuments
                ? """
                SELECT e.*, d.create_time, d.update_time, d.fields FROM (\(entries)) e LEFT JOIN LATERAL (SELECT * FROM
                \(session.tables.documents) d WHERE d.db = $1 AND d.collection = e.home AND d.id = e.id OFFSET 0) d ON true
                ORDER BY e.key\(direction)
                """ : entries
            var values: [PostgresValue] = [
                session.db, .int8(index), .int8(collection), .bytes(rest?.lower ?? bounds.storedLower),
                .bytes(rest?.upper ?? bounds.storedUpper), .int8(limit),
            ]
            if bounds.isCut { values += [.bytes(bounds.lower), .bytes(bounds.upper)] }
            return try session.query(PostgresCall(PostgresStatement(text), values: values))
        }

        private func read(_ result: PostgresResult, _ hasDocuments: Bool) throws(FirestoreError) -> [Entry] {
            var fetched: [(DocumentHandle, FetchedRow)] = []
            let entries = try (0..<result.count).map { (row) throws(FirestoreError) in
                guard let key = result.slice(row, 1) ?? result.slice(row, 0), let id = result.array(row, 3) else {
                    throw session.damaged("an index entry")
                }
                let handle = handles.handle(RowKey(collection: result.integer(row, 2), id: id))
                if hasDocuments, !result.isNull(row, 4) { fetched.append((handle, FetchedRow(result: result, row: row, column: 4))) }
                return Entry(key: key, isLong: !result.isNull(row, 1), document: handle)
            }
            if hasDocuments { handles.keep(fetched, bytes: bytes(of: result, true)) }
            return entries
        }

        private func bytes(of result: PostgresResult, _ hasDocuments: Bool) -> Int {
            (0..<result.count).reduce(0) { sum, row in
                sum + (result.bytes(row, 0)?.count ?? 0) + (result.bytes(row, 1)?.count ?? 0)
                    + (hasDocuments ? result.bytes(row, 6)?.count ?? 0 : 0)
            }
        }

        /// Long keys that share their first bytes come in the order of hashes.
        private static func sortRuns(_ entries: inout [Entry], _ descending: Bool) {
            var start = 0
            while start < entries.count {
                var end = start + 1
                if entries[start].isLong {
                    while end < entries.count, entries[end].isLong, sharesRun(entries[start], entries[end]) { end += 1 }
                    entries[start..<end].sort {
                        let order = compareBytes($0.key.buffer, $1.key.buffer)
                        return descending ? order > 0 : order < 0
                    }
                }
                start = end
            }
        }

        private static func sharesRun(_ left: Entry, _ right: Entry) -> Bool {
            compareBytes(
                UnsafeRawBufferPointer(rebasing: left.key.buffer[..<LongKey.limit]),
                UnsafeRawBufferPointer(rebasing: right.key.buffer[..<LongKey.limit])) == 0
        }
    }
#endif
