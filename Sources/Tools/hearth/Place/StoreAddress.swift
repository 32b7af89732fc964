// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreStorage
import Foundation

#if Postgres
    import FirestorePostgres
    import PostgresLink
#endif

/// The server that keeps the databases of several nodes, as `--store` or HEARTH_STORE names it.
struct StoreAddress {
    static let variable = "HEARTH_STORE"
    /// Without a password, for output.
    let text: String

    #if Postgres
        private let settings: PostgresSettings

        /// - Parameter isOnCommandLine: Other users of the machine can read it there, so it must not contain a password.
        init(_ url: String, isOnCommandLine: Bool, environment: [String: String]) throws {
            do {
                settings = try PostgresSettings(url: url, environment: environment)
            } catch {
                throw ValidationError("--store: \(error.message)")
            }
            guard !isOnCommandLine || !settings.hasPassword else { throw Self.passwordShown }
            text = settings.redacted
        }

        /// Whether what is sent to the server can be read on the way.
        var isExposed: Bool { !settings.isLoopbackOnly && !settings.usesTLS }

        /// A node of the server, whose tables exist.
        func connect() throws(FirestoreError) -> PostgresCluster { try PostgresCluster.connect(settings) }

        /// What an operator should know of the server, a sentence each.
        func advice(_ cluster: any StoreCluster) -> [String] {
            guard let cluster = cluster as? PostgresCluster, (try? cluster.losesCommits()) == true else { return [] }
            return [
                "a fail-over may lose acknowledged commits: the URL names several servers, and synchronous_standby_names is empty"
            ]
        }

        /// Returns the format of before.
        func migrate() throws(FirestoreError) -> Int { try PostgresCluster.migrate(settings) }

        func initialize() throws(FirestoreError) { try PostgresCluster.initialize(settings) }
    #else
        init(_ url: String, isOnCommandLine: Bool, environment: [String: String]) throws {
            throw ValidationError(
                "--store: this hearth was built without PostgreSQL; build it with `swift build --traits default,Postgres`, which needs "
                    + "libpq")
        }

        var isExposed: Bool { false }

        func connect() throws(FirestoreError) -> any StoreCluster { throw .isShutDown }

        func advice(_ cluster: any StoreCluster) -> [String] { [] }
    #endif

    private static var passwordShown: ValidationError {
        ValidationError(
            "--store: a password on the command line can be read by every user of this machine; give the URL in HEARTH_STORE or in the "
                + "file of --config, or the password in PGPASSFILE")
    }
}

/// The option of the commands that work on the server itself.
struct StoreAddressOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The PostgreSQL server, as in postgres://user@host/database. (default: HEARTH_STORE)", valueName: "url"))
    var store: String?

    /// - Parameter advice: What can be given in place of the server.
    func address(orInstead advice: String? = nil) throws -> StoreAddress {
        let environment = ProcessInfo.processInfo.environment
        guard let url = store ?? environment[StoreAddress.variable] else {
            let instead = advice.map { $0 + ", or " } ?? ""
            throw ValidationError(
                "\(instead)name the PostgreSQL server: --store postgres://user@host/database, or the variable HEARTH_STORE")
        }
        return try StoreAddress(url, isOnCommandLine: store != nil, environment: environment)
    }
}
