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
}
