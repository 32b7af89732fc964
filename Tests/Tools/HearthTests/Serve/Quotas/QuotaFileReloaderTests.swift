// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// `--quotas`, run (OP-101).
@Suite(.waitingForProcesses, .timeLimit(.minutes(2))) struct QuotaFileReloaderTests {
    private let folder: ScratchFolder
    private var file: String { folder.file("quotas.json") }

    init() throws { folder = try ScratchFolder() }

    private func set(_ text: String) throws { try text.write(toFile: file, atomically: true, encoding: .utf8) }

    private func write(_ server: HearthServerProcess) async throws -> String {
        try await server.send(
            "PATCH", "/v1/projects/demo/databases/(default)/documents/c/a", #"{"fields":{}}"#, headers: ["content-type": "application/json"])
    }

    @Test func `a file with a mistake stops the start, with its line`() throws {
        try set("{\n\"user\": {\"write\": 1}}")
        let error = #expect(throws: HearthServerProcess.NotReady.self) { try HearthServerProcess("--in-memory", "--port", "0", "--quotas", file) }
        #expect(error?.errors.contains("hearth serve: \(file):2: user: unknown member \"write\"") == true, "\(error?.errors ?? "")")
    }

    @Test func `SIGHUP reads the file again, and a mistake leaves the quotas before it`() async throws {
        try set(#"{"anonymous": {"writes": {"minute": 1}}}"#)
        let server = try HearthServerProcess("--in-memory", "--port", "0", "--quotas", file)
        defer { server.kill() }
        #expect(try await write(server).contains("updateTime"))
        #expect(try await write(server).contains("RESOURCE_EXHAUSTED"))
        try set("{\"anonymous\": 1}")
        server.hangUp()
        await eventually("the mistake is reported") { server.errors.contains("the new quota file is rejected") }
        #expect(try await write(server).contains("RESOURCE_EXHAUSTED"))
        try set("{}")
        server.hangUp()
        try await eventually("there are no quotas") { try await write(server).contains("updateTime") }
        #expect(try await server.get("/metrics").contains(#"hearth_quota_refusals_total{of="anonymous",quota="writes"}"#))
    }

    /// OT-54
    @Test func `the queue of a client with a cache continues when its writes are admitted again`() async throws {
        try set(#"{"anonymous": {"writes": {"minute": 60}}}"#)
        let server = try HearthServerProcess("--in-memory", "--port", "0", "--quotas", file)
        defer { server.kill() }
        let program = try HearthCommand.executable.deletingLastPathComponent().appendingPathComponent("SyncCrashWriter").path
        let client = try RunningCommand(shell: "exec '\(program)' obey '\(folder.file("cache.db"))' 127.0.0.1:\(server.port) demo")
        #expect(try client.line() == "ready")
        func obey(_ command: String) throws -> String {
            try client.send(command)
            return try client.line()
        }
        #expect(try obey("offline").hasPrefix("ok"))
        // Two more than are admitted together.
        for number in 0..<62 { #expect(try obey("set c/\(number) {}").hasPrefix("ok")) }
        #expect(try obey("online").hasPrefix("ok"))
        #expect(try obey("sent").hasPrefix("ok"))
        #expect(try obey("failed") == "ok 0")
        #expect(try await server.get("/metrics").contains(#"hearth_quota_refusals_total{of="anonymous",quota="writes"}"#))
        let list = try obey("list c")
        #expect((0..<62).allSatisfy { list.contains("\"c/\($0)\"") })
    }

    @Test(arguments: [("200", "a number with a unit"), ("2h", "must lie between"), ("fast", "a number with a unit")])
    func `a duration that means nothing is refused`(text: String, reason: String) throws {
        let error = #expect(throws: HearthServerProcess.NotReady.self) { try HearthServerProcess("--in-memory", "--port", "0", "--slow", text) }
        #expect(error?.errors.contains("--slow") == true && error?.errors.contains(reason) == true, "\(error?.errors ?? "")")
    }
}
