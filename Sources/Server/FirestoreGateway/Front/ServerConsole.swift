// SPDX-License-Identifier: Apache-2.0
package import FirestoreRPC
package import FirestoreServer
package import Logging

/// The console of a server. The server knows its outside only; the process that starts the server provides it.
package protocol ServerConsole: Sendable {
    /// Identifies the caller: the console, or one of the callers of the server.
    var authentication: any CallAuthentication { get }
    /// Collects the calls that the console shows.
    var recorder: any CallRecorder { get }

    /// Answers the console's requests on this server.
    ///
    /// - Parameters:
    ///   - admin: Manages the databases of `service`.
    ///   - metrics: The source of the usage counters; without it there are none.
    func paths(
        on service: FirestoreService, admin: AdminService, rules: RulesRegistry, metrics: ServerMetrics?, log: Logger?
    ) -> any ConsolePaths
}

/// The paths of the console on a server.
package protocol ConsolePaths: Sendable {
    /// Whether the body of a request is read as it arrives, and not before.
    func readsBody(method: String, path: String) -> Bool

    /// Answers a request that is the console's. Returns false for all others.
    func answers(_ exchange: any HTTPExchange) -> Bool

    /// The server listens.
    func started(at address: RPCAddress)

    /// Ends what lasts: the server is about to stop.
    func drain()
}
