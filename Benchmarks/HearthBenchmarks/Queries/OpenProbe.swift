// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation

/// A new process that opens a large database: how long until the first answer, and how much memory.
enum OpenProbe {
    /// In the child.
    static func run(_ path: String) async throws {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        // The file name carries the project, whose name the database remembers.
        let parts = path.split(separator: "@", maxSplits: 1)
        options.projectID = String(parts[0])
        FirebaseApp.configure(options: options)
        let firestore = Firestore.firestore()
        let settings = FirestoreSettings()
        settings.storage = .file(URL(fileURLWithPath: String(parts[1])))
        firestore.settings = settings
        let start = ContinuousClock.now
        let query = firestore.collection("coll").whereField("grp", isEqualTo: 7).order(by: "n", descending: true).limit(to: 20)
        let found = try await query.getDocuments().count
        let first = QueryCases.seconds(ContinuousClock.now - start)
        for number in 0..<200 {
            _ = try await firestore.collection("coll").whereField("grp", isEqualTo: number % 100)
                .order(by: "n").limit(to: 100).getDocuments()
        }
        print("\(found) \(first * 1e3) \(residentKibibytes())")
        try await firestore.terminate()
    }

    /// In the parent: closes the database for the child's time.
    static func measure(_ documents: MillionDocuments) async throws -> [BenchmarkResult] {
        let copy = documents.database.directory.appendingPathComponent("probe.sqlite").path
        let original = documents.database.directory.appendingPathComponent("hearth.sqlite").path
        // One process per file: the child gets a copy, made while there are no writers.
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original + suffix) {
            try FileManager.default.copyItem(atPath: original + suffix, toPath: copy + suffix)
        }
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) } }
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        child.arguments = ["--probe", documents.database.firestore.app.options.projectID.map { "\($0)@\(copy)" } ?? copy]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3, numbers[0] == 20 else { throw BenchmarkFailure("the probe said \(text)") }
        return [
            BenchmarkResult(
                name: "1,000,000 documents: open and first query", value: numbers[1], unit: "ms", peerName: nil, peerValue: nil,
                ratio: nil, goal: nil),
            BenchmarkResult(
                name: "1,000,000 documents: resident after 200 queries", value: numbers[2] / 1_024, unit: "MB",
                peerName: "allowed", peerValue: 200, ratio: 200 / (numbers[2] / 1_024), goal: 1),
        ]
    }

    static func residentKibibytes() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Double($0.split(whereSeparator: \.isWhitespace)[1]) } ?? .infinity
    }
}
