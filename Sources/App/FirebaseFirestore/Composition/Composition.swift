// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import Logging

/// Opens the backend of an instance.
typealias Composition = @Sendable (SettingsValues, DatabaseID, FirebaseApp) throws(FirestoreError) -> any ClientBackend

/// Selects the database that the settings and the environment ask for and opens it.
@Sendable
func compose(
    _ settings: SettingsValues, _ databaseID: DatabaseID, _ app: FirebaseApp
) throws(FirestoreError) -> any ClientBackend {
    try compose(settings, databaseID, app, environment: ProcessInfo.processInfo.environment)
}

func compose(
    _ settings: SettingsValues, _ databaseID: DatabaseID, _ app: FirebaseApp, environment: [String: String]
) throws(FirestoreError) -> any ClientBackend {
    try settings.check()
    let place = try DatabasePlace.find(settings: settings, databaseID: databaseID, environment: environment)
    let backend: any ClientBackend
    switch place {
    case .embedded(let location): backend = try openEmbedded(location, settings: settings, databaseID: databaseID)
    case .server, .cloud: backend = try openRemote(place, settings: settings, databaseID: databaseID, app: app)
    }
    let logger = FirebaseConfiguration.shared.logger(label: "hearth.firestore")
    logger.notice("\(place.description(of: databaseID))")
    if place.location == nil, settings.rules != nil || settings.user != nil {
        logger.warning("settings.rules and settings.user have no effect: the server decides by its rules, for the user of the credentials")
    }
    return backend
}
