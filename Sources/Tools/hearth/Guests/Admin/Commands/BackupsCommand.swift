// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// `hearth backups …`: the backups of schedules, and databases out of them.
struct BackupsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backups",
        abstract: "List, delete and restore backups, and schedule them.",
        discussion: """
            A backup is a copy of a database in the server's archive, which stays until its retention ends, also when the database is \
            deleted. It is restored as a new database. More in docs/guides/admin.md.

            EXIT CODES
              0  done
              2  it was refused, or the server cannot be reached

            EXAMPLES
              hearth backups schedules create --daily --retention 7d
              hearth backups schedules create --weekly sunday --retention 98d
              hearth backups list --server 127.0.0.1:8080 --project app
              hearth backups restore 8sdY2hQwP4kTzLm0cVxR before --server 127.0.0.1:8080
            """,
        subcommands: [List.self, Show.self, Delete.self, Restore.self, BackupSchedulesCommand.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the backups of a project, the newest first.")

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let output = output
            try await AdminConnection.run(place) { admin in
                let backups = try await admin.call(.listBackups, [("parent", .string("\(admin.project)/locations/-"))]).elements("backups")
                try AdminOutput(output).print(
                    backups, titles: ["id", "database", "state", "time", "until", "documents", "bytes"]
                ) { backup in
                    [
                        AdminText.id(backup.text("name")), AdminText.id(backup.text("database")), backup.text("state").lowercased(),
                        backup.text("snapshotTime"), backup.text("expireTime"), backup["stats"]?.text("documentCount") ?? "",
                        backup["stats"]?.text("sizeBytes") ?? "",
                    ]
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Print a backup.")

        @Argument(help: "The id of the backup.") var id: String
        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (id, output) = (id, output)
            try await AdminConnection.run(place) { admin in
                try AdminOutput(output).print(try await admin.call(.getBackup, [("name", .string(admin.backupName(id)))]))
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a backup before its retention ends.",
            discussion: "The database is not changed, and the moments of its window can still be restored.")

        @Argument(help: "The id of the backup.") var id: String
        @OptionGroup(title: "Place") var place: PlaceOptions

        func run() async throws {
            let id = id
            try await AdminConnection.run(place) { admin in
                _ = try await admin.call(.deleteBackup, [("name", .string(admin.backupName(id)))])
                StandardError.say("deleted the backup \(id)")
            }
        }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Make a new database of a backup.",
            discussion: """
                References into the database of the backup refer to the new one. Documents of it do not expire until a policy is \
                set, and it has no backup schedules. Without a server, `hearth restore` restores an archive into a data directory.
                """)

        @Argument(help: "The id of the backup.") var id: String
        @Argument(help: "The id of the new database.") var database: String
        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (id, database, output) = (id, database, output)
            try await AdminConnection.run(place) { admin in
                try AdminOutput(output).print(
                    try await admin.result(
                        of: .restoreDatabase,
                        [("parent", .string(admin.project)), ("databaseId", .string(database)), ("backup", .string(admin.backupName(id)))]))
            }
        }
    }
}

extension AdminConnection {
    /// A backup at any location.
    fileprivate func backupName(_ id: String) -> String { "\(project)/locations/-/backups/\(id)" }
}
