// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreTokens
import FirestoreWire
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import hearth

/// `hearth serve` in this process, put together as the command does it, with a clock that the test sets.
final class SecuredServer: Sendable {
    static let database = DatabaseID(projectID: TestIssuer.project)
    /// Who may do what in the tests: alice may everything.
    static let alicesRules = RulesCommandTests.rules("match /{all=**} { allow read, write: if request.auth.uid == 'alice'; }")

    let folder: ScratchFolder
    let address: RPCAddress
    let accounts: AccountsPort?
    let security: ServerSecurity
    let log = RecordedLog()
    private let server: HearthServer
    private let parts: [any ServerPart]

    /// - Parameter arguments: Besides the port, the project, the rules and an administrator key.
    private init(_ arguments: [String], rules: String, folder: ScratchFolder, clock: any WallClock) async throws {
        self.folder = folder
        let rules = try folder.file("firestore.rules", rules)
        let key = try AdministratorKeysTests.file(folder)
        let all = ["--port", "0", "--project", TestIssuer.project, "--rules", rules, "--admin-key-file", key] + arguments
        var settings = try ServeSettings(words: all, environment: [:])
        settings.guests = settings.guests.map { guest in
            guard var accounts = guest as? AccountsGuest else { return guest }
            accounts.accounts.passwordCost = AccountsPort.cheap
            return accounts
        }
        var start = ServerStart(settings, clock: clock, log: log.logger)
        parts = try await start.join()
        start.configuration.grace = .zero
        start.configuration.console = nil
        server = HearthServer(start.configuration, log: log.logger)
        let joined = parts.compactMap { ($0 as? SecurityPart)?.served }.first
        security = try #require(joined)
        address = try await server.start()
        for part in parts where !(part is ConsolePart) && !(part is SecurityPart) { part.started(at: address) }
        accounts = parts.compactMap { ($0 as? AccountsPart)?.server }.first.map { AccountsPort($0) }
    }

    /// Runs the body, and stops the server however it ends.
    static func run(
        _ arguments: [String] = [], rules: String = alicesRules, folder: ScratchFolder? = nil, clock: any WallClock = SystemClock(),
        _ body: (SecuredServer) async throws -> Void
    ) async throws {
        let server = try await SecuredServer(arguments, rules: rules, folder: try folder ?? ScratchFolder(), clock: clock)
        let result: Result<Void, any Error>
        do {
            try await body(server)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await server.server.stop(isSilent: true)
        await server.accounts?.server.stop()
        try result.get()
    }

    /// Runs a server with the issuer of tests, whose first key is published.
    static func runWithIssuer(
        _ arguments: [String] = [], clock: any WallClock, _ body: (SecuredServer, KeyServer) async throws -> Void
    ) async throws {
        let keys = try await KeyServer()
        keys.publish("/keys", keys: [try TestIssuer.first.get()])
        let issuer = ["--firebase-project", TestIssuer.project, "--firebase-keys-url", keys.url("/keys")]
        do { try await run(issuer + arguments, clock: clock) { try await body($0, keys) } } catch {
            await keys.stop()
            throw error
        }
        await keys.stop()
    }

    /// A connection, which the body need not close.
    func connected(trustFile: String? = nil, _ body: (RPCClientChannel) async throws -> Void) async throws {
        let tls = trustFile.map { RPCClientConfiguration.TLS(trustFile: $0) }
        let host = tls == nil ? address.host : "localhost"
        let channel = try RPCClientChannel(RPCClientConfiguration(host: host, port: address.port, tls: tls))
        do { try await body(channel) } catch {
            await channel.shutdown()
            throw error
        }
        await channel.shutdown()
    }
}
