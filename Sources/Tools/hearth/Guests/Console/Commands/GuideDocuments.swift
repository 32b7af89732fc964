// SPDX-License-Identifier: Apache-2.0
import FirestoreConsole
import FirestoreCore
import FirestoreRPC

/// The documents of the guide, written to the server that has just started.
enum GuideDocuments {
    /// Creates those that do not exist; others stay as they are.
    static func write(to page: String) async throws {
        let place = page.split(separator: "/")[1]
        guard let colon = place.lastIndex(of: ":"), let port = Int(place[place.index(after: colon)...]) else { return }
        let channel = try RPCClientChannel(RPCClientConfiguration(host: String(place[..<colon]), port: port))
        let database = DatabaseID(projectID: GuideCommand.project)
        do {
            _ = try await channel.unary(
                GuideSamples.path, GuideSamples.request(in: database).withUnsafeBytes { Array($0) },
                metadata: RPCMetadata([("authorization", "Bearer owner")]), deadline: nil)
        } catch {
            await channel.shutdown()
            throw error
        }
        await channel.shutdown()
    }
}
