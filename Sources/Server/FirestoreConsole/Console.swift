// SPDX-License-Identifier: Apache-2.0
package import FirestoreGateway
package import FirestoreServer
package import Logging

/// The console, as a server gets it.
package struct Console: ServerConsole {
    private let settings: ConsoleSettings
    private let isDevelopment: Bool
    private let requests: ConsoleRequests
    package let authentication: any CallAuthentication

    /// - Parameters:
    ///   - authentication: Identifies the caller of calls that are not the console's.
    ///   - isDevelopment: Whether callers of the server need no proof.
    package init(_ settings: ConsoleSettings, authentication others: any CallAuthentication, isDevelopment: Bool) {
        self.settings = settings
        self.isDevelopment = isDevelopment
        authentication = ConsoleAuthentication(settings, others: others)
        requests = ConsoleRequests(settings, others: others, isDevelopment: isDevelopment)
    }

    package var recorder: any CallRecorder { requests }

    package func paths(
        on service: FirestoreService, admin: AdminService, rules: RulesRegistry, metrics: ServerMetrics?, log: Logger?
    ) -> any ConsolePaths {
        ConsoleRoutes(
            settings, service: service, admin: admin, requests: requests, rules: rules, isDevelopment: isDevelopment, metrics: metrics,
            log: log)
    }
}
