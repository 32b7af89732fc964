// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreClient
package import FirestoreCore
package import FirestoreEnforcement
import FirestoreRules

extension Firestore {
    /// A database over a service that is opened at the first operation. It is not in the registry either.
    package convenience init(databaseID: DatabaseID, over service: @escaping @Sendable () throws(FirestoreError) -> any DocumentService) {
        self.init(
            app: .unregistered(projectID: databaseID.projectID), databaseID: databaseID, isOverService: true,
            composition: { _, _, _ throws(FirestoreError) in DirectClient(service: try service()) })
    }

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

    /// A database under rules over a service that is opened at the first operation. The rules decide for the user of the settings.
    ///
    /// - Parameter clock: The time in the claims of users.
    /// - Parameter wrapping: Layers to add in front of the rules.
    package convenience init(
        databaseID: DatabaseID, under rules: RuleEnforcement, clock: any WallClock,
        wrapping: @escaping @Sendable (any DocumentService) -> any DocumentService,
        opening service: @escaping @Sendable () throws(FirestoreError) -> any DocumentService
    ) {
        self.init(
            app: .unregistered(projectID: databaseID.projectID), databaseID: databaseID, isOverService: true,
            composition: { settings, _, app throws(FirestoreError) in
                try ruledClient(
                    of: settings.currentUser ?? CurrentUser(of: app), over: service(), under: rules, clock: clock, wrapping: wrapping)
            })
    }
}
