// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program of the system or of the test clients' environment.
struct ExternalProgram {
    let path: String

    /// nil, and a line that says so, if it is not there.
    static func find(_ name: String) -> ExternalProgram? {
        var places = ["/usr/bin/\(name)", "/usr/local/bin/\(name)", "/bin/\(name)"]
        if name == "python-clients" {
            // `make test` sets it to what dev/python prints.
            places = ProcessInfo.processInfo.environment["HEARTH_PYTHON"].map { [$0] } ?? []
        }
        let path = places.first { FileManager.default.isExecutableFile(atPath: $0) }
        if path == nil { print("skipped: \(name) is not installed (\(places.isEmpty ? "HEARTH_PYTHON is not set" : "looked for " + places.joined(separator: ", ")))") }
        return path.map { ExternalProgram(path: $0) }
    }

    /// The output and the exit code.
    func run(_ arguments: [String]) async throws -> (output: String, code: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: pipe.fileHandleForReading.readDataToEndOfFile()) }
        }
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }
}
