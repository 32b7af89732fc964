// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Testing

/// `CrashWriter`, built next to the tests.
final class ChildProcess: Sendable {
    private let process: Process
    private let output: Pipe

    static var executable: String? {
        let candidates = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent(),
        ]
        return candidates.map { $0.appendingPathComponent("CrashWriter").path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    init(_ arguments: String...) throws {
        process = Process()
        output = Pipe()
        process.executableURL = URL(
            fileURLWithPath: try #require(Self.executable, "CrashWriter must stand next to the tests"))
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    var pid: Int32 { process.processIdentifier }

    /// Everything it printed, once it has ended.
    func lines() -> [String] {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
