// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    import FirestoreStorage
    import PostgresLink

    extension PostgresSnapshot {
        package func scan(
            _ scope: QueryScope, range: KeyRange, descending: Bool,
            _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) {
            let plan = ScanPlan(try collections(in: scope), range: range)
            var left = (descending ? plan.intervals.reversed() : plan.intervals).map(RowRange.init)[...]
            var size = session.chunk
            // Small collections are read several at a time, large ones in parts.
            var together = 1
            while !left.isEmpty {
                let batch = Array(left.prefix(together))
                let result = try chunk(batch, plan, size.limit, descending)
                var bytes = 0
                for row in 0..<result.count {
                    bytes += result.bytes(row, 4)?.count ?? 0
                    let interval = batch[Int(result.integer(row, 0)) - 1]
                    if try visit(result, row, plan.collections[interval.collection].path, body) == .stop { return }
                }
                if result.count < size.rows {
                    left = left.dropFirst(batch.count)
                    together = min(together * 4, 256)
                } else {
                    guard let last = result.array(result.count - 1, 1) else { throw damaged("a document id") }
                    let reached = Int(result.integer(result.count - 1, 0)) - 1
                    left = [batch[reached].rest(behind: last, descending)] + left.dropFirst(reached + 1)
                    together = 1
                }
                size.grow(after: result.count, bytes: bytes)
            }
        }

        private func visit(
            _ result: PostgresResult, _ row: Int, _ collection: CollectionPath,
            _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) -> ScanStep {
            defer { withExtendedLifetime(result) {} }
            guard let id = result.bytes(row, 1) else { throw damaged("a document id in \(collection.path)") }
            return try FetchedRow(result: result, row: row, column: 2).scan(id, in: collection, session.errors, body)
        }

        private func chunk(
            _ batch: [RowRange], _ plan: ScanPlan, _ limit: Int64, _ descending: Bool
        ) throws(FirestoreError) -> PostgresResult {
            let direction = descending ? " DESC" : ""
            let numbers = batch.map { plan.collections[$0.collection].number }
            return try session.query(
                """
                SELECT k.place, d.* FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) WITH ORDINALITY AS k(c, first, last, place)
                CROSS JOIN LATERAL (SELECT id, create_time, update_time, fields FROM \(session.tables.documents) d
                WHERE d.db = $1 AND d.collection = k.c AND d.id >= k.first AND d.id < k.last ORDER BY d.id\(direction) LIMIT $5) d
                ORDER BY k.place, d.id\(direction) LIMIT $5
                """, .int8s(numbers), .byteses(batch.map(\.lower)), .byteses(batch.map(\.upper)), .int8(limit))
        }

        package func documentCount(in scope: QueryScope, range: KeyRange, upTo: Int?) throws(FirestoreError) -> Int {
            let plan = ScanPlan(try collections(in: scope), range: range)
            guard !plan.intervals.isEmpty, upTo != 0 else { return 0 }
            return try count(
                plan.intervals.map { (plan.collections[$0.collection].number, $0.lower, $0.upper) }, upTo: upTo)
        }

        /// Counts with the tree of names alone.
        func count(
            _ ranges: [(collection: Int64, lower: [UInt8], upper: [UInt8])], upTo: Int?
        ) throws(FirestoreError) -> Int {
            let result = try session.query(
                """
                SELECT count(*) FROM (SELECT 1 FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS k(c, first, last)
                CROSS JOIN LATERAL (SELECT 1 FROM \(session.tables.documents) d
                WHERE d.db = $1 AND d.collection = k.c AND d.id >= k.first AND d.id < k.last OFFSET 0) d LIMIT $5) s
                """, .int8s(ranges.map(\.collection)), .byteses(ranges.map(\.lower)), .byteses(ranges.map(\.upper)),
                .int8(upTo.map { Int64($0) } ?? .max))
            return Int(result.integer(0, 0))
        }
    }

    /// The part of an interval that a scan has not visited yet.
    private struct RowRange {
        let collection: Int
        let lower: [UInt8]
        let upper: [UInt8]

        init(_ interval: ScanInterval) { (collection, lower, upper) = (interval.collection, interval.lower, interval.upper) }

        private init(_ collection: Int, _ lower: [UInt8], _ upper: [UInt8]) {
            (self.collection, self.lower, self.upper) = (collection, lower, upper)
        }

        /// What follows a row, in the direction of the walk.
        func rest(behind id: [UInt8], _ descending: Bool) -> RowRange {
            RowRange(collection, descending ? lower : id + [0], descending ? id : upper)
        }
    }
#endif
