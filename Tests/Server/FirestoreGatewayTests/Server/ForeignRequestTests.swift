// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import Logging
import ServerTestSupport
import Testing

@testable import FirestoreGateway

/// Requests that reach the port and must change nothing.
struct ForeignRequestTests {
    fileprivate static let root = "/v1/projects/library/databases/(default)/documents"

    /// The status that a commit of one document is answered with, and whether the document is there afterwards.
    private func commit(
        to address: RPCAddress, _ id: String, version: String = "HTTP/1.1", headers: [String], route: String = ForeignRequestTests.root + ":commit", verb: String = "POST"
    ) async -> (status: String, isWritten: Bool) {
        let body = #"{"writes":[{"update":{"name":"projects/library/databases/(default)/documents/books/\#(id)","fields":{}}}]}"#
        let lines = ["\(verb) \(route) \(version)"] + headers + ["content-length: \(body.utf8.count)", "connection: close", "", body]
        let answer = await RawHTTP.ask(address, lines.joined(separator: "\r\n"))
        let read = await RawHTTP.ask(address, "GET \(Self.root)/books/\(id) HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        let status = answer.split(separator: " ").dropFirst().first.map(String.init) ?? answer
        if status.hasPrefix("4") { #expect(!answer.lowercased().contains("access-control")) }
        return (status, read.hasPrefix("HTTP/1.1 200"))
    }

    private func withServer(_ access: AccessPolicy = AccessPolicy(), _ body: (RPCAddress) async -> Void) async throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let configuration = ServerConfiguration(
            listener: RPCServerConfiguration(access: access), databases: DatabaseOpening(storage: .memory), grace: .milliseconds(100))
        let server = HearthServer(configuration, log: log)
        let address = try await server.start()
        await body(address)
        await server.stop()
    }

    @Test func `a page from elsewhere commits nothing`() async throws {
        try await withServer { address in
            let own = "\(address)"
            for (index, row) in [
                (["host: \(own)", "origin: https://evil.example", "content-type: text/plain"], "403"), (["host: \(own)", "Origin: null"], "403"),
                (["host: \(own)", "origin: http://localhost", "origin: https://evil.example"], "403"), (["HOST: evil.example"], "421"),
                (["host: evil.example", "origin: http://evil.example"], "421"), (["host: localhost", "host: evil.example"], "400"), ([], "400"), (["host:"], "400"),
                (["host: 127.0.0.1.evil.example"], "421"), (["host: evil-localhost.com"], "421"), (["host: localhost.evil.com"], "421"),
            ].enumerated() {
                let answer = await commit(to: address, "refused\(index)", headers: row.0)
                #expect(answer.status == row.1 && !answer.isWritten, "\(row.0)")
            }
        }
    }

    @Test func `clients and pages of this machine commit as before`() async throws {
        try await withServer { address in
            for (index, headers) in [
                ["host: \(address)"], ["Host: LOCALHOST."], ["host: app.localhost:1"], ["host: [::1]:8080"], ["host: \(address)", "origin: http://localhost:5173"],
                ["host: \(address)", "origin: http://\(address)"],
            ].enumerated() {
                let answer = await commit(to: address, "taken\(index)", headers: headers)
                #expect(answer.status == "200" && answer.isWritten, "\(headers)")
            }
            let old = await commit(to: address, "old", version: "HTTP/1.0", headers: [])
            #expect(old.status == "200" && old.isWritten)
        }
    }

    @Test func `hosts and origins that are allowed are let in, and no others`() async throws {
        var access = AccessPolicy()
        try access.allow(host: "db.example.com")
        try access.allow(origin: "https://app.example.com")
        try await withServer(access) { address in
            #expect(await commit(to: address, "a", headers: ["host: DB.example.com:443", "origin: https://app.example.com"]).isWritten)
            #expect(await commit(to: address, "b", headers: ["host: db.example.com", "origin: https://db.example.com"]).isWritten)
            #expect(await commit(to: address, "c", headers: ["host: www.db.example.com"]).status == "421")
            #expect(await commit(to: address, "d", headers: ["host: db.example.com", "origin: https://www.example.com"]).status == "403")
        }
    }

    @Test func `the host in a target takes precedence over the header`() async throws {
        try await withServer { address in
            let route = "http://\(address)\(Self.root):commit"
            #expect(await commit(to: address, "absolute", headers: ["host: \(address)"], route: route).isWritten)
            #expect(await commit(to: address, "other", headers: ["host: evil.example"], route: route).isWritten)
            let evil = await commit(to: address, "evil", headers: ["host: \(address)"], route: "http://evil.example\(Self.root):commit")
            #expect(evil.status == "421" && !evil.isWritten)
            let login = await commit(to: address, "login", headers: ["host: \(address)"], route: "http://user@localhost\(Self.root):commit")
            #expect(login.status == "421" && !login.isWritten)
        }
    }

    @Test func `a method that HTTP does not have is answered with an error object`() async throws {
        try await withServer { address in
            let answer = await RawHTTP.ask(address, "BREW / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 501 ") && answer.contains("\"status\": \"UNIMPLEMENTED\""))
            let propfind = await RawHTTP.ask(address, "PROPFIND / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            #expect(propfind.hasPrefix("HTTP/1.1 405 ") && propfind.contains("\"status\": \"UNIMPLEMENTED\""))
        }
    }

    @Test(arguments: ["/healthz", "/livez", "/readyz"])
    func `probes answer under every name`(path: String) async throws {
        try await withServer { address in
            for host in ["host: 10-0-0-1.pod.example\r\n", ""] {
                #expect(await RawHTTP.ask(address, "GET \(path) HTTP/1.1\r\n\(host)connection: close\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
            #expect(await RawHTTP.ask(address, "GET /metrics HTTP/1.1\r\nhost: pod.example\r\nconnection: close\r\n\r\n").hasPrefix("HTTP/1.1 421"))
        }
    }

    @Test func `clearing a database takes the same checks`() async throws {
        try await withServer { address in
            #expect(await commit(to: address, "kept", headers: ["host: localhost"]).isWritten)
            let route = "/emulator/v1/projects/library/databases/(default)/documents"
            for (headers, status) in [
                (["host: evil.example"], "421"), (["host: localhost", "origin: https://evil.example"], "403"), (["host: localhost", "authorization: Bearer garbage"], "401"),
            ] {
                let answer = await commit(to: address, "kept", headers: headers, route: route, verb: "DELETE")
                #expect(answer.status == status && answer.isWritten)
            }
        }
    }
}
