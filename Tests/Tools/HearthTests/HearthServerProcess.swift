// SPDX-License-Identifier: Apache-2.0
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Glibc)
    import Glibc
#endif
import Testing

/// A running `hearth serve`, and a simple way to talk to it.
final class HearthServerProcess {
    private let process = Process()
    private let output = Pipe()
    private let errorFile: URL
    /// What it said when it was ready.
    let readyLine: String

    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    init(_ arguments: [String]) throws {
        errorFile = URL(fileURLWithPath: NSTemporaryDirectory() + "hearth-errors-" + UUID().uuidString)
        try Data().write(to: errorFile)
        process.executableURL = try HearthCommand.executable
        process.arguments = ["serve"] + arguments
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            line += piece
        }
        readyLine = String(decoding: line, as: UTF8.self)
        if readyLine.isEmpty {
            process.waitUntilExit()
            let said = (try? String(contentsOf: errorFile, encoding: .utf8)) ?? ""
            throw NotReady(errors: said)
        }
    }

    struct NotReady: Error { let errors: String }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: errorFile)
    }

    var port: Int {
        get throws {
            let digits = readyLine.components(separatedBy: "ready on 127.0.0.1:").last?.prefix { $0.isNumber } ?? ""
            return try #require(Int(digits), "no port in: \(readyLine)")
        }
    }

    var processID: Int32 { process.processIdentifier }

    var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    func get(_ path: String) async throws -> String { try await send("GET", path, nil) }

    func send(_ method: String, _ path: String, _ body: String?, headers: [String: String] = [:], port: Int? = nil) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(try port ?? self.port)\(path)")))
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body.map { Data($0.utf8) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let (data, _) = try await session.data(for: request)
        return String(decoding: data, as: UTF8.self)
    }

    /// Waits for a file that it writes, as long as it runs.
    func waitForFile(_ path: String) throws {
        while !FileManager.default.fileExists(atPath: path) {
            try #require(process.isRunning, "\(errors)")
            usleep(10_000)
        }
    }

    /// SIGTERM
    func terminate() { if process.isRunning { process.terminate() } }

    /// SIGHUP
    func hangUp() { if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGHUP) } }

    /// SIGKILL
    func kill() { if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) } }

    func waitForExit() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
