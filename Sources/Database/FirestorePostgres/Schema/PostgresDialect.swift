// SPDX-License-Identifier: Apache-2.0
#if Postgres
    /// What differs between the engines that speak PostgreSQL's protocol (DN-3.6, DN-9.8).
    ///
    /// Only the statements of PostgreSQL have been run. Those of the others follow their documentation.
    package enum PostgresDialect: String, Sendable, CaseIterable {
        case postgres, yugabyte, cockroach, citus

        /// The columns of a key that ranges are read by. YugabyteDB would hash the first one.
        func key(_ columns: String...) -> String {
            columns.map { self == .yugabyte ? "\($0) ASC" : $0 }.joined(separator: ", ")
        }

        /// What a table says about its storage.
        func storage(_ parameters: String) -> String {
            switch self {
            case .postgres, .citus: " WITH (\(parameters))"
            case .yugabyte, .cockroach: ""
            }
        }

        /// How a large column is compressed.
        var compression: String {
            switch self {
            case .postgres, .citus: " COMPRESSION lz4"
            case .yugabyte, .cockroach: ""
            }
        }

        /// The history of the server, which changes when another server takes over that may lack the last commits (DN-8.3). Constant where
        /// nothing can be lost.
        var timeline: String {
            switch self {
            case .postgres, .citus: "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
            case .yugabyte, .cockroach: "'1'"
            }
        }

        /// When the server was started, as text: its files may have been put back meanwhile as they were earlier. Constant where nothing
        /// can be lost.
        var serverStart: String {
            switch self {
            case .postgres, .citus: "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint::text"
            case .yugabyte, .cockroach: "'1'"
            }
        }

        /// The server's clock in microseconds since 1970, at the moment of the call.
        var clock: String { "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint" }

        /// The SHA-256 of an expression of the type `bytea`.
        func hash(_ bytes: String) -> String {
            self == .cockroach ? "digest(\(bytes), 'sha256')" : "sha256(\(bytes))"
        }

        /// Excludes others that create the same tables; empty where nothing like that exists.
        var schemaLock: String {
            switch self {
            case .postgres, .yugabyte, .citus: "SELECT pg_advisory_xact_lock(4919131752989213764);\n"
            case .cockroach: ""
            }
        }

        /// How the transactions of the store see each other. With `READ COMMITTED` every statement behind the lock sees what its last
        /// holder has committed (DN-4.5).
        var isolation: String { self == .cockroach ? "SERIALIZABLE" : "READ COMMITTED" }

        /// Statements that follow the tables. Citus keeps everything of a Hearth database on one node.
        func distribution(of tables: [String]) -> String {
            guard self == .citus else { return "" }
            return tables.map { "SELECT create_distributed_table('\($0)', 'db');\n" }.joined()
        }
    }
#endif
