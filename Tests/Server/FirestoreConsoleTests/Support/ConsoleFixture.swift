// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreGateway
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import Logging
import ServerFixtures
import ServerTestSupport

@testable import FirestoreConsole

/// A server with a console, over a real socket.
struct ConsoleFixture {
    static let token = "rZlmhM1hPlO3mVv8vVJ1d1oYkq2e0aQbX7c9kF4sT0U"
    static let root = "/v1/projects/library/databases/(default)/documents"
    static let database = "projects/library/databases/(default)"

    let address: RPCAddress
    let rules: RulesRegistry
    let server: HearthServer

    /// Starts a server, under rules if there are some, and stops it after `body`.
    static func run(
        rules matches: String? = nil, storage: DatabaseOpening.Storage = .memory, slow: Duration? = nil,
        change: (inout ConsoleSettings) -> Void = { _ in },
        _ body: (ConsoleFixture) async throws -> Void
    ) async throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let rules = RulesRegistry(try matches.map { try Ruled.rules($0) } ?? .open)
        var settings = ConsoleSettings(token: ConsoleToken(token))
        settings.slowCalls = slow.map { SlowCalls(threshold: $0, log: log) }
        change(&settings)
        var configuration = ServerConfiguration(
            databases: DatabaseOpening(storage: storage, durability: .relaxed, projects: ["library"]), grace: .milliseconds(200), rules: rules,
            console: Console(settings, authentication: UnprovedAuthentication(), isDevelopment: true))
        configuration.slowCalls = settings.slowCalls
        let server = HearthServer(configuration, metrics: PrometheusRegistry(), log: log)
        let fixture = ConsoleFixture(address: try await server.start(), rules: rules, server: server)
        do {
            try await body(fixture)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    struct Answer {
        let status: String
        /// In lower case.
        let head: String
        let body: String

        init(_ text: String) {
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            head = parts.first.map { $0.lowercased() } ?? ""
            body = parts.count > 1 ? String(parts[1]) : ""
            status = head.split(separator: " ").dropFirst().first.map { String($0) } ?? text
        }

        var json: JSON? { try? JSON(body.utf8) }
    }

    /// - Parameter headers: Beside the host, and the token unless `token` is nil.
    func ask(
        _ verb: String, _ path: String, token: String? = ConsoleFixture.token, headers: [String] = [], host: String? = nil, body: String = ""
    ) async -> Answer {
        Answer(await RawHTTP.ask(address, text(verb, path, token, headers + ["connection: close"], host, body)))
    }

    func text(_ verb: String, _ path: String, _ token: String?, _ headers: [String], _ host: String? = nil, _ body: String = "") -> String {
        let own = ["host: \(host ?? "\(address)")", "content-length: \(body.utf8.count)"] + (token.map { ["authorization: Bearer \($0)"] } ?? [])
        return (["\(verb) \(path) HTTP/1.1"] + own + headers + ["", body]).joined(separator: "\r\n")
    }

    /// A live stream.
    func live(_ body: String, token: String? = ConsoleFixture.token) -> RawStream {
        RawStream(address, text("POST", "/console/api/live", token, [], nil, body))
    }

    /// Sets a document with one number, as the administrator of the emulator.
    func set(_ path: String, _ number: Int, _ more: String = "") async -> String {
        let body = #"{"fields":{"n":{"integerValue":"\#(number)"}\#(more)}}"#
        return await ask("PATCH", "\(Self.root)/\(path)", token: "owner", body: body).status
    }

    static func target(_ id: Int, _ collection: String) -> String {
        #"{"targetId":\#(id),"query":{"parent":"\#(database)/documents","structuredQuery":{"from":[{"collectionId":"\#(collection)"}]}}}"#
    }
}
