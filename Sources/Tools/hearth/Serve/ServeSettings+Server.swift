// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreArchive
import FirestoreAuthentication
import FirestoreConsole
import FirestoreEngine
import FirestoreGateway
import FirestoreServer
import FirestoreStorage
import FirestoreWebhooks
import Logging

extension ServeSettings {
    func databases(on cluster: (any StoreCluster)?) -> DatabaseOpening {
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
        // Rules judge the content of a database, which would be there by then.
        databases.createsForAdministratorsOnly = !security.isDevelopment && !security.rules.isEmpty
        return databases
    }

    func server(_ security: ServedSecurity, _ databases: DatabaseOpening) -> ServerConfiguration {
        var configuration = ServerConfiguration(
            listener: listener, databases: databases,
            maximumDatabases: maxDatabases, maximumCalls: options.maxCalls, grace: .seconds(options.grace),
            authentication: security.authentication, rules: security.ruleFiles.rules, isDevelopment: security.isDevelopment)
        configuration.folders = BucketFolders(buckets, data: options.data)
        configuration.slowCalls = slow.map { SlowCalls(threshold: $0, log: Logger(label: "hearth")) }
        configuration.clientAddress = { [proxies = self.security.trustedProxies] call in
            IPAddress.network(of: proxies.client(of: call))
        }
        return configuration
    }

    /// - Parameters:
    ///   - users: The accounts of the server; nil if it has none.
    ///   - archive: The archive of the server; nil if it has none.
    ///   - events: The triggers of the server; nil if it has none.
    ///   - slowCalls: What measures the calls of the server; nil if nothing does.
    func console(
        _ token: ConsoleToken, _ security: ServedSecurity, users: (any ConsoleUsers)?, archive: ServedArchive?, events: ServedEvents?,
        slowCalls: SlowCalls?
    ) -> Console {
        var settings = ConsoleSettings(token: token)
        settings.isReadOnly = options.console.consoleReadOnly
        settings.showsValues = options.console.consoleValues
        settings.directory = options.console.consoleDir
        settings.project = options.project
        settings.files = ConsoleTransferFiles()
        settings.users = users
        settings.archive = archive.map { ShownArchive(archive: $0, place: options.archiving.archive ?? "") }
        settings.triggers = events.map { ShownTriggers(events: $0) }
        settings.slowCalls = slowCalls
        settings.strictLists = options.security.strictLists
        settings.serverSettings = json
        settings.advice = CommandAdvice.server
        settings.isProtected = { [security] call in security.isProtected(call) }
        return Console(settings, authentication: security.authentication, isDevelopment: security.isDevelopment)
    }

    /// The projects that other settings name: their default databases exist from the start.
    private var projects: [String] {
        var projects = options.security.firebaseProject
        if let project = options.project { projects.append(project) }
        if let accounts { projects.append(accounts.project) }
        return projects
    }
}
