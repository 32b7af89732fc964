import FirestoreClient
import FirestoreCore
#if Remote
    import FirestoreRemote
#endif

/// `host:port` of the server that the settings or the environment name; nil for the embedded database.
func remoteAddress(_ settings: SettingsValues, environment: [String: String]) -> String? {
    if !settings.host.utf8.elementsEqual(FirestoreSettings.defaultHost.utf8) { return settings.host }
    guard settings.effectiveStorage == .automatic, let address = environment["FIRESTORE_EMULATOR_HOST"], !address.isEmpty
    else { return nil }
    return address
}

/// A client without a cache of a database on a server.
func openRemote(
    _ address: String, settings: SettingsValues, databaseID: DatabaseID
) throws(FirestoreError) -> any ClientBackend {
    #if Remote
        // Only what was set in the settings can ask for an encrypted connection: emulators have none.
        let isExplicit = settings.host.utf8.elementsEqual(address.utf8)
        let place = try RemotePlace(address: address, usesTLS: isExplicit && settings.isSSLEnabled)
        return DirectClient(service: try place.open(databaseID), isShared: true)
    #else
        throw FirestoreError(
            .unimplemented, "this build of Hearth has no network layer: the trait `Remote` of the package is off", at: address)
    #endif
}
