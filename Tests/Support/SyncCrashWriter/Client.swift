// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import FirestoreSync
import Foundation

/// One line in one unbuffered write: it is out before the next statement runs.
func say(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

func openClient(_ file: String, _ address: String, project: String) throws(FirestoreError) -> SyncClient {
    let database = DatabaseID(projectID: project)
    let service = try RemoteEndpoint.server(address).open(database)
    var settings = SyncEngine.Settings()
    // The server of a test is back soon, or never.
    settings.backoff = Backoff(first: .milliseconds(50), longest: .milliseconds(500))
    settings.log = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    return try SyncClient(
        SyncClient.Parts(
            database: database, transport: try service.transport, service: service, settings: settings,
            cache: { user throws(FirestoreError) in
                LocalStore.Configuration(location: .file(path: file), databaseID: database, server: address, user: user)
            }))
}
