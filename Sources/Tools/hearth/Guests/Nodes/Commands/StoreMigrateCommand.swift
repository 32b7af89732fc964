// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import ArgumentParser
    import FirestoreCore
    import FirestorePostgres

    /// `hearth store migrate`: brings the tables to the format of this version.
    struct StoreMigrateCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Bring Hearth's tables on a PostgreSQL server to the format of this version.",
            discussion: """
                Changes the tables in one transaction, beside nodes that run: they continue. Then replace the nodes by this \
                version, one after the other; one of the version before does not start any more. Does nothing if the tables \
                have the format already.

                EXIT CODES
                  0  the tables have the format of this version
                  2  they could not be changed, or the command was not understood

                EXAMPLES
                  hearth store migrate --store postgres://hearth@db.example.com/hearth
                """)

        @OptionGroup var options: StoreAddressOptions

        func run() async throws {
            let address = try options.address()
            let before = try address.migrate()
            let format = try address.connect().status().format
            print(
                before == format
                    ? "tables of format \(format) on \(address.text): nothing to do"
                    : "tables of format \(format) on \(address.text), which had format \(before); replace the nodes by this version now")
        }
    }
#endif
