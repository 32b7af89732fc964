// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import Logging
import ServerTestSupport
import Testing

@testable import FirestoreGateway

/// Requests for rules and coverage that reach the port and must not be answered.
struct ForeignRoutesTests {
    private static let paths: [(verb: String, path: String)] = [
        ("PUT", "/emulator/v1/projects/library:securityRules"), ("GET", "/emulator/v1/projects/library:securityRules"),
        ("PUT", "/emulator/v1/projects/library/databases/(default):securityRules"), ("GET", "/emulator/v1/projects/library/databases/(default):securityRules"),
        ("GET", "/emulator/v1/projects/library:ruleCoverage"), ("GET", "/emulator/v1/projects/library:ruleCoverage.html"),
        ("DELETE", "/emulator/v1/projects/library/databases/(default)/documents"), ("GET", "/v1/projects/library/databases/(default)/documents/books/a"),
    ]

    private static let rules = #"{"rules":{"files":[{"name":"a","content":"service cloud.firestore { match /x/{y} { allow read; } }"}]}}"#

    private func withServer(isDevelopment: Bool, _ body: (RPCAddress) async -> Void) async throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let configuration = ServerConfiguration(
            databases: DatabaseOpening(storage: .memory), grace: .milliseconds(100), isDevelopment: isDevelopment)
        let server = HearthServer(configuration, log: log)
        let address = try await server.start()
        await body(address)
        await server.stop()
    }

    private func ask(_ address: RPCAddress, _ verb: String, _ path: String, _ headers: [String]) async -> String {
        let lines = ["\(verb) \(path) HTTP/1.1"] + headers + ["content-length: \(Self.rules.utf8.count)", "connection: close", "", Self.rules]
        return await RawHTTP.ask(address, lines.joined(separator: "\r\n"))
    }

    private func status(_ answer: String) -> String { answer.split(separator: " ").dropFirst().first.map(String.init) ?? answer }

    @Test func `requests of foreign hosts, foreign pages and proxies are rejected`() async throws {
        try await withServer(isDevelopment: true) { address in
            for (verb, path) in Self.paths {
                for (headers, expected) in [
                    (["host: evil.example"], "421"), (["host: localhost", "origin: https://evil.example"], "403"), (["host: localhost", "origin: null"], "403"),
                    (["host: localhost", "Forwarded: for=192.0.2.1"], "403"), (["host: localhost", "X-Forwarded-For: 192.0.2.1"], "403"),
                ] {
                    let answer = await ask(address, verb, path, headers)
                    #expect(status(answer) == expected, "\(verb) \(path) \(headers)")
                    if headers.count == 2, headers[1].lowercased().contains("forwarded") { #expect(answer.contains("in development mode")) }
                }
            }
            let untouched = await ask(address, "GET", Self.paths[0].path, ["host: localhost"])
            #expect(untouched.contains("OPEN_RULES"))
            #expect(await status(ask(address, "GET", "/healthz", ["host: localhost", "x-forwarded-for: 192.0.2.1"])) == "200")
        }
    }

    @Test func `behind a proxy a server that proves its callers answers`() async throws {
        try await withServer(isDevelopment: false) { address in
            let path = "/v1/projects/library/databases/(default)/documents/books/a"
            #expect(await status(ask(address, "GET", path, ["host: localhost", "x-forwarded-for: 192.0.2.1"])) == "404")
        }
    }
}
