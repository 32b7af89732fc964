// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The section of the README about working offline, followed with what the server prints.
@Suite(.waitingForProcesses, .timeLimit(.minutes(2))) struct WorkingOfflineTests {
    /// SY-150, SY-158
    @Test func `with the printed export line, documents that were written and read are known after the server has ended`() throws {
        let server = try HearthServerProcess("--in-memory", "--port", "0")
        defer { server.kill() }
        let line = try #require(server.readyLine.components(separatedBy: "use it with: ").last)
        let reader = try HearthCommand.executable.deletingLastPathComponent().appendingPathComponent("OfflineReader").path
        let command = try RunningCommand(shell: "\(line.trimmingCharacters(in: .newlines))\nexec \(reader)")
        #expect(try command.line() == "written")
        server.kill()
        _ = server.waitForExit()
        try command.send("the server has ended")
        #expect(try command.line() == "known lake unknown, ridge false, from cache: true")
        #expect(try command.line() == "waiting 1, rejected 0")
        #expect(command.end() == 0)
    }
}
