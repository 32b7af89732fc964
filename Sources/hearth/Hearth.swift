import ArgumentParser
import Foundation

/// The command `hearth`: one subcommand per file.
struct Hearth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hearth",
        abstract: "Tools for Hearth databases.",
        discussion: "A Hearth database is one SQLite file; see docs/storage-format.md.",
        subcommands: subcommands)

    private static var subcommands: [any ParsableCommand.Type] {
        #if Remote
            [ServeCommand.self, CheckCommand.self]
        #else
            [CheckCommand.self]
        #endif
    }

    /// Runs what the command line says and ends the process with an `Outcome`.
    static func execute() async {
        do {
            let command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch let code as ExitCode {
            exit(withError: code)
        } catch {
            // Help was asked for: it goes to standard output, and is no failure.
            if exitCode(for: error).isSuccess { exit(withError: error) }
            FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
            exit(withError: Outcome.failure)
        }
    }
}

/// What a subcommand ends with; a command that was not understood ends like a file that cannot be opened.
enum Outcome {
    static let findings = ExitCode(1)
    static let failure = ExitCode(2)
}
