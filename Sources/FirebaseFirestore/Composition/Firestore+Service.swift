// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreClient
package import FirestoreCore

extension Firestore {
    /// A database over a service that is already open. It is not in the registry: `firestore()` never returns it.
    package convenience init(over service: any DocumentService, databaseID: DatabaseID) {
        self.init(
            app: .unregistered(projectID: databaseID.projectID), databaseID: databaseID, isOverService: true,
            composition: { _, _, _ throws(FirestoreError) in DirectClient(service: service) })
    }

    /// A database over a client that is opened at the first operation, with the settings of that moment. It is not in the registry
    /// either.
    package convenience init(
        databaseID: DatabaseID, opening client: @escaping @Sendable (FirestoreSettings) throws(FirestoreError) -> any ClientBackend
    ) {
        self.init(
            app: .unregistered(projectID: databaseID.projectID), databaseID: databaseID, isOverService: true,
            composition: { values, _, _ throws(FirestoreError) in
                let settings = FirestoreSettings()
                settings.values = values
                return try client(settings)
            })
    }
}
