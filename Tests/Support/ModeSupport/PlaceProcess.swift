// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A server for the tests: a child process that ends with this one, however this one ends.
///
/// A shell stands in between. It waits for the end of a pipe whose other end is held here and nowhere else, and kills the server
/// then: the server also goes when the tests crash, or are killed, and no test has to tidy up.
///
/// `@unchecked Sendable`: nothing is changed after `init` but what the mutex guards.
package final class PlaceProcess: @unchecked Sendable {
    private static let script = """
        "$@" </dev/null &
        exec >/dev/null 2>&1
        cat
        kill -9 "$!"
        """

    private let process = Process()
    private let life = Pipe()
    /// Of the server alone: ends with it.
    private let output = Pipe()
    private let ended = Mutex(false)

    /// `isQuiet`: its error output is discarded.
    package init(_ executable: String, _ arguments: [String], isQuiet: Bool = false) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.script, "sh", executable] + arguments
        process.standardInput = life
        process.standardOutput = output
        if isQuiet { process.standardError = FileHandle.nullDevice }
        // No other process may keep the pipe open.
        for end in [life.fileHandleForWriting, life.fileHandleForReading] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        try process.run()
    }

    /// What it says first; empty if it ends before it says anything.
    package func firstLine() -> String {
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty {
                ended.withLock { $0 = true }
                break
            }
            line += piece
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Reads what it says from now on, so that it never has to wait for a reader.
    package func discardOutput() {
        let reading = output.fileHandleForReading
        Thread.detachNewThread { [self] in
            while !reading.availableData.isEmpty {}
            ended.withLock { $0 = true }
        }
    }

    package var hasEnded: Bool { ended.withLock { $0 } }
}
