// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `hearth archive`: what is in an archive.
struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "List and check an archive, which `hearth serve --archive` writes.",
        discussion: """
            ARCHIVE is what the server was given: a folder, or a bucket as in s3://bucket/prefix. The archive of databases on a \
            PostgreSQL server is that server's own: see docs/distributed.md.
            """,
        subcommands: [ArchiveListCommand.self, ArchiveVerifyCommand.self])
}
