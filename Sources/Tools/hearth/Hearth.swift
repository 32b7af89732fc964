// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import Foundation

/// The command `hearth`: one subcommand per file.
struct Hearth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hearth",
        abstract: "Firestore databases on the command line: files, servers, the cloud.",
        discussion: """
            Commands that work on a database find it through --data FILE, --server HOST:PORT or --cloud PROJECT, or through \
            the environment; they are the same for all three. Values are JSON that keeps Firestore's types apart: \
            see docs/reference/cli.md, or `hearth help set`.

            EXIT CODES
              0    done
              1    the answer is no: a missing document, a condition that does not hold
              2    it could not be done, or the command was not understood
              130  interrupted by Ctrl-C

            EXAMPLES
              hearth set --data app.sqlite cities/SF '{"population": 860000}'
              hearth get --data app.sqlite cities/SF
              export FIRESTORE_EMULATOR_HOST=127.0.0.1:8080
              hearth query cities --where 'population > 500000' --output table
            """,
        version: VersionText.text,
        groupedSubcommands: groups)

    private static var groups: [CommandGroup] {
        [
            CommandGroup(
                name: "Documents",
                subcommands: [GetCommand.self, SetCommand.self, UpdateCommand.self, AddCommand.self, DeleteCommand.self]),
            CommandGroup(
                name: "Queries",
                subcommands: [
                    QueryCommand.self, CountCommand.self, PipelineCommand.self, WatchCommand.self, CollectionsCommand.self,
                    ExplainCommand.self,
                ]),
            CommandGroup(name: "Types", subcommands: [TypesCommand.self, SchemaCommand.self]),
            CommandGroup(
                name: "Databases",
                subcommands: [
                    ImportCommand.self, ExportCommand.self, MigrateCommand.self, CheckCommand.self, BackupCommand.self, CacheCommand.self,
                ]),
            CommandGroup(
                name: "Servers",
                subcommands: [InitCommand.self, ServeCommand.self, RulesCommand.self] + ServerGuests.all.flatMap { $0.commands }),
        ]
    }

    private static var commands: [any ParsableCommand.Type] { groups.flatMap { $0.subcommands } }

    /// The words that lead to a command: `hearth rules check`. A group with a command that needs no separate word has one name.
    private static func name(of type: any ParsableCommand.Type) -> String {
        (["hearth"] + (words(to: type, in: commands) ?? [])).joined(separator: " ")
    }

    private static func words(to type: any ParsableCommand.Type, in commands: [any ParsableCommand.Type]) -> [String]? {
        for command in commands {
            let group = command.configuration
            guard let word = group.commandName else { continue }
            if command == type { return [word] }
            guard let rest = words(to: type, in: group.subcommands) else { continue }
            return [word] + (group.defaultSubcommand == nil ? rest : [])
        }
        return nil
    }

    /// The problem with a command's options, and the usage of the command.
    private static func message(for error: any Error, of type: any ParsableCommand.Type) -> String {
        let (own, name) = (type.configuration.commandName ?? "", name(of: type))
        return type.fullMessage(for: error).replacing("Usage: \(own)", with: "Usage: \(name)")
            .replacing("See '\(own) ", with: "See '\(name) ")
    }

    /// Runs the command line and ends the process with an `Outcome`.
    static func execute() async {
        var name = "hearth"
        var running: (any ParsableCommand.Type)?
        do {
            try NearestName.check(CommandLine.arguments.dropFirst(), of: commands)
            let command = try await asyncParseAsRoot()
            name = self.name(of: type(of: command))
            running = type(of: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch let code as ExitCode {
            exit(withError: code)
        } catch is StandardOutput.Closed {
            // The reader of the output has ended (`hearth query … | head`), which is not a failure.
            exit(withError: ExitCode.success)
        } catch let error as FirestoreError {
            StandardError.say("\(name): \(CommandMessage.text(of: error))")
            exit(withError: Outcome.failure)
        } catch {
            // Requested help goes to standard output and is not a failure.
            if exitCode(for: error).isSuccess { exit(withError: error) }
            if let running, error is ValidationError {
                StandardError.say(message(for: error, of: running))
                exit(withError: Outcome.failure)
            }
            let arguments = Array(CommandLine.arguments.dropFirst())
            let command = groups.flatMap { $0.subcommands }.first { $0.configuration.commandName == arguments.first }
            let help = command.map { helpMessage(for: $0) } ?? ""
            StandardError.say(NearestName.explained(fullMessage(for: error), arguments: arguments, help: help))
            exit(withError: Outcome.failure)
        }
    }
}
