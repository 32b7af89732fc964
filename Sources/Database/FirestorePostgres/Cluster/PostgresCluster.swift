// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import Dispatch
    package import FirestoreCore
    package import FirestoreStorage
    package import PostgresLink

    /// How a node uses the server.
    package struct PostgresClusterOptions: Sendable {
        /// The SQL schema with the tables.
        package var schema = "hearth"
        package var dialect = PostgresDialect.postgres
        package var pool = PostgresPoolLimits()
        /// How many rows a walk reads first; later chunks are larger.
        package var firstChunk = 32
        /// How long a commit whose outcome is unknown is looked for, while the server is away (DN-8.2).
        package var patience = DispatchTimeInterval.seconds(10)
        /// Whether commit times are made by the server's clock. If not, the engine's is used: for tests with a clock of their own.
        package var usesServerClock = true
        /// Called before the last message of a transaction; for tests of faults.
        package var beforeCommit: (@Sendable (PostgresConnection) -> Void)?
        /// Called when the server has confirmed a transaction: returns whether the answer is to be lost; for tests of faults.
        package var losesAnswer: (@Sendable () -> Bool)?

        package init() {}
    }

    /// The databases on a PostgreSQL server that several nodes share.
    package final class PostgresCluster: StoreCluster {
        package let tables: PostgresTables
        package let options: PostgresClusterOptions
        package let pool: PostgresPool
        let settings: PostgresSettings
        let errors: ServerErrors
        let poller: LogPoller
        package let membership: NodeMembership
        /// The name of this node, drawn at its start.
        package let node: [UInt8]
        private let writes = Mutex<Int64>(0)

        private init(_ settings: PostgresSettings, _ tables: PostgresTables, _ options: PostgresClusterOptions) {
            (self.settings, self.tables, self.options) = (settings, tables, options)
            errors = ServerErrors(server: settings.redacted)
            pool = PostgresPool(settings, limits: options.pool)
            poller = LogPoller(settings, tables)
            node = (0..<16).map { _ in UInt8.random(in: 0...255) }
            membership = NodeMembership(settings, tables, node: node, errors)
        }

        package var nodes: (any ClusterNodes)? { membership }

        /// The last reference may go on a thread of the pool, which cannot wait for itself.
        deinit { DispatchQueue.global().async { [poller, pool, membership] in Self.close(poller, pool, membership) } }

        private static func close(_ poller: LogPoller, _ pool: PostgresPool, _ membership: NodeMembership) {
            membership.leave()
            poller.close()
            pool.close()
        }

        /// Connects a node. Fails if the server or the tables do not fit, with what to do about it.
        package static func connect(
            _ settings: PostgresSettings, _ options: PostgresClusterOptions = PostgresClusterOptions()
        ) throws(FirestoreError) -> PostgresCluster {
            let tables = try PostgresTables(schema: options.schema, dialect: options.dialect)
            let cluster = PostgresCluster(settings, tables, options)
            do throws(FirestoreError) {
                try cluster.pool.withConnection(failure: cluster.errors.translate) { (connection) throws(FirestoreError) in
                    let check = SchemaCheck(connection, tables, cluster.errors)
                    try check.checkServer()
                    try check.checkTables()
                }
            } catch {
                cluster.close()
                throw error
            }
            return cluster
        }

        /// Whether a fail-over may lose acknowledged commits: the URL names several servers, and the primary waits for no other (DN-8.3).
        package func losesCommits() throws(FirestoreError) -> Bool {
            guard settings.hosts.count > 1 else { return false }
            let names = try withConnection { (connection) throws(PostgresError) in
                try connection.query(PostgresCall(PostgresStatement("SHOW synchronous_standby_names")))
            }
            return names.text(0, 0)?.isEmpty ?? true
        }

        /// Creates the tables, in one transaction. Does nothing if they exist; several nodes may do so at the same time.
        package static func initialize(
            _ settings: PostgresSettings, _ options: PostgresClusterOptions = PostgresClusterOptions()
        ) throws(FirestoreError) {
            try administer(settings, options) { connection, tables, check in
                try check.checkFree()
                try connection.execute(tables.creation)
            }
        }

        /// Works on the tables as a whole, on a connection of its own to a server that fits.
        static func administer<R>(
            _ settings: PostgresSettings, _ options: PostgresClusterOptions,
            _ body: (PostgresConnection, PostgresTables, SchemaCheck) throws -> R
        ) throws(FirestoreError) -> R {
            let tables = try PostgresTables(schema: options.schema, dialect: options.dialect)
            let errors = ServerErrors(server: settings.redacted)
            do {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                let check = SchemaCheck(connection, tables, errors)
                try check.checkServer()
                return try body(connection, tables, check)
            } catch let error as FirestoreError {
                throw error
            } catch let error as PostgresError {
                throw errors.translate(error)
            } catch {
                throw FirestoreError(.internal, "unexpected error of the database layer: \(error)", cause: error)
            }
        }

        /// Numbers of transactions, never the same twice: the last one of a node is stored (DN-8.2).
        func nextWriteNumber() -> Int64 {
            writes.withLock { number in
                number += 1
                return number
            }
        }

        /// Stores must be closed before.
        package func close() { Self.close(poller, pool, membership) }

        func withConnection<R>(_ body: (PostgresConnection) throws(PostgresError) -> R) throws(FirestoreError) -> R {
            do {
                return try pool.withConnection(body)
            } catch {
                throw errors.translate(error)
            }
        }
    }
#endif
