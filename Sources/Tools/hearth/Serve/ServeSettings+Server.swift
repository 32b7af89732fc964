// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreConsole
import FirestoreEngine
import FirestoreGateway
import FirestoreServer
import FirestoreStorage
import Logging

extension ServeSettings {
    /// - Parameter users: The accounts that the console shows; nil if the server has none.
    func server(
        _ security: ServedSecurity, _ token: ConsoleToken? = nil, users: (any ConsoleUsers)? = nil, cluster: (any StoreCluster)? = nil,
        companions: [any DatabaseCompanion] = [], quotas: Quotas? = nil
    ) -> ServerConfiguration {
        var databases = DatabaseOpening(
            storage: cluster.map { .cluster($0) } ?? options.data.map { .directory($0) } ?? .memory, durability: durability,
            indexPolicy: indexes, createsDatabases: !options.strict, projects: projects)
        databases.advice = CommandAdvice.server
        databases.keepsMigrationCopy = !options.noMigrationCopy
        databases.expiry.interval = Int64(options.ttlInterval) * 1_000_000
        if let directory = options.data, options.minFreeDisk != 0 {
            databases.diskGuard = DiskGuard(
                directory: directory, least: options.minFreeDisk.map { Int64($0) }, log: Logger(label: "hearth"))
        }
        let slowCalls = slow.map { SlowCalls(threshold: $0, log: Logger(label: "hearth")) }
        // Rules judge the content of a database, which would be there by then.
        databases.createsForAdministratorsOnly = !self.security.isDevelopment && !self.security.rules.isEmpty
        var configuration = ServerConfiguration(
            listener: listener, databases: databases,
            maximumDatabases: maxDatabases, maximumCalls: options.maxCalls, grace: .seconds(options.grace),
            authentication: security.authentication, rules: security.ruleFiles.rules, isDevelopment: security.isDevelopment,
            console: token.map {
                Console(
                    consoleSettings($0, security, users, slowCalls), authentication: security.authentication,
                    isDevelopment: security.isDevelopment)
            })
        configuration.folders = BucketFolders(buckets, data: options.data)
        configuration.companions = companions
        configuration.slowCalls = slowCalls
        configuration.quotas = quotas
        configuration.clientAddress = { [proxies = self.security.trustedProxies] call in
            IPAddress.network(of: proxies.client(of: call))
        }
        return configuration
    }

    private func consoleSettings(
        _ token: ConsoleToken, _ security: ServedSecurity, _ users: (any ConsoleUsers)?, _ slowCalls: SlowCalls?
    ) -> ConsoleSettings {
        var settings = ConsoleSettings(token: token)
        settings.isReadOnly = options.console.consoleReadOnly
        settings.showsValues = options.console.consoleValues
        settings.directory = options.console.consoleDir
        settings.project = options.project
        settings.files = ConsoleTransferFiles()
        settings.users = users
        settings.slowCalls = slowCalls
        settings.strictLists = options.security.strictLists
        settings.serverSettings = json
        settings.advice = CommandAdvice.server
        settings.isProtected = { [security] call in security.isProtected(call) }
        return settings
    }

    /// The projects that other settings name: their default databases exist from the start.
    private var projects: [String] {
        var projects = options.security.firebaseProject
        if let project = options.project { projects.append(project) }
        if let accounts { projects.append(accounts.project) }
        return projects
    }
}
