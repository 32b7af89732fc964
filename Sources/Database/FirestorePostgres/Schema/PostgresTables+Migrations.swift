// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import PostgresLink

    extension PostgresTables {
        /// The statements that bring tables to the next format, the first for those of format 1. They only add: nodes of the version before
        /// continue until they are replaced (DN-8.8).
        var migrations: [String] {
            [
                """
                ALTER TABLE \(cluster) ADD COLUMN IF NOT EXISTS timeline text NOT NULL DEFAULT '',
                ADD COLUMN IF NOT EXISTS since timestamptz NOT NULL DEFAULT '-infinity'
                """,
                "ALTER TABLE \(indexes) ADD COLUMN IF NOT EXISTS expiry boolean NOT NULL DEFAULT false",
            ]
        }
    }

    extension PostgresCluster {
        /// Brings the tables to the present format, in one transaction that holds the cluster's row. Returns the format of before.
        package static func migrate(
            _ settings: PostgresSettings, _ options: PostgresClusterOptions = PostgresClusterOptions()
        ) throws(FirestoreError) -> Int {
            try administer(settings, options) { connection, tables, check in
                try check.checkTables(mayBeOld: true)
                let row = PostgresCall(PostgresStatement("SELECT format FROM \(tables.cluster) FOR UPDATE"))
                let format = Int(try connection.query([PostgresCall(.begin), row])[1].integer(0, 0))
                for statements in tables.migrations.dropFirst(format - 1) { try connection.execute(statements) }
                let done = PostgresCall(
                    PostgresStatement("UPDATE \(tables.cluster) SET format = greatest(format, \(PostgresTables.format))"))
                _ = try connection.query([done, PostgresCall(.commit)])
                return format
            }
        }
    }
#endif
