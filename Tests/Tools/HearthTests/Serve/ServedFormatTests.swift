// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A server that starts with a file of an earlier format copies it first, unless it is asked not to (OP-92, OT-52).
@Suite(.waitingForProcesses) struct ServedFormatTests {
    @Test(arguments: [false, true])
    func `a served file of an earlier format is copied before it is upgraded, except without copies`(isWithoutCopy: Bool) async throws {
        let folder = try ScratchFolder()
        let database = folder.file("demo-hearth/_default.sqlite")
        try FileManager.default.createDirectory(atPath: folder.file("demo-hearth"), withIntermediateDirectories: true)
        let fixture = repositoryRoot.appendingPathComponent("Tests/Database/FirestoreEngineTests/Fixtures/format-2.sqlite")
        let before = try Data(contentsOf: fixture)
        try before.write(to: URL(fileURLWithPath: database))
        let server = try HearthServerProcess(["--port", "0", "--data", folder.path] + (isWithoutCopy ? ["--no-migration-copy"] : []))
        defer { server.kill() }
        #expect(try await server.get("/v1/projects/demo-hearth/databases/(default)/documents/books/dune").contains("updateTime"))
        server.terminate()
        #expect(server.waitForExit() == 0)
        #expect(FileManager.default.fileExists(atPath: database + ".format2") == !isWithoutCopy)
        let check = try HearthCommand("check", database)
        #expect(check.exitCode == 0, "\(check)")
    }
}
