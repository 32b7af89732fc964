// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestorePostgres
    import FirestoreStorage
    import Foundation
    import PostgresLink
    import PostgresServer

    let testDatabase = DatabaseID(projectID: "test")

    /// A schema of its own on the shared server, which is dropped with it.
    final class TestCluster {
        let schema: String
        let settings: PostgresSettings
        private var clusters: [PostgresCluster] = []
        private var stores: [PostgresStore] = []

        init(isInitialized: Bool = true) throws {
            schema = "t_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
            settings = try PostgresSettings(url: PostgresServer.shared.url())
            if isInitialized { try PostgresCluster.initialize(settings, options()) }
        }

        deinit {
            for store in stores { try? store.close() }
            for cluster in clusters { cluster.close() }
            _ = try? PostgresServer.shared.run("SET client_min_messages = error; DROP SCHEMA IF EXISTS \(schema) CASCADE")
        }

        func options(_ change: (inout PostgresClusterOptions) -> Void = { _ in }) -> PostgresClusterOptions {
            var options = PostgresClusterOptions()
            options.schema = schema
            change(&options)
            return options
        }

        /// A node.
        func node(_ change: (inout PostgresClusterOptions) -> Void = { _ in }) throws -> PostgresCluster {
            let cluster = try PostgresCluster.connect(settings, options(change))
            clusters.append(cluster)
            return cluster
        }

        /// A database on a node of its own.
        func store(
            _ database: DatabaseID = testDatabase, _ change: (inout PostgresClusterOptions) -> Void = { _ in }
        ) throws -> PostgresStore {
            guard let store = try node(change).openStore(database, creating: true) else { throw Missing() }
            stores.append(store)
            return store
        }

        @discardableResult
        func run(_ sql: String) throws -> String {
            try PostgresServer.shared.run(sql.replacingOccurrences(of: "SCHEMA.", with: schema + "."))
        }

        struct Missing: Error {}
    }

    extension DocumentStore {
        /// Stores or deletes documents in one commit, at the server's clock where there is one.
        @discardableResult
        func put(_ fields: [String: FieldMap?], needs: Set<DocumentKey> = []) throws(FirestoreError) -> DocumentVersion {
            try write(StoreNeeds(documents: needs)) { (transaction) throws(FirestoreError) in
                let last = transaction.lastCommitTime.microseconds
                let time = DocumentVersion(microseconds: max(last + 1, transaction.clock ?? 0))
                for (path, map) in fields.sorted(by: { $0.key < $1.key }) {
                    let key = DocumentKey(trusted: path)
                    let old = try transaction.document(key)
                    let new = map.map {
                        Document(key: key, createTime: old?.createTime ?? time, updateTime: time, fields: FieldBytes($0))
                    }
                    try transaction.store(CommittedChange(key: key, old: old, new: new), at: time)
                }
                try transaction.setLastCommitTime(time)
                return time
            }.result
        }
    }

    func fields(_ number: Int) -> FieldMap { FieldMap([("n", .integer(Int64(number)))]) }
#endif
