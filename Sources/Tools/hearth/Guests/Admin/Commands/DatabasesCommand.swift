// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// `hearth databases …`: the databases of a project.
struct DatabasesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "databases",
        abstract: "List, create, change, clone and delete databases.",
        discussion: """
            Works on a running server, for its administrator, or on a data directory that no server uses (--data DIR). A deleted \
            database in files can be brought back for 24 hours. More in docs/guides/admin.md.

            EXIT CODES
              0  done
              2  it was refused, or the place cannot be reached

            EXAMPLES
              hearth databases list --server 127.0.0.1:8080 --project app
              hearth databases create --data data --project app archive --protect
              hearth databases delete archive
              hearth databases undelete archive
              hearth databases update --point-in-time-recovery
              hearth databases clone before --at 2026-11-26T10:03:00Z --server db:8080
            """,
        subcommands: [List.self, Get.self, Create.self, Update.self, Delete.self, Undelete.self, CloneDatabaseCommand.self])
}

extension DatabasesCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the databases of a project.")

        @Flag(help: "Also those that were deleted within the last 24 hours.")
        var deleted = false

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (deleted, output) = (deleted, output)
            try await AdminConnection.run(place) { admin in
                let answer = try await admin.call(
                    .listDatabases, [("parent", .string(admin.project)), ("showDeleted", deleted ? .boolean(true) : nil)])
                try AdminOutput(output).print(
                    answer.elements("databases"), titles: ["id", "location", "created", "protected", "deleted"]
                ) { database in
                    let previous = database.text("previousId")
                    return [
                        previous.isEmpty ? AdminText.id(database.text("name")) : previous, database.text("locationId"),
                        database.text("createTime"),
                        database.text("deleteProtectionState") == "DELETE_PROTECTION_ENABLED" ? "yes" : "no", database.text("deleteTime"),
                    ]
                }
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Print the settings of a database.")

        @Argument(help: "The id of the database.") var id = DatabaseID.defaultDatabase

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (id, output) = (id, output)
            try await AdminConnection.run(place) { admin in
                try AdminOutput(output).print(try await admin.call(.getDatabase, [("name", .string(admin.databaseName(id)))]))
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a database.")

        @Argument(help: "The id: (default), or 4 to 63 lower-case letters, digits and hyphens.") var id: String

        @Option(help: ArgumentHelp("The location to note; the data is where the server is.", valueName: "name"))
        var location: String?

        @Flag(help: "Protect the database from deletion.")
        var protect = false

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (id, location, protect, output) = (id, location, protect, output)
            try await AdminConnection.run(place) { admin in
                let database = JSON.members([
                    ("locationId", location.map { .string($0) }),
                    ("deleteProtectionState", protect ? .string("DELETE_PROTECTION_ENABLED") : nil),
                ])
                let made = try await admin.result(
                    of: .createDatabase, [("parent", .string(admin.project)), ("databaseId", .string(id)), ("database", database)])
                try AdminOutput(output).print(made)
            }
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update", abstract: "Change the settings of a database.")

        @Argument(help: "The id of the database.") var id = DatabaseID.defaultDatabase

        @Flag(inversion: .prefixedNo, help: "Whether the database is protected from deletion.")
        var protect: Bool?

        @Flag(inversion: .prefixedNo, help: "Whether every minute of the last 7 days can be cloned and exported; needs an archive.")
        var pointInTimeRecovery: Bool?

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func validate() throws {
            guard protect != nil || pointInTimeRecovery != nil else {
                throw ValidationError("nothing is to be changed; use --protect, --point-in-time-recovery, or one of them with no-")
            }
        }

        func run() async throws {
            let (id, output) = (id, output)
            let changes: [(name: String, value: JSON)] = [
                ("deleteProtectionState", "DELETE_PROTECTION", protect),
                ("pointInTimeRecoveryEnablement", "POINT_IN_TIME_RECOVERY", pointInTimeRecovery),
            ].compactMap { (name: String, value: String, isOn: Bool?) in
                isOn.map { (name: name, value: JSON.string("\(value)_\($0 ? "ENABLED" : "DISABLED")")) }
            }
            try await AdminConnection.run(place) { admin in
                let database = JSON.object([("name", .string(admin.databaseName(id)))] + changes)
                let changed = try await admin.result(
                    of: .updateDatabase,
                    [("database", database), ("updateMask", .string(changes.map(\.name).joined(separator: ",")))])
                try AdminOutput(output).print(changed)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a database.",
            discussion: """
                Calls and streams of it end. In files, `hearth databases undelete` brings it back within 24 hours; on a PostgreSQL \
                server, and in memory, it is gone.
                """)

        @Argument(help: "The id of the database.") var id: String

        @Option(help: ArgumentHelp("Delete the database only if this is still its etag.", valueName: "text"))
        var etag: String?

        @OptionGroup(title: "Place") var place: PlaceOptions

        func run() async throws {
            let (id, etag) = (id, etag)
            try await AdminConnection.run(place) { admin in
                _ = try await admin.result(
                    of: .deleteDatabase, [("name", .string(admin.databaseName(id))), ("etag", etag.map { .string($0) })])
                StandardError.say("deleted the database \(id) of project \(admin.database.projectID)")
            }
        }
    }

    struct Undelete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undelete", abstract: "Bring back a database that was deleted within the last 24 hours.")

        @Argument(help: "The id that the database had, or its uid if several of that id were deleted.") var id: String

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (id, output) = (id, output)
            try await AdminConnection.run(place) { admin in
                try AdminOutput(output).print(
                    try await admin.result(of: .undeleteDatabase, [("name", .string(admin.databaseName(id)))]))
            }
        }
    }
}
