// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// `hearth backups schedules …`: when backups of a database are made, and how long they stay.
struct BackupSchedulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedules",
        abstract: "List, create, change and delete the schedules of backups.",
        discussion: """
            A database has one daily and one weekly schedule. Days begin at midnight, UTC; the first daily backup is made soon. \
            Backups stay for at most 14 weeks.
            """,
        subcommands: [List.self, Create.self, Update.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the schedules of a database.")

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let output = output
            try await AdminConnection.run(place) { admin in
                let schedules = try await admin.call(.listBackupSchedules, [("parent", .string(admin.databaseName))])
                try AdminOutput(output).print(
                    schedules.elements("backupSchedules"), titles: ["id", "recurrence", "retention", "created"]
                ) { schedule in
                    let day = schedule["weeklyRecurrence"]?.text("day").lowercased()
                    return [
                        AdminText.id(schedule.text("name")), day.map { "weekly on \($0)" } ?? "daily", schedule.text("retention"),
                        schedule.text("createTime"),
                    ]
                }
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Schedule backups of a database.")

        @Flag(help: "A backup each day.")
        var daily = false

        @Option(help: ArgumentHelp("A backup each week, on this day.", valueName: "day"))
        var weekly: String?

        @OptionGroup var kept: RetentionOption
        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func validate() throws {
            guard daily != (weekly != nil) else { throw ValidationError("a schedule is either --daily or --weekly DAY") }
        }

        func run() async throws {
            let recurrence: (name: String, value: JSON) =
                weekly.map { ("weeklyRecurrence", .object([("day", .string($0.uppercased()))])) } ?? ("dailyRecurrence", .object([]))
            let schedule = JSON.object([("retention", .string(try kept.text)), recurrence])
            let output = output
            try await AdminConnection.run(place) { admin in
                try AdminOutput(output).print(
                    try await admin.call(.createBackupSchedule, [("parent", .string(admin.databaseName)), ("backupSchedule", schedule)]))
            }
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update", abstract: "Change how long later backups of a schedule stay.")

        @Argument(help: "The id of the schedule.") var id: String
        @OptionGroup var kept: RetentionOption
        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (id, retention, output) = (id, try kept.text, output)
            try await AdminConnection.run(place) { admin in
                let schedule = JSON.object([
                    ("name", .string("\(admin.databaseName)/backupSchedules/\(id)")), ("retention", .string(retention)),
                ])
                try AdminOutput(output).print(
                    try await admin.call(.updateBackupSchedule, [("backupSchedule", schedule), ("updateMask", .string("retention"))]))
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a schedule. Its backups stay until their retention ends.")

        @Argument(help: "The id of the schedule.") var id: String
        @OptionGroup(title: "Place") var place: PlaceOptions

        func run() async throws {
            let id = id
            try await AdminConnection.run(place) { admin in
                _ = try await admin.call(.deleteBackupSchedule, [("name", .string("\(admin.databaseName)/backupSchedules/\(id)"))])
                StandardError.say("deleted the schedule \(id)")
            }
        }
    }

    struct RetentionOption: ParsableArguments {
        @Option(help: ArgumentHelp("How long backups stay, at most 98d.", valueName: "time"))
        var retention: String

        /// In seconds, as the admin API writes it.
        var text: String {
            get throws {
                let longest = Duration.seconds(14 * 7 * 86_400)
                let duration = try DurationText.duration(retention, of: "retention", in: Duration.seconds(1)...longest)
                return "\(duration.components.seconds)s"
            }
        }
    }
}
