// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    /// Collections whose paths follow each other, read ahead: a walk over names asks for one after the other.
    struct PathWindow {
        let lower: [UInt8]
        let collections: [(path: [UInt8], number: Int64)]
        /// Whether nothing follows the last of them.
        let isComplete: Bool

        /// The index of the first path at or behind `bound`; nil if this does not know it.
        func index(from bound: [UInt8]) -> Int? {
            guard !bound.lexicographicallyPrecedes(lower) else { return nil }
            var (low, high) = (0, collections.count)
            while low < high {
                let middle = (low + high) / 2
                if collections[middle].path.lexicographicallyPrecedes(bound) { low = middle + 1 } else { high = middle }
            }
            return low < collections.count || isComplete ? low : nil
        }
    }

    extension PostgresSnapshot {
        package func number(of path: CollectionPath) throws(FirestoreError) -> Int64? {
            if let known = caches.directory[path] { return known }
            let result = try session.query(
                "SELECT number FROM \(session.tables.collections) WHERE db = $1 AND path_hash = "
                    + "\(session.tables.dialect.hash("$2::bytea"))",
                .bytes([UInt8](path.path.utf8)))
            guard result.count > 0 else { return nil }
            caches.directory.remember(path, number: result.integer(0, 0))
            return result.integer(0, 0)
        }

        package func collections(in scope: QueryScope) throws(FirestoreError) -> [StoredCollection] {
            switch scope {
            case .collection(let path): return try number(of: path).map { [StoredCollection(number: $0, path: path)] } ?? []
            case .collectionGroup(let id, let ancestor): return try collections(id: id, under: ancestor)
            case .kindless(let ancestor, let allDescendants):
                let all = try collections(id: nil, under: ancestor)
                return allDescendants ? all : all.filter { $0.path.parent == ancestor }
            }
        }

        private func collections(id: String?, under ancestor: DocumentKey?) throws(FirestoreError) -> [StoredCollection] {
            let select = "SELECT number, path FROM \(session.tables.collections) WHERE db = $1"
            let result: PostgresResult
            switch (id, ancestor) {
            case (nil, nil): result = try session.query(select)
            case (let id?, nil): result = try session.query(select + " AND id = $2", .bytes([UInt8](id.utf8)))
            case (let id, let ancestor?):
                let (first, last) = LogScope.range(below: ancestor)
                let range = " AND \(PathRange.condition("path", "$2", "$3")) AND path > $2"
                result =
                    if let id {
                        try session.query(select + range + " AND id = $4", .bytes(first), .bytes(last), .bytes([UInt8](id.utf8)))
                    } else { try session.query(select + range, .bytes(first), .bytes(last)) }
            }
            return try (0..<result.count).map { (row) throws(FirestoreError) in
                guard let path = result.string(row, 1) else { throw damaged("the path of a collection") }
                return StoredCollection(number: result.integer(row, 0), path: CollectionPath(trusted: path))
            }
        }

        /// The index in the window of the first path from `lower` on.
        private func find(from lower: [UInt8]) throws(FirestoreError) -> (PathWindow, Int) {
            if let window, let index = window.index(from: lower) { return (window, index) }
            let limit = 64
            let result = try session.query(
                """
                SELECT path, number FROM \(session.tables.collections)
                WHERE db = $1 AND \(LongKey.prefix(of: "path")) >= \(LongKey.prefix(of: "$2::bytea")) AND path >= $2
                ORDER BY \(LongKey.prefix(of: "path")), path LIMIT \(limit)
                """, .bytes(lower))
            let found = try (0..<result.count).map { (row) throws(FirestoreError) in
                guard let path = result.array(row, 0) else { throw damaged("the path of a collection") }
                return (path: path, number: result.integer(row, 1))
            }
            let window = PathWindow(lower: lower, collections: found, isComplete: found.count < limit)
            self.window = window
            return (window, 0)
        }

        package func firstPath(from lower: [UInt8], upTo upper: [UInt8]) throws(FirestoreError) -> [UInt8]? {
            let (window, index) = try find(from: lower)
            guard index < window.collections.count else { return nil }
            let path = window.collections[index].path
            return path.lexicographicallyPrecedes(upper) ? path : nil
        }

        package func visitCollections(
            from lower: [UInt8], upTo upper: [UInt8], _ body: (StoredCollection) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) {
            var lower = lower
            while true {
                let (window, start) = try find(from: lower)
                for (bytes, number) in window.collections[start...] {
                    guard bytes.lexicographicallyPrecedes(upper) else { return }
                    guard let path = String(validating: bytes, as: UTF8.self) else { throw damaged("the path of a collection") }
                    if try body(StoredCollection(number: number, path: CollectionPath(trusted: path))) == .stop { return }
                    lower = bytes + [0]
                }
                if window.isComplete { return }
            }
        }

        package func ids(in collection: Int64, after: [UInt8]) throws(FirestoreError) -> any IDCursor {
            ChunkedIDs(session, collection, after: after)
        }

        package func count(in collection: Int64, from lower: [UInt8], upTo upper: [UInt8]) throws(FirestoreError) -> Int {
            try count([(collection, lower, upper)], upTo: nil)
        }

        package func id(
            in collection: Int64, from lower: [UInt8], upTo upper: [UInt8], at position: Int
        ) throws(FirestoreError) -> [UInt8]? {
            let result = try session.query(
                """
                SELECT id FROM \(session.tables.documents) WHERE db = $1 AND collection = $2 AND id >= $3 AND id < $4
                ORDER BY id LIMIT 1 OFFSET $5
                """, .int8(collection), .bytes(lower), .bytes(upper), .int8(Int64(position)))
            return result.count > 0 ? result.array(0, 0) : nil
        }
    }

    /// SQL for paths in a range. Their first bytes are in a tree, whole ones may be too long for it (DN-3.3).
    enum PathRange {
        static func condition(_ path: String, _ first: String, _ last: String) -> String {
            """
            \(LongKey.prefix(of: path)) >= \(LongKey.prefix(of: first + "::bytea"))
            AND \(LongKey.prefix(of: path)) <= \(LongKey.prefix(of: last + "::bytea")) AND \(path) >= \(first) AND \(path) < \(last)
            """
        }
    }

    /// The ids of a collection, read in chunks.
    private final class ChunkedIDs: IDCursor {
        private let session: StoreSession
        private let collection: Int64
        private var last: [UInt8]
        private var size: ChunkSize
        private var result: PostgresResult?
        private var row = 0
        private var isAtEnd = false

        init(_ session: StoreSession, _ collection: Int64, after: [UInt8]) {
            self.session = session
            self.collection = collection
            last = after
            size = session.chunk
        }

        func next() throws(FirestoreError) -> [UInt8]? {
            if result.map({ row >= $0.count }) ?? true {
                guard !isAtEnd else { return nil }
                let chunk = try session.query(
                    "SELECT id FROM \(session.tables.documents) WHERE db = $1 AND collection = $2 AND id > $3 ORDER BY id LIMIT $4",
                    .int8(collection), .bytes(last), .int8(size.limit))
                isAtEnd = chunk.count < size.rows
                size.grow(after: chunk.count, bytes: 0)
                (result, row) = (chunk, 0)
            }
            guard let result, row < result.count, let id = result.array(row, 0) else { return nil }
            row += 1
            last = id
            return id
        }
    }
#endif
