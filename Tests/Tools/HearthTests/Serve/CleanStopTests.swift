// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// What stays of the files beside databases: nothing of a log, as the documentation says.
@Suite(.waitingForProcesses) struct CleanStopTests {
    private static func logs(in folder: ScratchFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }
    }

    @Test func `a server that is asked to stop leaves no logs of databases and accounts`() async throws {
        let folder = try ScratchFolder()
        let server = try HearthServerProcess("--development", "--auth", "0", "--auth-project", "demo-shop", "--port", "0", "--data", folder.path)
        defer { server.kill() }
        for database in ["(default)", "other"] {
            let path = "/v1/projects/demo-shop/databases/\(database)/documents/books"
            _ = try await server.send("POST", path, #"{"fields":{"n":{"integerValue":"1"}}}"#)
            // By the connections that read, too.
            #expect(try await server.get(path).contains("integerValue"))
        }
        #expect(try Self.logs(in: folder).contains { $0.hasSuffix("accounts.sqlite-wal") })
        server.terminate()
        #expect(server.waitForExit() == 0)
        #expect(try Self.logs(in: folder) == [])
        let export = try HearthCommand("accounts", "export", "--data", folder.path, "--project", "demo-shop", folder.file("export"))
        #expect(export.exitCode == 0, "\(export.errors)")
        #expect(try Self.logs(in: folder) == [])
    }

    @Test func `commands leave no log beside a file`() throws {
        let folder = try ScratchFolder()
        let place = ["--data", folder.file("data.sqlite")]
        let commands = [["set", "a/b", #"{"n": 1}"#], ["get", "a/b"], ["query", "a"], ["export", "-"], ["backup", folder.file("copy.sqlite")]]
        for command in commands {
            let run = try HearthCommand(command + place, environment: [:])
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(try Self.logs(in: folder) == [], "\(command)")
        }
        for file in ["data.sqlite", "copy.sqlite"] {
            #expect(try HearthCommand("check", folder.file(file)).exitCode == 0)
            #expect(try Self.logs(in: folder) == [])
        }
    }
}
