import Foundation
import Testing

/// The built command, run with arguments.
struct HearthCommand {
    let output: String
    let errors: String
    let exitCode: Int32

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

    /// `environment` is added to that of the tests.
    init(_ arguments: [String], environment: [String: String]) throws {
        let process = Process()
        let (standardOutput, standardError) = (Pipe(), Pipe())
        process.executableURL = try Self.executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        // What goes to standard error is short; a pipe holds it until standard output has ended.
        output = String(decoding: standardOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        errors = String(decoding: standardError.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        exitCode = process.terminationStatus
    }

    /// The object that `--json` prints.
    func object() throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
        return try #require(value as? [String: Any])
    }
}
