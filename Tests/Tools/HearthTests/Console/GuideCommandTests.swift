// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import hearth

/// `hearth guide` as a process.
@Suite(.waitingForProcesses) struct GuideCommandTests {
    /// A running `hearth guide` with a runtime directory of its own, and its console's address.
    private static func start(
        _ words: String..., in folder: ScratchFolder, environment: [String: String] = [:]
    ) throws -> (server: RunningCommand, address: ConsoleAddress) {
        let environment = ["XDG_RUNTIME_DIR": folder.path, "PATH": "/nowhere"].merging(environment) { $1 }
        let server = try RunningCommand(["guide", "--port", "0"] + words, environment: environment)
        let runtime = folder.file("hearth")
        var found: ConsoleAddress?
        try server.wait {
            found = ConsoleAddress.running(in: runtime).first
            return found != nil
        }
        return (server, try #require(found))
    }

    @Test func `hearth guide shows the guide and the console of a database in memory, in development mode, and stops at a signal`() async throws {
        let folder = try ScratchFolder()
        let portFile = folder.file("port")
        let (server, address) = try Self.start("--print", "--port-file", portFile, in: folder)
        let ready = try server.line()
        let origin = address.page.dropLast("/console/".count)
        #expect(ready.contains("hearth is ready on") && ready.contains("in memory"))
        #expect(try server.line() == "the guide is at \(origin)/guide/#t=\(address.token)")
        #expect(try origin == "http://127.0.0.1:\(String(contentsOfFile: portFile, encoding: .utf8).dropLast())")

        let page = try await Self.get("\(origin)/guide/", token: nil)
        #expect(page.contains("<!doctype html>") && page.contains("/guide/guide.js"))
        // Its documents are there before the address is.
        let loan = try await Self.get("\(origin)/v1/projects/demo-guide/databases/(default)/documents/loans/1842", token: "owner")
        #expect(loan.contains("projects/demo-guide/databases/(default)/documents/books/piranesi"), "\(loan)")
        let report = try await Self.get("\(origin)/console/api/server", token: address.token)
        for part in [#""guide":"/guide/""#, #""development":true"#, #""project":"demo-guide""#] { #expect(report.contains(part)) }
        #expect(try await Self.get("\(origin)/console/api/server", token: nil).contains("UNAUTHENTICATED"))
        server.interrupt(SIGINT)
        #expect(server.end() == 0)
        #expect(ConsoleAddress.running(in: folder.file("hearth")).isEmpty)
    }

    @Test func `a pipe never sees the token unless it is asked for, and the browser gets it in a file`() throws {
        let folder = try ScratchFolder()
        let kept = folder.file("page.html")
        let browser = try folder.file("browser", "#!/bin/sh\n/bin/cp \"$1\" '\(kept)'\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)
        let (server, address) = try Self.start(in: folder, environment: ["BROWSER": browser])
        try server.wait { FileManager.default.contents(atPath: kept)?.isEmpty == false }
        #expect(try !server.line().contains(address.token))
        let page = try String(contentsOfFile: kept, encoding: .utf8)
        #expect(page.contains("url=\(address.at("/guide/").url)\"") && address.at("/guide/").page.hasSuffix("/guide/"))
        server.interrupt(SIGTERM)
        #expect(server.end() == 0)

        let (bare, other) = try Self.start(in: folder)
        let lines = [try bare.line(), try bare.line()]
        #expect(lines[1].contains("no browser can be opened here; `hearth guide --print`") && !lines.joined().contains(other.token))
        bare.interrupt(SIGTERM)
        #expect(bare.end() == 0)
    }

    @Test func `variables about another server do not apply, and data is stored where the command line says`() async throws {
        let folder = try ScratchFolder()
        let data = folder.file("guide-data")
        let environment = ["XDG_RUNTIME_DIR": folder.path, "HEARTH_RULES": "/missing", "HEARTH_NO_CONSOLE": "true", "HEARTH_HOST": "0.0.0.0", "PATH": "/nowhere"]
        let server = try RunningCommand(["guide", "--port", "0", "--data", data, "--print"], environment: environment)
        #expect(try server.line().contains("data in \(data)"))
        #expect(try server.line().hasPrefix("the guide is at http://127.0.0.1:"))
        server.interrupt(SIGTERM)
        #expect(server.end() == 0)
        #expect(FileManager.default.fileExists(atPath: data))
        #expect(try HearthCommand("guide", "--port", "70000").exitCode == 2)
    }

    private static func get(_ url: String, token: String?) async throws -> String {
        let words = ["-s", url] + (token.map { ["-H", "Authorization: Bearer \($0)"] } ?? [])
        return try HearthCommand.shell("curl \"$@\"", arguments: words).output
    }
}
