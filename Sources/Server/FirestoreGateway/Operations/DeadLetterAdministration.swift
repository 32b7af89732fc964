// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEnforcement
package import FirestoreEvents
package import FirestoreServer
import FirestoreStorage

/// The events of a server's databases that were given up.
package struct DeadLetterAdministration: Sendable {
    private let databases: DatabaseRegistry

    package init(_ databases: DatabaseRegistry) { self.databases = databases }

    /// Runs `body` with the events of a database that exists, which stays open meanwhile.
    package func open<R: Sendable>(
        _ database: DatabaseID, _ body: (EventAdministration) async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let ruled = try await databases.openExisting(database)
        defer { withExtendedLifetime(ruled) {} }
        guard let logged = ruled.followed as? any LoggedDatabase else {
            throw FirestoreError(.unimplemented, "this database keeps no events")
        }
        return try await body(EventAdministration(DeadLetterStore(logged, of: database), of: database))
    }
}
