import FirebaseCore
import FirestoreCore
import Foundation
import Logging

/// Opens what stands behind an instance.
typealias Composition = @Sendable (SettingsValues, DatabaseID) throws(FirestoreError) -> any ClientBackend

/// Picks the place the settings ask for and opens it. The embedded database is the only one in this version.
@Sendable
func compose(_ settings: SettingsValues, _ databaseID: DatabaseID) throws(FirestoreError) -> any ClientBackend {
    try settings.check()
    guard settings.host.utf8.elementsEqual(FirestoreSettings.defaultHost.utf8) else {
        throw FirestoreError(
            .unimplemented,
            "remote databases arrive in a later version of Hearth; this one has the embedded database only: "
                + "leave settings.host alone and do not call useEmulator",
            at: settings.host)
    }
    let location = try DatabaseLocation.find(settings: settings, databaseID: databaseID)
    let backend = try openEmbedded(location, settings: settings, databaseID: databaseID)
    let log = FirebaseConfiguration.shared.logger(label: "hearth.firestore")
    log.notice("embedded Firestore database \(databaseID.projectID)/\(databaseID.databaseID): \(location)")
    if ProcessInfo.processInfo.environment["FIRESTORE_EMULATOR_HOST"] != nil {
        log.warning("FIRESTORE_EMULATOR_HOST has no effect: remote databases arrive in a later version of Hearth")
    }
    return backend
}
