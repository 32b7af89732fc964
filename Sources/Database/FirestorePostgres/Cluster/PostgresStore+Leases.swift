// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    import PostgresLink

    extension PostgresStore {
        /// By the server's clock (DN-6.3.3). A node that has lost its lease has done a bounded step more, in a transaction of its own.
        package func lease(_ name: String, for duration: Duration) throws(FirestoreError) -> Bool {
            try gate.enter()
            defer { gate.leave() }
            let key = [UInt8]("\(place.database)/\(name)".utf8)
            let leases = place.tables.leases
            let statement = PostgresStatement(
                """
                INSERT INTO \(leases) AS l VALUES($1, $2, clock_timestamp() + make_interval(secs => $3))
                ON CONFLICT (name) DO UPDATE SET node = $2, until = clock_timestamp() + make_interval(secs => $3)
                WHERE l.node = $2 OR l.until < clock_timestamp()
                """)
            let taken = try cluster.withConnection { (connection) throws(PostgresError) in
                try connection.query(
                    PostgresCall(statement, .bytes(key), .bytes(cluster.node), .int4(Int32(clamping: duration.components.seconds))))
            }
            return taken.affected > 0
        }
    }
#endif
