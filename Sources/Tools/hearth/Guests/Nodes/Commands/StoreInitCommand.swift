// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import ArgumentParser
    import FirestoreCore
    import FirestorePostgres

    /// `hearth store init`: creates the tables.
    struct StoreInitCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Create Hearth's tables on a PostgreSQL server.",
            discussion: """
                Creates the SQL schema `hearth` with its tables, in one transaction. Does nothing if they exist. The user needs \
                the right to create a schema in the database, which must be encoded in UTF8.

                EXIT CODES
                  0  the tables exist
                  2  they could not be created, or the command was not understood

                EXAMPLES
                  hearth store init --store postgres://hearth@db.example.com/hearth
                """)

        @OptionGroup var options: StoreAddressOptions

        func run() async throws {
            let address = try options.address()
            try address.initialize()
            let status = try address.connect().status()
            print("tables of format \(status.format) on \(address.text); serve them with: hearth serve --store \(address.text)")
        }
    }
#endif
