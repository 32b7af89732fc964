import FirestoreCore

/// Opens the embedded database behind a client.
func openEmbedded(
    _ location: DatabaseLocation, settings: SettingsValues, databaseID: DatabaseID
) throws(FirestoreError) -> any ClientBackend {
    try location.prepare()
    throw FirestoreError(.unavailable, "the embedded engine has not landed yet")
}
