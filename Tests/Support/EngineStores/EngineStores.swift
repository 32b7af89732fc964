// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine
import Foundation
package import SharedStores

#if Postgres
    import FirestorePostgres
    import FirestoreStorage
    import PostgresLink
    import PostgresServer
#endif

/// Where tests have their databases: in memory, or with HEARTH_TEST_STORE=postgres on a server, which needs the trait `Postgres` (DN-9.1).
package enum EngineStores {
    package static let isPostgres = ProcessInfo.processInfo.environment["HEARTH_TEST_STORE"] == "postgres"

    /// A new place without databases.
    package static func place() throws(FirestoreError) -> EngineConfiguration.Location {
        isPostgres ? try places(1)[0] : .memory
    }

    /// New places that share their databases, as nodes do. `shared` is what they share, unless it is a server.
    package static func nodes(_ count: Int) throws(FirestoreError) -> (places: [EngineConfiguration.Location], shared: SharedCluster?) {
        if isPostgres { return (try places(count), nil) }
        let cluster = SharedCluster()
        return ((0..<count).map { _ in .cluster(cluster.node()) }, cluster)
    }

    #if Postgres
        /// Nodes over a schema of their own, which goes with the server at the end of the process.
        private static func places(_ count: Int) throws(FirestoreError) -> [EngineConfiguration.Location] {
            do {
                let settings = try PostgresSettings(url: PostgresServer.shared.url())
                var options = PostgresClusterOptions()
                options.schema = "e_" + AutoID.make().lowercased()
                options.pool.connections = 6
                options.usesServerClock = false
                try PostgresCluster.initialize(settings, options)
                return try (0..<count).map { _ in .cluster(try PostgresCluster.connect(settings, options)) }
            } catch let error as FirestoreError {
                throw error
            } catch {
                throw FirestoreError(.unavailable, "\(error)")
            }
        }
    #else
        private static func places(_ count: Int) throws(FirestoreError) -> [EngineConfiguration.Location] {
            throw FirestoreError(.failedPrecondition, "HEARTH_TEST_STORE=postgres needs tests that were built with --traits default,Postgres")
        }
    #endif
}
