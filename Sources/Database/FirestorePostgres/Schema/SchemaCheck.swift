// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import PostgresLink

    /// Whether a server and its tables are such that a node can use them.
    struct SchemaCheck {
        private let connection: PostgresConnection
        private let tables: PostgresTables
        private let errors: ServerErrors

        init(_ connection: PostgresConnection, _ tables: PostgresTables, _ errors: ServerErrors) {
            (self.connection, self.tables, self.errors) = (connection, tables, errors)
        }

        func checkServer() throws(FirestoreError) {
            guard connection.serverVersion >= 150_000 else {
                throw refusal("the database server is PostgreSQL \(connection.serverVersion / 10_000); Hearth needs version 15 or later")
            }
            let result = try query(
                "SELECT current_setting('server_encoding'), pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'")
            guard result.text(0, 0) == "UTF8" else {
                throw refusal("the database has the encoding \(result.text(0, 0) ?? "?"); create one with ENCODING 'UTF8'")
            }
            guard result.integer(0, 1) == 0 else {
                throw FirestoreError(.unavailable, "the database server can only be read; connect to the primary", at: errors.server)
            }
        }

        /// The tables exist, are Hearth's, of this format or an older one if that is allowed, and may be used.
        func checkTables(mayBeOld: Bool = false) throws(FirestoreError) {
            switch try state() {
            case .absent:
                throw refusal("there are no tables of Hearth in the schema \(tables.schema); run `hearth store init`")
            case .foreign: throw foreign
            case .incomplete(let name):
                throw refusal(
                    "the table \(name) of Hearth is missing in the schema \(tables.schema); run `hearth store init` if the schema "
                        + "is empty of "
                        + "data, or restore it from a backup")
            case .complete: break
            }
            try checkRights()
            let result = try query("SELECT format, min_writer FROM \(tables.cluster)")
            guard result.count == 1 else {
                throw refusal("the schema \(tables.schema) has no version; run `hearth store init`, or restore it from a backup")
            }
            let (format, writer) = (result.integer(0, 0), result.integer(0, 1))
            guard format <= Int64(PostgresTables.format), writer <= Int64(PostgresTables.writer) else {
                throw refusal(
                    "the schema \(tables.schema) has format version \(format) for writers from version \(writer), and this Hearth "
                        + "knows versions "
                        + "up to \(PostgresTables.format) and \(PostgresTables.writer); use a newer Hearth")
            }
            guard mayBeOld || format == Int64(PostgresTables.format) else {
                throw refusal(
                    "the schema \(tables.schema) has format version \(format), and this Hearth needs \(PostgresTables.format); run "
                        + "`hearth store migrate`, beside the nodes that run")
            }
        }

        /// The tables may be created: there are none, or some of Hearth's.
        func checkFree() throws(FirestoreError) {
            let state = try state()
            if case .foreign = state { throw foreign }
            if case .complete = state { return }
            let result = try query(
                """
                SELECT coalesce(has_schema_privilege(to_regnamespace('\(tables.schema)')::oid, 'CREATE'),
                has_database_privilege(current_database(), 'CREATE'))
                """)
            guard result.integer(0, 0) != 0 else {
                throw FirestoreError(
                    .permissionDenied,
                    "the user may not create the schema \(tables.schema); GRANT CREATE ON DATABASE to it, for `hearth store init`",
                    at: errors.server)
            }
        }

        // MARK: Parts

        private enum State {
            case absent
            case foreign
            case incomplete(String)
            case complete
        }

        private static let clusterColumns = "'one', 'format', 'min_writer', 'notice', 'next_database'"

        private func state() throws(FirestoreError) -> State {
            let schema = "to_regnamespace('\(tables.schema)')"
            let found = try query("SELECT relname::text FROM pg_class WHERE relnamespace = \(schema) AND relkind IN ('r', 'p', 'v', 'm')")
            let names = Set((0..<found.count).compactMap { found.text($0, 0) })
            if names.isEmpty { return .absent }
            let columns = try query(
                """
                SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('\(tables.cluster)') AND attname IN (\(Self.clusterColumns))
                """)
            guard names.contains("cluster"), columns.integer(0, 0) == 5 else { return .foreign }
            let missing = tables.all.first { !names.contains(String($0.dropFirst(tables.schema.count + 1))) }
            return missing.map { .incomplete($0) } ?? .complete
        }

        private func checkRights() throws(FirestoreError) {
            let result = try query("SELECT has_schema_privilege('\(tables.schema)', 'USAGE')")
            let denied = try deniedTable()
            let isDenied = result.integer(0, 0) == 0 || denied != nil
            guard !isDenied else {
                throw FirestoreError(
                    .permissionDenied,
                    "the user may not use the tables of the schema \(tables.schema); GRANT USAGE ON SCHEMA, and SELECT, INSERT, "
                        + "UPDATE, DELETE ON "
                        + "ALL TABLES IN SCHEMA \(tables.schema) to it", at: errors.server)
            }
        }

        private func deniedTable() throws(FirestoreError) -> String? {
            let result = try query(
                """
                SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace('\(tables.schema)') AND relkind IN ('r', 'p')
                AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
                AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')) LIMIT 1
                """)
            return result.count > 0 ? result.text(0, 0) : nil
        }

        private var foreign: FirestoreError {
            refusal("the schema \(tables.schema) exists and is not Hearth's; choose another name for Hearth's schema")
        }

        private func refusal(_ message: String) -> FirestoreError { FirestoreError(.failedPrecondition, message, at: errors.server) }

        private func query(_ text: String) throws(FirestoreError) -> PostgresResult {
            do {
                return try connection.query(PostgresCall(PostgresStatement(text)))
            } catch {
                throw errors.translate(error)
            }
        }
    }
#endif
