// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreStorage
import FirestoreTokens
import Logging

/// A server before its first call: what its guests give it, and each other.
struct ServerStart {
    let settings: ServeSettings
    let metrics: PrometheusRegistry
    let log: Logger
    let clock: any WallClock
    var configuration: ServerConfiguration
    /// What the nodes share; nil for a server with databases of its own.
    var cluster: (any StoreCluster)?
    /// The issuers of tokens besides those of the settings.
    var issuers: [TokenIssuer] = []
    /// Callers must be identified again: keys were removed, accounts disabled.
    var identitiesChanged: @Sendable () -> Void = {}
    /// The files beside the databases that an archive keeps.
    var files: [any ServerFiles] = []
    /// Whether a secret in a call has crossed no network in the clear.
    var isProtected: @Sendable (RPCCallInfo) -> Bool = { _ in false }
    /// Whether rules grant only those lists that the filters of a query prove.
    var strictLists = false
    // What the console shows.
    var users: (any ConsoleUsers)?
    var archive: (any ConsoleArchive)?
    var triggers: (any ConsoleTriggers)?

    init(
        _ settings: ServeSettings, metrics: PrometheusRegistry = PrometheusRegistry(), clock: any WallClock = SystemClock(), log: Logger
    ) {
        self.settings = settings
        self.metrics = metrics
        self.clock = clock
        self.log = log
        configuration = settings.server(log)
        configuration.clock = clock
    }

    var plan: ServerPlan { settings.plan }

    /// Opens all guests, and puts the server together.
    mutating func join() async throws(StartRefusal) -> [any ServerPart] {
        var parts: [any ServerPart] = []
        do throws(StartRefusal) {
            for guest in settings.guests { parts.append(try await guest.open(&self)) }
            for part in parts { try part.join(&self) }
        } catch {
            for part in parts.reversed() { part.stop() }
            throw error
        }
        return parts
    }
}

/// Files beside the databases of a server.
protocol ServerFiles: Sendable {
    /// The sets of files that there are now.
    ///
    /// - Parameter isEncrypted: Whether only the holder of a key can read the copies.
    func sets(isEncrypted: Bool) -> [ServerFileSet]
}

struct ServerFileSet: Sendable {
    enum Content: Sendable {
        case accounts(project: String)
        case configuration
    }

    let content: Content
    /// A number that is another one after each change; nil if changes are only seen in the files.
    let changes: @Sendable () async -> Int?
    /// Puts copies of the files into a folder, under their names, each as it was at one moment.
    let copy: @Sendable (_ folder: String) async throws(FirestoreError) -> Void
}
