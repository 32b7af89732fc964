// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A long-running command: its lines as they come, signals, its end.
final class RunningCommand {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errorPipe = Pipe()
    private var waiting = Data()

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = try HearthCommand.executable
        process.arguments = arguments
        process.environment = HearthCommand.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        try start()
    }

    /// Lines of bash, whose input is `send`.
    init(shell lines: String) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", lines]
        process.environment = HearthCommand.environment
        process.standardInput = input
        try start()
    }

    private func start() throws {
        process.standardOutput = output
        process.standardError = errorPipe
        try process.run()
    }

    deinit {
        if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
    }

    /// The next line, waited for as long as the process runs.
    func line() throws -> String {
        while true {
            if let end = waiting.firstIndex(of: UInt8(ascii: "\n")) {
                defer { waiting = Data(waiting[(end + 1)...]) }
                return String(decoding: waiting[..<end], as: UTF8.self)
            }
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw Ended(errors: errors) }
            waiting += piece
        }
    }

    /// Writes a line to the input of a command of bash.
    func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Waits until something holds, as long as the process runs.
    func wait(until condition: () -> Bool) throws {
        while !condition() {
            guard process.isRunning else { throw Ended(errors: errors) }
            usleep(10_000)
        }
    }

    struct Ended: Error { let errors: String }

    func interrupt(_ signal: Int32) { _ = kill(process.processIdentifier, signal) }

    func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Once it has ended.
    var errors: String { String(decoding: errorPipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
}
