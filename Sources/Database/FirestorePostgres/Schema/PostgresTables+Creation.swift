// SPDX-License-Identifier: Apache-2.0
#if Postgres
    extension PostgresTables {
        /// Creates everything that does not exist, in one transaction, also when several nodes do so at the same time.
        var creation: String {
            """
            BEGIN;
            \(dialect.schemaLock)CREATE SCHEMA IF NOT EXISTS \(schema);
            \(clusterTables)\(databaseTables)\(documentTables)\(indexTables)
            INSERT INTO \(cluster) VALUES(1, \(Self.format), \(Self.writer), 0, 1) ON CONFLICT DO NOTHING;
            \(dialect.distribution(of: [meta, writers] + ofDatabases))COMMIT;
            """
        }

        private var clusterTables: String {
            """
            CREATE TABLE IF NOT EXISTS \(cluster)(
                one int PRIMARY KEY CHECK(one = 1), format int NOT NULL, min_writer int NOT NULL, notice bigint NOT NULL,
                next_database int NOT NULL, timeline text NOT NULL DEFAULT '',
                since timestamptz NOT NULL DEFAULT '-infinity');
            CREATE TABLE IF NOT EXISTS \(nodes)(
                node bytea PRIMARY KEY, address text NOT NULL, version int NOT NULL, seen timestamptz NOT NULL, notice bigint NOT NULL,
                rules bytea);
            CREATE TABLE IF NOT EXISTS \(leases)(name bytea PRIMARY KEY, node bytea NOT NULL, until timestamptz NOT NULL);
            CREATE TABLE IF NOT EXISTS \(notices)(
                number bigint PRIMARY KEY, kind int NOT NULL, payload bytea NOT NULL, at timestamptz NOT NULL);
            CREATE TABLE IF NOT EXISTS \(rulesets)(
                scope bytea PRIMARY KEY, hash bytea NOT NULL, source text NOT NULL, notice bigint NOT NULL);

            """
        }

        /// `meta` has the row of each database that every commit locks. Each commit leaves a dead version of it, for which its page has
        /// room.
        private var databaseTables: String {
            let frugal = dialect.storage(
                "fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, "
                    + "autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000")
            return """
                CREATE TABLE IF NOT EXISTS \(databases)(
                    db int PRIMARY KEY, project text NOT NULL, name text NOT NULL, format int NOT NULL, min_writer int NOT NULL,
                    UNIQUE(project, name));
                CREATE TABLE IF NOT EXISTS \(deleted)(db int PRIMARY KEY);
                CREATE TABLE IF NOT EXISTS \(meta)(
                    db int PRIMARY KEY, last_commit bigint NOT NULL, previous_commit bigint NOT NULL, log_floor bigint NOT NULL,
                    catalog bigint NOT NULL, next_collection bigint NOT NULL, history bigint NOT NULL, timeline text NOT NULL)\(frugal);
                CREATE TABLE IF NOT EXISTS \(epochs)(
                    db int NOT NULL, ord int NOT NULL, history bigint NOT NULL, after bigint NOT NULL, timeline text NOT NULL,
                    PRIMARY KEY(\(dialect.key("db", "ord"))));
                CREATE TABLE IF NOT EXISTS \(writers)(
                    db int NOT NULL, node bytea NOT NULL, number bigint NOT NULL, commit_time bigint NOT NULL,
                    PRIMARY KEY(\(dialect.key("db", "node"))))\(dialect.storage("fillfactor = 50"));

                """
        }

        private var documentTables: String {
            """
            CREATE TABLE IF NOT EXISTS \(collections)(
                db int NOT NULL, number bigint NOT NULL, path bytea NOT NULL, path_hash bytea NOT NULL, id bytea NOT NULL,
                PRIMARY KEY(\(dialect.key("db", "number"))));
            CREATE UNIQUE INDEX IF NOT EXISTS collections_by_hash ON \(collections)(\(dialect.key("db", "path_hash")));
            CREATE INDEX IF NOT EXISTS collections_by_id ON \(collections)(\(dialect.key("db", "id", "number")));
            CREATE INDEX IF NOT EXISTS collections_by_path ON \(collections)(\(dialect.key("db", "(\(LongKey.prefix(of: "path")))")));
            CREATE TABLE IF NOT EXISTS \(documents)(
                db int NOT NULL, collection bigint NOT NULL, id bytea NOT NULL, create_time bigint NOT NULL, update_time bigint NOT NULL,
                fields bytea\(dialect.compression) NOT NULL, PRIMARY KEY(\(dialect.key("db", "collection", "id"))))
                \(dialect.storage("fillfactor = 90"));
            CREATE TABLE IF NOT EXISTS \(changes)(
                db int NOT NULL, commit_time bigint NOT NULL, ord int NOT NULL, collection bigint NOT NULL, id bytea NOT NULL,
                previous_create bigint, previous_update bigint, previous bytea\(dialect.compression),
                PRIMARY KEY(\(dialect.key("db", "commit_time", "ord"))))\(dialect.storage(Self.autovacuum));
            CREATE INDEX IF NOT EXISTS changes_by_document ON \(changes)(\(dialect.key("db", "collection", "id", "commit_time")));

            """
        }

        /// An entry names its document by the collection (`home`) and the id: rows have no numbers here (DN-3.4). `whole` is the key of an
        /// entry that is longer than a tree of the server can hold (DN-3.3).
        private var indexTables: String {
            """
            CREATE TABLE IF NOT EXISTS \(indexes)(
                db int NOT NULL, number bigint NOT NULL, definition bytea, state int NOT NULL, configured boolean NOT NULL,
                built_collection bigint, built_id bytea, last_used bigint NOT NULL, expiry boolean NOT NULL DEFAULT false,
                PRIMARY KEY(\(dialect.key("db", "number"))));
            CREATE TABLE IF NOT EXISTS \(entries)(
                db int NOT NULL, idx bigint NOT NULL, collection bigint NOT NULL, key bytea NOT NULL, whole bytea, home bigint NOT NULL,
                id bytea NOT NULL, kinds bigint, PRIMARY KEY(\(dialect.key("db", "idx", "collection", "key"))));
            CREATE TABLE IF NOT EXISTS \(facts)(
                db int NOT NULL, key bytea NOT NULL, value bytea NOT NULL, PRIMARY KEY(\(dialect.key("db", "key"))));
            """
        }

        /// The log is pruned all the time: its dead rows are removed before they are many.
        private static let autovacuum = "autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05"
    }
#endif
