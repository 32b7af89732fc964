// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore
import Foundation

/// The decoding of these cases in a separate process, started before anything is measured.
///
/// Two of them are what two tasks are compared with: on a machine whose cores are two threads of one, neither can do better
/// than two processes that share nothing.
final class DecodingWorker {
    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()

    init() throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--worker"]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
    }

    /// Begins so many operations and returns immediately.
    func begin(_ operations: Int) throws { try requests.fileHandleForWriting.write(contentsOf: Data("\(operations)\n".utf8)) }

    /// Waits until they are done.
    func finish() throws {
        guard try answers.fileHandleForReading.read(upToCount: 1) != nil else { throw BenchmarkFailure("a worker process died") }
    }

    func stop() {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// In the child: does what each line of the standard input says and answers with one byte.
    static func serve() throws {
        let fields = try sample()
        while let line = readLine(), let operations = Int(line) {
            try decode(fields, operations)
            try FileHandle.standardOutput.write(contentsOf: Data([UInt8(ascii: ".")]))
        }
    }

    static func sample() throws -> FieldBytes {
        try DocumentEncoder.encode(BookTags.sample, options: EncodingOptions()).fields
    }

    static func decode(_ fields: FieldBytes, _ operations: Int) throws {
        for _ in 0..<operations { blackHole(try DocumentDecoder.decode(BookTags.self, from: fields)) }
    }
}
