import FirestoreClient
import FirestoreCore
import FirestoreEngine

/// Opens the embedded database behind a client without a cache: the authority is in the process.
func openEmbedded(
    _ location: DatabaseLocation, settings: SettingsValues, databaseID: DatabaseID
) throws(FirestoreError) -> any ClientBackend {
    try location.prepare()
    let place: EngineConfiguration.Location =
        switch location {
        case .memory: .memory
        case .file(let path): .file(path: path)
        }
    let engine = try Engine.open(
        EngineConfiguration(
            location: place, durability: settings.durability == .full ? .full : .relaxed, databaseID: databaseID))
    return DirectClient(service: engine)
}
