// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import hearth

/// The port of `--auth` in this process, and requests to it.
final class AccountsPort: Sendable {
    /// An answer: the status, the headers as one text, and the body.
    struct Answer {
        let status: Int
        let head: String
        let body: String

        init(_ text: String) {
            let parts = text.components(separatedBy: "\r\n\r\n")
            head = parts[0].lowercased()
            status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            body = parts.dropFirst().joined(separator: "\r\n\r\n")
        }

        var json: JSON { (try? JSON(body.utf8)) ?? .null }
        var message: String { text("error", "message") }

        func text(_ path: String...) -> String {
            var json: JSON? = json
            for name in path { json = json?[name] }
            return if case .string(let text)? = json { text } else { "" }
        }
    }

    static let production = [
        "--auth", "0", "--auth-url", "https://auth.example.com", "--auth-project", "demo-shop", "--auth-providers", "anonymous,password,emailLink",
    ]
    static let development = ["--development", "--auth", "0", "--auth-project", "demo-shop"]
    /// Enough for tests of what is around the hash.
    static let cheap = PasswordHash.Cost(logRounds: 1, blockSize: 1, parallelism: 1)

    let server: AccountsServer
    let log: RecordedLog

    init(
        _ arguments: [String], data: String? = nil, authentication: (any CallAuthentication)? = nil, trusting proxies: [String] = []
    ) async throws {
        let settings = try Self.settings(of: arguments)
        var accounts = try #require(settings.guest(AccountsGuest.self)).accounts
        accounts.passwordCost = Self.cheap
        let log = RecordedLog()
        self.log = log
        server = try await AccountsServer(
            accounts, listener: settings.listener, in: data.map { .data($0) } ?? .memory, grace: .seconds(1),
            proxies: try TrustedProxies(proxies), log: log.logger)
        server.serve(authentication)
    }

    /// Command lines that were parsed, which takes long in a debug build.
    private static let parsed = Mutex<[[String]: ServeSettings]>([:])

    static func settings(of arguments: [String]) throws -> ServeSettings {
        if let known = parsed.withLock({ $0[arguments] }) { return known }
        let settings = try ServeSettings(words: arguments, environment: [:])
        parsed.withLock { $0[arguments] = settings }
        return settings
    }

    init(_ server: AccountsServer) { (self.server, log) = (server, RecordedLog()) }

    /// Runs the body, and stops the server however it ends.
    static func run(
        _ arguments: [String], data: String? = nil, authentication: (any CallAuthentication)? = nil, trusting proxies: [String] = [],
        _ body: (AccountsPort) async throws -> Void
    ) async throws {
        let port = try await AccountsPort(arguments, data: data, authentication: authentication, trusting: proxies)
        let result: Result<Void, any Error>
        do {
            try await body(port)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await port.server.stop()
        try result.get()
    }

    func post(_ path: String, _ body: String, _ headers: String...) async -> Answer {
        await ask("POST", path, ["content-type: application/json"] + headers, body)
    }

    func get(_ path: String, _ headers: String...) async -> Answer { await ask("GET", path, headers, "") }

    func ask(_ method: String, _ path: String, _ headers: [String], _ body: String) async -> Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "connection: close", "content-length: \(body.utf8.count)"]
        if !headers.contains(where: { $0.hasPrefix("host:") }) { lines.append("host: 127.0.0.1:\(server.address.port)") }
        return Answer(await RawHTTP.ask(server.address, (lines + headers).joined(separator: "\r\n") + "\r\n\r\n" + body))
    }
}

/// Administrators by one key.
struct OneAdministrator: CallAuthentication {
    static let header = "authorization: Bearer the-key-of-the-administrator"

    func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? {
        guard let header = call.metadata["authorization"] else { return CallIdentity(.anonymous) }
        if header == "Bearer a.user.token" { return CallIdentity(.user(id: "u", claims: FieldMap([]))) }
        guard header == "Bearer the-key-of-the-administrator" else { throw FirestoreError(.unauthenticated, "not a key") }
        return CallIdentity(.administrator)
    }

    func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity {
        guard let identity = try identifyNow(call) else { throw FirestoreError(.unauthenticated, "not a key") }
        return identity
    }

    func observe(_ body: @escaping @Sendable () -> Void) {}
}
