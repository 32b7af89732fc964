// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth store …`: the PostgreSQL server that keeps the databases of several nodes.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Prepare and inspect a PostgreSQL server for several nodes.",
        discussion: """
            Several `hearth serve --store URL` on one or more machines serve the same databases, which a PostgreSQL server \
            of version 15 or later keeps. See docs/distributed.md.
            """,
        subcommands: subcommands)

    #if Postgres
        private static let subcommands: [any ParsableCommand.Type] = [
            StoreInitCommand.self, StoreMigrateCommand.self, StoreStatusCommand.self, StoreCheckCommand.self, StoreCopyCommand.self,
        ]
    #else
        private static let subcommands: [any ParsableCommand.Type] = []

        func run() async throws { _ = try StoreAddress("", isOnCommandLine: false, environment: [:]) }
    #endif
}
