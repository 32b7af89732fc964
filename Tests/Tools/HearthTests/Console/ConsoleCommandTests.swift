// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import HearthBase
import TestSupport
import Testing

@testable import hearth

/// The console of `hearth serve` as a process, and `hearth console`.
@Suite(.waitingForProcesses) struct ConsoleCommandTests {
    private static func mode(of path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber).intValue
    }

    /// What `ps` shows to every user.
    private static var commandLines: [String] {
        let processes = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
        return processes.compactMap { FileManager.default.contents(atPath: "/proc/\($0)/cmdline") }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `the token is in a file of the user's alone, in nothing that others see, and gone with the server`() async throws {
        let folder = try ScratchFolder()
        let data = folder.file("data")
        let server = try HearthServerProcess("--data", data, "--port", "0")
        defer { server.kill() }
        let file = data + "/hearth.console"
        try server.waitForFile(file)
        #expect(try Self.mode(of: file) == 0o600)
        let address = try #require(ConsoleAddress(reading: file))
        let port = try server.port
        #expect(address.page == "http://127.0.0.1:\(port)/console/" && address.processID == server.processID && Base64.decode(address.token)?.count == 32)
        // Standard output is no terminal.
        #expect(!server.readyLine.contains(address.token) && !server.errors.contains(address.token))
        #expect(server.errors.contains(address.page))

        let printed = try HearthCommand("console", "--data", data, "--print")
        #expect(printed.exitCode == 0 && printed.output == "\(address.url)\n", "\(printed.errors)")
        let report = try await server.send("GET", "/console/api/server", nil, headers: ["Authorization": "Bearer \(address.token)"])
        #expect(report.contains("\"data\":\"\(data)\"") && !report.contains(address.token))
        #expect(try await server.get("/console/api/server").contains("UNAUTHENTICATED"))
        #expect(try await server.get("/console/").contains("<!doctype html>"))

        // The browser is a script that records what it is given.
        let browser = try folder.file("browser", "#!/bin/sh\ncp \"$1\" '\(folder.path)/page.html'\nstat -c %a \"$1\" > '\(folder.path)/mode'\ntr '\\0' ' ' < /proc/$$/cmdline > '\(folder.path)/words'\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)
        let opening = try RunningCommand(["console", "--data", data], environment: ["BROWSER": browser, "XDG_RUNTIME_DIR": folder.path])
        try opening.wait { FileManager.default.contents(atPath: folder.file("words"))?.isEmpty == false }
        #expect(!Self.commandLines.contains { $0.contains(address.token) })
        #expect(opening.end() == 0)
        let page = try String(contentsOfFile: folder.file("page.html"), encoding: .utf8)
        #expect(page.contains("url=\(address.url)\""))
        #expect(try String(contentsOfFile: folder.file("mode"), encoding: .utf8) == "600\n")
        #expect(try !String(contentsOfFile: folder.file("words"), encoding: .utf8).contains(address.token))
        let runtime = folder.file("hearth")
        #expect(try Self.mode(of: runtime) == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: runtime).isEmpty)

        server.terminate()
        #expect(server.waitForExit() == 0)
        #expect(!FileManager.default.fileExists(atPath: file))
        let late = try HearthCommand("console", "--data", data, "--print")
        #expect(late.exitCode == 2 && late.output.isEmpty && late.errors.contains("no server of this user shows a console for this data directory"), "\(late.errors)")
    }

    @Test func `a server in memory is found by itself, or by its port`() async throws {
        let folder = try ScratchFolder()
        let environment = ["XDG_RUNTIME_DIR": folder.path]
        func console(_ arguments: String...) throws -> HearthCommand { try HearthCommand(["console", "--print"] + arguments, environment: environment) }
        #expect(try console().exitCode == 2)
        let first = try RunningCommand(["serve", "--in-memory", "--port", "0"], environment: environment)
        _ = try first.line()
        let runtime = folder.file("hearth")
        try first.wait { ((try? FileManager.default.contentsOfDirectory(atPath: runtime)) ?? []).count == 1 }
        let url = try console().output
        #expect(url.hasPrefix("http://127.0.0.1:") && url.contains("/console/#t="))
        let second = try RunningCommand(["serve", "--in-memory", "--port", "0"], environment: environment)
        _ = try second.line()
        try second.wait { ((try? FileManager.default.contentsOfDirectory(atPath: runtime)) ?? []).count == 2 }
        let both = try console()
        #expect(both.exitCode == 2 && both.errors.contains("2 servers show a console") && both.errors.contains("--port"))
        let port = String(url.dropFirst("http://127.0.0.1:".count).prefix { $0.isNumber })
        #expect(try console("--port", port).output == url)
        // A server that was killed leaves its file, which means nothing.
        second.interrupt(SIGKILL)
        _ = second.end()
        #expect(try console().output == url)
        first.interrupt(SIGTERM)
        #expect(first.end() == 0)
        #expect(try console("--port", port).exitCode == 2)
    }

    @Test func `a server without a console leaves nothing`() async throws {
        let folder = try ScratchFolder()
        let server = try HearthServerProcess("--data", folder.path, "--port", "0", "--no-console")
        #expect(try await server.get("/console/").contains("NOT_FOUND"))
        server.terminate()
        #expect(server.waitForExit() == 0)
        #expect(!folder.names.contains("hearth.console") && !server.errors.contains("console"))
    }

    @Test func `the console uses a chosen token`() async throws {
        let folder = try ScratchFolder()
        let key = folder.file("console.key")
        #expect(try HearthCommand("admin-key", key).exitCode == 0)
        let token = try String(contentsOfFile: key, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let server = try HearthServerProcess("--data", folder.file("data"), "--port", "0", "--console-token", key, "--console-read-only")
        defer { server.kill() }
        #expect(try await server.send("GET", "/console/api/server", nil, headers: ["Authorization": "Bearer \(token)"]).contains("\"readOnly\":true"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let open = try HearthCommand("serve", "--in-memory", "--port", "0", "--console-token", key)
        #expect(open.exitCode == 2 && open.errors.contains("console token file \(key) can be read or changed by other users"), "\(open.errors)")
    }

    // MARK: Settings

    private static let tls = ["--tls-cert", "a.pem", "--tls-key", "b.pem"]

    static let choices: [(arguments: [String], environment: [String: String], isShown: Bool)] = [
        ([], [:], true), (["--host", "localhost"], [:], true), (["--host", "::1"], [:], true), (["--rules", "r"], [:], true), (["--no-console"], [:], false), ([], ["HEARTH_NO_CONSOLE": "true"], false),
        (["--host", "0.0.0.0", "--rules", "r"], [:], false), (["--host", "0.0.0.0", "--rules", "r"] + tls, [:], false), (["--host", "0.0.0.0", "--rules", "r", "--console-token", "t"] + tls, [:], true),
        (["--rules", "r", "--trusted-proxy", "127.0.0.1"], [:], false), (["--rules", "r", "--trusted-proxy", "127.0.0.1", "--console-token", "t"], [:], true),
        (["--host", "0.0.0.0", "--rules", "r", "--trusted-proxy", "10.0.0.1"], ["HEARTH_CONSOLE_TOKEN": "t"], true), (["--console-token", "t"], ["HEARTH_NO_CONSOLE": "true"], false),
    ]

    @Test(arguments: choices.indices)
    func `the console is shown on loopback, and elsewhere with a chosen token`(index: Int) throws {
        let (arguments, environment, isShown) = Self.choices[index]
        let settings = try ServeSettings(words: arguments, environment: environment)
        #expect(settings.guest(ConsoleGuest.self)?.isShown == isShown)
        #expect(settings.json["no-console"]?.text() == "\(!isShown)")
    }

    @Test(arguments: [
        (["--no-console", "--console-token", "t"], "exclude each other"), (["--host", "0.0.0.0", "--rules", "r", "--console-token", "t"], "cross the network in the clear on 0.0.0.0"),
    ])
    func `settings that would give the token away are rejected`(arguments: [String], part: String) {
        let error = #expect(throws: (any Error).self) { try ServeSettings(words: arguments, environment: [:]) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(part))
    }

    // MARK: Files

    @Test func `files that others could have made are not believed`() throws {
        let folder = try ScratchFolder()
        let address = ConsoleAddress(page: "http://127.0.0.1:1/console/", token: "secret")
        let file = folder.file("hearth.console")
        try address.write(to: file)
        #expect(ConsoleAddress(reading: file) == address && address.isAlive)
        // Again, over the one before.
        try ConsoleAddress(page: "http://127.0.0.1:2/console/", token: "other").write(to: file)
        #expect(ConsoleAddress(reading: file)?.token == "other" && folder.names == ["hearth.console"])
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: file)
        #expect(ConsoleAddress(reading: folder.file("link")) == nil)
        for text in ["", "{}", #"{"page":"p","token":"t","process":"1"}"#, #"{"page":"p","token":"t","process":-1}"#] {
            let bad = try folder.file("bad", text)
            #expect(ConsoleAddress(reading: bad) == nil)
        }
        // A link at the path of the runtime directory leads elsewhere.
        try FileManager.default.createSymbolicLink(atPath: folder.file("hearth"), withDestinationPath: folder.path)
        #expect(throws: FirestoreError.self) { try ConsoleAddress.runtimeDirectory(["XDG_RUNTIME_DIR": folder.path]) }
        let temporary = try ConsoleAddress.runtimeDirectory(["XDG_RUNTIME_DIR": "/nowhere", "TMPDIR": folder.path + "/"])
        #expect(temporary == folder.path + "/hearth-\(geteuid())")
        #expect(try Self.mode(of: temporary) == 0o700)
    }
}
