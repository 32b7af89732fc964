// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer

/// All settings of a server.
package struct ServerConfiguration: Sendable {
    package var listener: RPCServerConfiguration
    package var databases: DatabaseOpening
    package var maximumDatabases: Int
    /// What accompanies open databases.
    package var companions: [any DatabaseCompanion] = []
    /// The maximum number of calls with a task.
    package var maximumCalls: Int
    /// How long calls may continue after the server began to stop.
    package var grace: Duration
    /// Identifies callers.
    package var authentication: any CallAuthentication
    /// The clock by which tokens expire while streams last.
    package var clock: any WallClock = SystemClock()
    package var rules: RulesRegistry
    /// Whether callers may use the emulator's privileges without proof: clear databases, replace rules and see the
    /// requests that were judged.
    package var isDevelopment: Bool
    /// Reads and writes export folders; nil for a server that has none.
    package var folders: (any DocumentFolders)?
    /// The archive that has the backups of the databases; nil without one.
    package var backups: (any DatabaseBackups)?
    /// Whether the archive has everything, without which the server is not ready; nil if it needs none.
    package var isArchived: (@Sendable () -> Bool)?
    /// Measures calls; nil for a server that measures none.
    package var slowCalls: SlowCalls?
    /// nil for a server without quotas.
    package var quotas: Quotas?
    /// The addresses of clients, to which quotas of callers without credentials apply.
    package var clientAddress: @Sendable (RPCCallInfo) -> String = { $0.peer }
    /// nil shows no console.
    package var console: (any ServerConsole)?

    package init(
        listener: RPCServerConfiguration = RPCServerConfiguration(), databases: DatabaseOpening, maximumDatabases: Int = 100,
        maximumCalls: Int = 10_000, grace: Duration = .seconds(10),
        authentication: any CallAuthentication = UnprovedAuthentication(), rules: RulesRegistry = RulesRegistry(),
        isDevelopment: Bool = true, console: (any ServerConsole)? = nil
    ) {
        self.listener = listener
        // Firestore's status for a request that is too large.
        self.listener.limits.oversizedCode = .invalidArgument
        self.listener.limits.bodySizes = WebChannelService.bodySizes
        self.listener.access.openPaths = OperationsRoutes.probes
        self.listener.access.refusesForwarded = isDevelopment
        // The server answers for the name that it listens on. Addresses are allowed anyway.
        try? self.listener.access.allow(host: listener.host)
        self.databases = databases
        self.maximumDatabases = maximumDatabases
        self.maximumCalls = maximumCalls
        self.grace = grace
        self.authentication = authentication
        self.rules = rules
        self.isDevelopment = isDevelopment
        self.console = console
    }
}
