// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import Foundation
import TestSupport
import Testing

@testable import FirestoreSync

/// A client is killed at random moments while it writes, and now and then the server, too (SY-D11, SY-D30).
@Suite(.serialized, .waitingForProcesses) struct SyncCrashTests {
    private static let rounds = TestScale.pick(quick: 15, full: 1_000)
    /// Every how many rounds the server is killed instead of the client.
    private static let serverRounds = 5
    /// Every how many rounds a client lives until a write of its is answered.
    private static let answeredRounds = 8
    private static let database = DatabaseID(projectID: "crash")

    @Test func `a client that is killed again and again loses no saved write, and none is applied twice`() async throws {
        let folder = try ScratchFolder()
        let cache = folder.file("cache.sqlite")
        let server = try ServerProcess(folder)
        defer { server.kill() }
        var random = SystemRandomNumberGenerator()
        var (saved, acknowledged): (Set<String>, Set<String>) = ([], [])
        var kills = 0
        for round in 0..<Self.rounds {
            let child = try ClientProcess("write", cache, server.address, "\(round)")
            // From before the file is open until there is a queue.
            let life = Int.random(in: 0..<400, using: &random)
            if round % Self.serverRounds == Self.serverRounds - 1 {
                try await Task.sleep(for: .milliseconds(life / 2))
                server.kill()
                try server.start()
            }
            // On a slow machine it may never live that long.
            if round % Self.answeredRounds == 0 { child.waits(for: "acknowledged ") }
            try await Task.sleep(for: .milliseconds(life))
            child.kill()
            kills += 1
            for line in child.lines() {
                let words = line.split(separator: " ").map(String.init)
                switch words[0] {
                case "saved": saved.insert(words[1])
                case "acknowledged": acknowledged.insert(words[1])
                case "ready": break
                default: Issue.record("round \(round): \(line)")
                }
            }
            // A look at every file would take longer than the rest.
            if !TestScale.isFull || round % 25 == 0 { try check(cache, server.address) }
        }
        let drained = try ClientProcess("drain", cache, server.address)
        #expect(drained.lines() == ["drained"])
        #expect(try check(cache, server.address) == 0, "the queue is empty")

        let hits = try await applications(server.address)
        print("\(kills) kills, \(saved.count) saved, \(acknowledged.count) acknowledged, \(hits.count) applied")
        #expect(saved.count > Self.rounds)
        #expect(acknowledged.count >= Self.rounds / Self.answeredRounds)
        #expect(acknowledged.isSubset(of: saved))
        let lost = saved.subtracting(hits.keys)
        #expect(lost.isEmpty, "lost: \(lost.sorted().prefix(10))")
        let twice = hits.filter { $0.value != 1 }
        #expect(twice.isEmpty, "not applied once: \(twice.prefix(10))")
        // What was not reported to a caller was in the queue when the process ended.
        #expect(hits.count - saved.count <= kills * 3 * 12)
    }

    /// Opens the file without a network. Returns the number of queued writes.
    @discardableResult
    private func check(_ file: String, _ address: String) throws -> Int {
        let store = try LocalStore.open(
            LocalStore.Configuration(location: .file(path: file), databaseID: Self.database, server: address))
        #expect(try store.check() == [])
        #expect(try store.failedBatches().isEmpty)
        let count = try store.pendingBatches().count
        try store.close()
        return count
    }

    /// How often each write was applied; and the totals are the sum of them.
    private func applications(_ address: String) async throws -> [String: Int64] {
        let service = try RemoteEndpoint.server(address).open(Self.database)
        var hits: [String: Int64] = [:]
        for document in try await service.run(.collection("items"), context: .embedded).documents {
            guard case .integer(let count)? = try document.fields.map["hits"] else { continue }
            hits[document.key.id] = count
        }
        var total: Int64 = 0
        for document in try await service.run(.collection("totals"), context: .embedded).documents {
            if case .integer(let count)? = try document.fields.map["n"] { total += count }
        }
        #expect(total == hits.values.reduce(0, +))
        await service.shutdown()
        return hits
    }
}

/// `SyncCrashWriter`, built next to the tests.
private final class ClientProcess {
    private let process = Process()
    private let output = Pipe()
    private var read = Data()

    init(_ arguments: String...) throws {
        process.executableURL = try Built.executable("SyncCrashWriter")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Reads until it prints this, or ends.
    func waits(for text: String) {
        while read.range(of: Data(text.utf8)) == nil {
            let next = output.fileHandleForReading.availableData
            if next.isEmpty { return }
            read += next
        }
    }

    /// Everything it printed, once it has ended.
    func lines() -> [String] {
        read += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // The last line can be cut off.
        return String(decoding: read, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }
}

/// `hearth serve` over a folder.
private final class ServerProcess {
    private let folder: ScratchFolder
    private var process = Process()
    private var port = 0

    init(_ folder: ScratchFolder) throws {
        self.folder = folder
        try start()
    }

    var address: String { "127.0.0.1:\(port)" }

    /// On the port that it had before.
    func start() throws {
        let portFile = folder.file("port")
        try? FileManager.default.removeItem(atPath: portFile)
        process = Process()
        process.executableURL = try Built.executable("hearth")
        process.arguments = [
            "serve", "--data", folder.file("data"), "--port", "\(port)", "--port-file", portFile, "--log-level", "error",
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while !FileManager.default.fileExists(atPath: portFile) {
            try #require(process.isRunning, "hearth serve must start")
            usleep(5_000)
        }
        let text = try String(contentsOfFile: portFile, encoding: .utf8)
        port = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

private enum Built {
    static func executable(_ name: String) throws -> URL {
        let candidates = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent(),
        ]
        let found = candidates.map { $0.appendingPathComponent(name) }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        return try #require(found, "\(name) must stand next to the tests")
    }
}
