import FirebaseCore
import FirestoreClient
package import FirestoreCore

extension Firestore {
    /// A database over a service that is already open. It is not in the registry: `firestore()` never returns it.
    package convenience init(
        over service: any DocumentService, indexes: (any IndexAdministration)?, facts: (any FactService)?,
        databaseID: DatabaseID, isShared: Bool = false
    ) {
        self.init(
            app: .unregistered(projectID: databaseID.projectID), databaseID: databaseID, isOverService: true,
            composition: { _, _ throws(FirestoreError) in
                DirectClient(service: service, indexes: indexes, facts: facts, isShared: isShared)
            })
    }
}
