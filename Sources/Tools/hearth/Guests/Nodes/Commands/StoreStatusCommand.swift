// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import ArgumentParser
    import FirestoreCore
    import FirestorePostgres
    import FirestoreStorage
    import Foundation

    /// `hearth store status`: what is on the server.
    struct StoreStatusCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the databases on a PostgreSQL server.",
            discussion: """
                Shows the version of the server, the format of the tables, and each database with the time of its last commit, \
                the number of its histories (more than one after a fail-over) and the server's estimate of its documents; \
                and the nodes that serve them.

                EXIT CODES
                  0  the tables can be served
                  2  they cannot, or the server cannot be reached, or the command was not understood

                EXAMPLES
                  hearth store status --store postgres://hearth@db.example.com/hearth
                  hearth store status --json | jq '.databases[].lastCommit'
                """)

        @OptionGroup var options: StoreAddressOptions

        @Flag(help: "Print one JSON object instead of text.")
        var json = false

        func run() async throws {
            let address = try options.address()
            let status = try address.connect().status()
            print(json ? Self.json(of: status).text(.indented) : Self.text(of: status, at: address))
        }

        private static func version(_ number: Int) -> String { "\(number / 10_000).\(number % 10_000)" }

        private static func text(of status: PostgresClusterStatus, at address: StoreAddress) -> String {
            let server = "\(address.text): PostgreSQL \(version(status.serverVersion)), tables of format \(status.format)"
            let databases = status.databases.map { database in
                "\(database.id.projectID)/\(database.id.databaseID): last commit \(database.lastCommit.timestamp.text), about "
                    + "\(database.documents) documents, histories: \(database.histories)"
            }
            let nodes = status.nodes.map { node in
                let seen = "seen \(Int(node.secondsSinceSeen.rounded())) s ago"
                return node.isLive ? "node \(node.address): serving" : "node \(node.address): without a lease, \(seen)"
            }
            return ([server] + (databases.isEmpty ? ["no databases"] : databases) + nodes).joined(separator: "\n")
        }

        private static func json(of status: PostgresClusterStatus) -> JSON {
            .object([
                ("serverVersion", .string(version(status.serverVersion))), ("format", .number("\(status.format)")),
                (
                    "databases",
                    .array(
                        status.databases.map { database in
                            .object([
                                ("project", .string(database.id.projectID)), ("database", .string(database.id.databaseID)),
                                ("lastCommit", .string(database.lastCommit.timestamp.text)),
                                ("documents", .number("\(database.documents)")), ("histories", .number("\(database.histories)")),
                            ])
                        })
                ),
                (
                    "nodes",
                    .array(
                        status.nodes.map { node in
                            .object([
                                ("address", .string(node.address)), ("isLive", .boolean(node.isLive)),
                                ("secondsSinceSeen", .number(String(format: "%.1f", node.secondsSinceSeen))),
                            ])
                        })
                ),
            ])
        }
    }
#endif
