// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import ArgumentParser
    import FirestoreCore
    import FirestoreEngine
    import FirestorePostgres
    import FirestoreStorage

    /// `hearth store check`: verifies the databases while nodes serve them.
    struct StoreCheckCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Verify the databases on a PostgreSQL server while they are used.",
            discussion: """
                Reads each database in one snapshot: names and times of documents, the canonical form of their fields, the \
                change log, and every index entry against its document. Nothing is changed, and nodes continue meanwhile. The \
                server has tools of its own for its pages and trees: data checksums (SHOW data_checksums) and pg_amcheck.

                EXIT CODES
                  0  the databases are sound
                  1  there are findings
                  2  the server cannot be reached, or the command was not understood

                EXAMPLES
                  hearth store check --store postgres://hearth@db.example.com/hearth
                """)

        @OptionGroup var options: StoreAddressOptions

        func run() async throws {
            let cluster = try options.address().connect()
            var isSound = true
            for database in try cluster.databases() {
                guard let store = try cluster.open(database, creating: false) else { continue }
                let report = try DatabaseInspection.report(of: store)
                try store.close()
                let name = "\(database.projectID)/\(database.databaseID)"
                print(
                    "\(name): \(report.documents) documents, \(report.changes) changes, \(report.indexEntries) index entries, "
                        + (report.isSound ? "sound" : "\(report.count) findings"))
                for finding in report.findings { print("  \(finding)") }
                if report.omitted > 0 { print("  and \(report.omitted) more") }
                isSound = isSound && report.isSound
            }
            if !isSound { throw Outcome.findings }
        }
    }
#endif
