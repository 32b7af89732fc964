// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import hearth

/// What is printed where no browser can be opened, as on a server over SSH.
struct ConsoleAddressRemoteTests {
    private static let address = ConsoleAddress(page: "http://127.0.0.1:8080/console/", token: "secret")

    @Test func `a terminal gets one line with the address and the command that makes it reachable`() {
        let environment = ["SSH_CONNECTION": "203.0.113.7 50000 198.51.100.2 22", "USER": "ada"]
        let line = Self.address.withoutBrowser(environment, command: "console", isTerminal: true)
        #expect(
            line == "open http://127.0.0.1:8080/console/#t=secret "
                + "(from another machine, first: ssh -L 8080:127.0.0.1:8080 ada@198.51.100.2)")
    }

    @Test func `without an SSH connection the line names this machine, and a pipe gets no token`() {
        let line = Self.address.withoutBrowser([:], command: "guide", isTerminal: false)
        #expect(line.hasPrefix("no browser can be opened here; `hearth guide --print` prints the address, which `ssh -L 8080:127.0.0.1:8080 "))
        #expect(!line.contains("secret") && !line.contains("\n"))
    }

    @Test func `a server that other machines reach needs no forwarding`() {
        let address = ConsoleAddress(page: "https://hearth.example:8080/console/", token: "secret")
        #expect(address.withoutBrowser([:], command: "console", isTerminal: true) == "open https://hearth.example:8080/console/#t=secret")
    }

    #if os(Linux)
    @Test func `the system's program is used with a screen only, a chosen one always`() throws {
        let folder = try ScratchFolder()
        for name in ["xdg-open", "chosen"] {
            let program = try folder.file(name, "#!/bin/sh\nexit 3\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        }
        #expect(BrowserProgram(["PATH": folder.path]) == nil)
        #expect(BrowserProgram(["PATH": folder.path, "DISPLAY": ""]) == nil)
        #expect(BrowserProgram(["PATH": folder.path, "DISPLAY": ":0"]) != nil)
        #expect(BrowserProgram(["PATH": folder.path, "WAYLAND_DISPLAY": "wayland-0"]) != nil)
        #expect(BrowserProgram(["PATH": folder.path, "BROWSER": "chosen"]) != nil)
        #expect(BrowserProgram(["PATH": folder.path, "BROWSER": "missing"]) == nil)
    }

    @Test func `a program that fails is a browser that was not opened`() async throws {
        let folder = try ScratchFolder()
        let program = try folder.file("browser", "#!/bin/sh\necho 'xdg-open: no method available' >&2\nexit 3\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let browser = try #require(BrowserProgram(["BROWSER": program]))
        #expect(try await !browser.show(Self.address, directory: folder.path, reading: .seconds(60)))
    }
    #endif
}
