// SPDX-License-Identifier: Apache-2.0
#if Remote
package import FirebaseFirestore
package import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreRPC
import FirestoreRemote
import FirestoreRules
import FirestoreServer
import Logging

/// The server's methods over databases in memory, in this process; one for all tests.
package enum LoopbackPlace {
    private static let service: FirestoreService = {
        var log = Logger(label: "loopback")
        log.logLevel = .critical
        // As a server in development mode.
        var settings = RuleEnforcement.Settings()
        settings.explainsToCallers = true
        let databases = DatabaseRegistry(
            DatabaseOpening(storage: .memory), rules: RulesRegistry(settings: settings), maximum: 100_000, log: log)
        return FirestoreService(databases: databases)
    }()

    /// A database with a separate connection.
    package static func firestore(_ database: DatabaseID) -> Firestore {
        Firestore(
            over: RemoteService(RPCLoopback(service), database: database), databaseID: database)
    }
}
#endif
