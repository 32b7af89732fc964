// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    extension PostgresCluster {
        package func tables(named name: String, lock: String, creation: String?) throws(FirestoreError) -> (any ClusterTables)? {
            let allowed = { (byte: UInt8) in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: ":")).contains(byte)
                    || "-_.".utf8.contains(byte)
            }
            let schema = tables.schema + "_" + name
            guard name.utf8.allSatisfy(allowed), schema.utf8.count <= 63 else {
                throw FirestoreError(
                    .invalidArgument, "\(schema) cannot be the name of an SQL schema, which has at most 63 bytes; give a shorter name")
            }
            let path = "SET LOCAL search_path TO \"\(schema)\""
            let made = PostgresClusterTables(self, path: path, lock: lock)
            return try made.prepare(schema: schema, creation) ? made : nil
        }
    }

    /// Tables in a schema of their own, which is the search path of each transaction.
    final class PostgresClusterTables: ClusterTables {
        private let cluster: PostgresCluster
        private let path: PostgresCall
        private let row: PostgresCall

        init(_ cluster: PostgresCluster, path: String, lock: String) {
            self.cluster = cluster
            self.path = PostgresCall(PostgresStatement(path))
            row = PostgresCall(PostgresStatement("SELECT 1 FROM \(lock) FOR UPDATE"))
        }

        /// Makes the tables under the cluster's row: of several nodes one does. Returns whether there are tables.
        func prepare(schema: String, _ creation: String?) throws(FirestoreError) -> Bool {
            try cluster.withConnection { (connection) throws(PostgresError) in
                let isThere = PostgresCall(
                    PostgresStatement("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1"), .text(schema))
                if try connection.query(isThere).count > 0 { return true }
                guard let creation else { return false }
                let lock = PostgresCall(PostgresStatement("SELECT 1 FROM \(cluster.tables.cluster) FOR UPDATE"))
                guard try connection.query([PostgresCall(.begin), lock, isThere])[2].count == 0 else {
                    _ = try connection.query(PostgresCall(.commit))
                    return true
                }
                try connection.execute("CREATE SCHEMA \"\(schema)\"")
                _ = try connection.query(path)
                try connection.execute(creation)
                _ = try connection.query(PostgresCall(.commit))
                return true
            }
        }

        func read<R>(_ body: (any TableStatements) throws -> R) throws -> R {
            let begin = PostgresCall(PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            return try transaction([begin, path], body)
        }

        func write<R>(_ body: (any ClusterStatements) throws -> R) throws -> (result: R, notice: Int64?) {
            try transaction([PostgresCall(.begin), path, row]) { statements in
                let result = try body(statements)
                return (result, statements.notice)
            }
        }

        private func transaction<R>(_ first: [PostgresCall], _ body: (PostgresTableStatements) throws -> R) throws -> R {
            try cluster.membership.check()
            do {
                let connection = try cluster.pool.borrow()
                // One that is still in a transaction is closed, which takes the transaction back.
                defer { cluster.pool.giveBack(connection) }
                _ = try connection.query(first)
                let result: R
                do {
                    result = try body(PostgresTableStatements(connection, cluster))
                } catch {
                    _ = try? connection.query(PostgresCall(.rollback))
                    throw error
                }
                _ = try connection.query(PostgresCall(.commit))
                return result
            } catch let error as PostgresError {
                throw cluster.errors.translate(error)
            }
        }

        func awaitObedience(of notice: Int64) throws(FirestoreError) { try cluster.membership.awaitObedience(of: notice) }
    }

    private final class PostgresTableStatements: ClusterStatements {
        private let connection: PostgresConnection
        private let cluster: PostgresCluster
        /// The number of the last notice.
        private(set) var notice: Int64?

        init(_ connection: PostgresConnection, _ cluster: PostgresCluster) { (self.connection, self.cluster) = (connection, cluster) }

        func rows(_ sql: String, _ values: [TableValue]) throws -> any TableRows { try query(sql, values) }

        func run(_ sql: String, _ values: [TableValue]) throws -> Int { try query(sql, values).affected }

        func publish(_ kind: ClusterNotice.Kind, _ payload: [UInt8]) throws {
            let (first, last) = cluster.membership.publication(of: kind, payload)
            notice = try connection.query([first] + last)[0].integer(0, 0)
        }

        private func query(_ sql: String, _ values: [TableValue]) throws -> PostgresResult {
            try connection.query(PostgresCall(PostgresStatement(sql), values: values.map(Self.value)))
        }

        private static func value(_ value: TableValue) throws(FirestoreError) -> PostgresValue {
            switch value {
            case .null: return .null
            case .integer(let number): return .int8(number)
            case .bytes(let bytes): return .bytes(bytes)
            case .text(let text):
                // PostgreSQL stores every other character.
                guard !text.utf8.contains(0) else {
                    throw FirestoreError(.invalidArgument, "a text with the character U+0000 cannot be stored")
                }
                return .text(text)
            }
        }
    }

    extension PostgresResult: TableRows {
        package func optionalInteger(_ row: Int, _ column: Int) -> Int64? { isNull(row, column) ? nil : integer(row, column) }
    }
#endif
