// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The built command, run with arguments.
struct HearthCommand {
    let output: String
    let errors: String
    let exitCode: Int32

    static let placeVariables = [
        "HEARTH_DATABASE", "FIRESTORE_EMULATOR_HOST", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT", "FIREBASE_PROJECT_ID", "COLUMNS", "NO_COLOR",
    ]

    /// Where the command was built.
    static var executable: URL {
        get throws {
            let candidates = [
                URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
                Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent(),
            ]
            let path = candidates.map { $0.appendingPathComponent("hearth").path }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
            return URL(fileURLWithPath: try #require(path, "hearth must stand next to the tests"))
        }
    }

    init(_ arguments: String...) throws { try self.init(arguments, environment: [:]) }

    /// `environment` is added to that of the tests, without what would name a database there. `input` is what comes on
    /// standard input.
    init(_ arguments: [String], environment: [String: String], input: String = "") throws {
        try self.init(program: try Self.executable, arguments, environment: environment, input: input)
    }

    /// A line of bash, in which `$0` is the command.
    static func shell(_ line: String, arguments: [String] = [], environment: [String: String] = [:]) throws -> HearthCommand {
        try HearthCommand(
            program: URL(fileURLWithPath: "/bin/bash"), ["-c", line, try executable.path] + arguments, environment: environment, input: "")
    }

    private init(program: URL, _ arguments: [String], environment: [String: String], input: String) throws {
        let process = Process()
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.environment = Self.environment.merging(environment) { $1 }
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        // Short enough for a pipe; a command that reads nothing may have ended already.
        try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? standardInput.fileHandleForWriting.close()
        // What goes to standard error is short; a pipe holds it until standard output has ended.
        output = String(decoding: standardOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        errors = String(decoding: standardError.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        exitCode = process.terminationStatus
    }

    /// What every command starts with, but for what a test adds.
    static var environment: [String: String] {
        var inherited = ProcessInfo.processInfo.environment
        for name in placeVariables { inherited[name] = nil }
        return inherited
    }

    /// The object that `--json` prints.
    func object() throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
        return try #require(value as? [String: Any])
    }
}
