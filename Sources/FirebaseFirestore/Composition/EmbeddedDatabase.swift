// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore
import FirestoreEngine
import Foundation

/// Opens the embedded database behind a client without a cache: the authority is in the process.
func openEmbedded(
    _ location: DatabaseLocation, settings: SettingsValues, databaseID: DatabaseID
) throws(FirestoreError) -> any ClientBackend {
    try location.prepare()
    let durability: Durability = settings.durability == .full ? .full : .relaxed
    let engine = try Engine.open(
        EngineConfiguration(location: location.place, durability: durability, databaseID: databaseID))
    let client = DirectClient(service: engine)
    try client.indexAdministration?.setIndexPolicy(settings.indexPolicy.internalForm)
    return client
}

/// Deletes a database, unless another process has it open.
func deleteEmbedded(_ location: DatabaseLocation, databaseID: DatabaseID) async throws(FirestoreError) {
    guard case .file(let path) = location, FileManager.default.fileExists(atPath: path) else { return }
    do throws(FirestoreError) {
        // Opening takes the lock that another process would hold.
        let engine = try Engine.open(EngineConfiguration(location: location.place, databaseID: databaseID))
        await engine.shutdown()
    } catch {
        // A database that cannot be opened because it is damaged may be deleted.
        if error.code == .failedPrecondition { throw error }
    }
    try location.delete()
}

extension FirestoreSettings.IndexPolicy {
    var internalForm: IndexPolicy {
        switch self {
        case .automatic: .automatic
        case .manual: .manual
        case .required: .required
        }
    }
}

extension DatabaseLocation {
    fileprivate var place: EngineConfiguration.Location {
        switch self {
        case .memory: .memory
        case .file(let path): .file(path: path)
        }
    }
}
