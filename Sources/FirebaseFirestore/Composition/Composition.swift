import FirebaseCore
import FirestoreCore
import Foundation
import Logging

/// Opens what stands behind an instance.
typealias Composition = @Sendable (SettingsValues, DatabaseID) throws(FirestoreError) -> any ClientBackend

/// Picks the place the settings and the environment ask for (design D6) and opens it.
@Sendable
func compose(_ settings: SettingsValues, _ databaseID: DatabaseID) throws(FirestoreError) -> any ClientBackend {
    try settings.check()
    let log = FirebaseConfiguration.shared.logger(label: "hearth.firestore")
    if let address = remoteAddress(settings, environment: ProcessInfo.processInfo.environment) {
        let backend = try openRemote(address, settings: settings, databaseID: databaseID)
        log.notice("Firestore database \(databaseID.projectID)/\(databaseID.databaseID) at \(address)")
        return backend
    }
    let location = try DatabaseLocation.find(settings: settings, databaseID: databaseID)
    let backend = try openEmbedded(location, settings: settings, databaseID: databaseID)
    log.notice("embedded Firestore database \(databaseID.projectID)/\(databaseID.databaseID): \(location)")
    return backend
}
