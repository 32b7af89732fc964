// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
package import FirestoreTokens
import Foundation
import HearthBase

/// Where the accounts of a server are.
package enum AccountLocation: Sendable {
    case memory
    /// Beside the databases of a data directory.
    case data(String)
    /// On the server of a cluster, which keeps no keys: every node has the same in files.
    case cluster(any StoreCluster, key: SigningKey?, previousKeys: [SigningKey])
}

/// The accounts of each project. Production has one project, development mode makes others when they are first named.
package final class AccountProjects: Sendable {
    private struct State {
        /// By project id, which is ASCII.
        var services: [String: AccountService] = [:]
        var observers: [@Sendable () -> Void] = []
        var isClosed = false
    }

    /// Development mode only: each project is an open file.
    package static let maximumProjects = 100
    private static let issuerPrefix = "https://securetoken.google.com/"

    private let settings: AccountSettings
    private let location: AccountLocation
    /// The folder of all accounts; nil for accounts that are not in files.
    let folder: AccountFolder?
    private let base: String
    private let deliver: (@Sendable (AccountMail) -> Void)?
    private let state = Mutex(State())

    /// Opens the accounts of the configured project, and in development mode of those that have some.
    ///
    /// - Parameters:
    ///   - base: Where clients reach the accounts.
    package init(
        _ settings: AccountSettings, in location: AccountLocation, base: String, deliver: (@Sendable (AccountMail) -> Void)?
    ) throws(FirestoreError) {
        self.settings = settings
        self.base = base
        self.deliver = deliver
        self.location = location
        folder = if case .data(let path) = location { try AccountFolder(Self.path(in: path)) } else { nil }
        try state.withLock { (state) throws(FirestoreError) in
            for project in [settings.project] + (settings.isDevelopment ? Self.existing(in: folder) : []) {
                guard state.services[project] == nil else { continue }
                state.services[project] = try open(project)
            }
        }
    }

    /// Beside the databases. No project has a directory of this name: theirs contain no dot.
    package static func path(in data: String) -> String { data + "/hearth.accounts" }

    package static func path(of project: String, in folder: AccountFolder) -> String { folder.path + "/" + PercentEncoding.encode(project) }

    package static func isProject(_ id: String) -> Bool {
        guard let first = id.utf8.first, first != UInt8(ascii: "."), id.utf8.count <= 100 else { return false }
        return id.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_.:".utf8.contains(byte)
        }
    }

    private static func existing(in folder: AccountFolder?) -> [String] {
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
        return Array(names.sorted().compactMap { PercentEncoding.decode($0[...]) }.filter(isProject).prefix(maximumProjects - 1))
    }

    private func open(_ project: String) throws(FirestoreError) -> AccountService {
        let policy = settings.policy(project: project, base: base)
        let store: AccountStore
        var key: SigningKey?
        var previousKeys: [SigningKey] = []
        switch location {
        case .memory:
            store = try AccountStore.openInMemory(project: project)
            if policy.signsTokens { key = try? SigningKey.create() }
        case .data(let path):
            let own = try AccountFolder(Self.path(of: project, in: try AccountFolder(Self.path(in: path))))
            store = try AccountStore.open(in: own, project: project)
            if policy.signsTokens { (key, previousKeys) = (try own.signingKey(), try own.previousSigningKeys()) }
        case .cluster(let cluster, let given, let accepted):
            if policy.signsTokens { (key, previousKeys) = (given, accepted) }
            let opened = try AccountStore.open(in: cluster, project: project, signingWith: key?.id, accepting: previousKeys.map(\.id))
            guard let opened else { throw FirestoreError(.internal, "the accounts of \(project) cannot be made") }
            store = opened
        }
        if policy.signsTokens, key == nil { throw FirestoreError(.internal, "a key to sign tokens with could not be made") }
        do throws(AccountError) {
            return try AccountService(
                policy, store: store, key: key, previousKeys: previousKeys, deliver: deliver,
                onRevocation: { [weak self] _ in self?.announce() })
        } catch {
            throw FirestoreError(.unavailable, "the accounts of \(project) cannot be read (\(error.message))")
        }
    }

    /// The accounts of a project.
    package func service(_ project: String) throws(AccountError) -> AccountService {
        let unknown = AccountError("PROJECT_NOT_FOUND", status: 404, canonicalName: "NOT_FOUND")
        guard Self.isProject(project) else { throw unknown }
        return try state.withLock { (state) throws(AccountError) in
            if let service = state.services[project] { return service }
            guard !state.isClosed else { throw .storage("the accounts are closed") }
            guard settings.isDevelopment else { throw unknown }
            guard state.services.count < Self.maximumProjects else {
                throw AccountError("QUOTA_EXCEEDED", "development mode keeps the accounts of \(Self.maximumProjects) projects")
            }
            let service: AccountService
            do throws(FirestoreError) { service = try open(project) } catch { throw .storage(error.description) }
            state.services[project] = service
            return service
        }
    }

    /// The accounts of a project, if there are some: looking at a project does not make them.
    package func existing(_ project: String) -> AccountService? { opened(project) }

    /// The projects whose accounts are open, sorted.
    package var projects: [String] { state.withLock { $0.services.keys.sorted() } }

    /// Closes the files. Requests that still use them fail.
    package func close() {
        let services = state.withLock { state in
            state.isClosed = true
            defer { state.services = [:] }
            return state.services.values
        }
        for service in services { service.close() }
    }

    // MARK: Tokens

    /// The issuers with which the server verifies these accounts' tokens.
    package var issuers: [TokenIssuer] {
        guard settings.isDevelopment else { return state.withLock { $0.services.values.map(\.tokenIssuer) } }
        // Development mode accepts every token without proof; this only rejects tokens of accounts that were disabled or deleted.
        return [
            TokenIssuer(
                TokenRequirements(issuer: nil, audiences: []), keys: IssuerKeys(VerificationKeySet([])),
                standing: StandingCheck(
                    now: { [weak self] (token) throws(TokenError) in try self?.issuer(of: token)?.isInForceNow(token) ?? true },
                    waiting: { [weak self] (token) async throws(TokenError) in try await self?.issuer(of: token)?.checkInForce(token) }))
        ]
    }

    /// The accounts that a token of development mode names; nil if they are not open.
    private func issuer(of token: VerifiedToken) -> AccountService? {
        guard token.issuer.hasPrefix(Self.issuerPrefix) else { return nil }
        return opened(String(token.issuer.dropFirst(Self.issuerPrefix.count)))
    }

    private func opened(_ project: String) -> AccountService? {
        guard Self.isProject(project) else { return nil }
        return state.withLock { $0.services[project] }
    }

    /// Calls `body` after tokens have ended: an account was disabled or deleted, or its password changed.
    package func observe(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(body) } }

    /// Obeys notices of other nodes: their accounts are read again. nil if some were missed.
    package func obey(_ notices: [ClusterNotice]?) {
        let services = state.withLock(\.services)
        for (project, service) in services {
            guard let notices else {
                service.announce(nil)
                continue
            }
            for case .some(let id) in notices.map({ SharedAccounts.account(in: $0, of: project) }) { service.announce(id) }
        }
    }

    private func announce() { for observer in state.withLock(\.observers) { observer() } }
}
