// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Another process with an open read transaction on a database: SQLite of Python.
final class ForeignReader {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    private static let program = """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1], isolation_level=None)
        for line in sys.stdin:
            if line == "begin\\n": c.execute("BEGIN")
            if line == "end\\n": c.execute("COMMIT")
            print(c.execute("SELECT last_commit_time FROM meta").fetchone()[0], flush=True)
        """

    init(of file: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, file]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Begins or ends the transaction; returns the time of the last commit that it sees.
    @discardableResult
    func tell(_ line: String) throws -> Int64 {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
        var answer = Data()
        while answer.last != UInt8(ascii: "\n") {
            let byte = try #require(try output.fileHandleForReading.read(upToCount: 1), "the process has ended")
            answer += byte
        }
        return try #require(Int64(String(decoding: answer.dropLast(), as: UTF8.self)))
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
