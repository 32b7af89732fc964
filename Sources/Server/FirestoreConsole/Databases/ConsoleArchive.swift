// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreGateway
import FirestoreRPC

/// The archive of a server, for the console. The server knows none; the process that starts it provides it.
package protocol ConsoleArchive: Sendable {
    /// What all archives of the server have in common, for `/console/api/server`.
    var summary: JSON { get }

    /// How far the archive of a database is, and which moments can be restored. May ask the place of the archive.
    func report(on database: DatabaseID) async throws(FirestoreError) -> JSON
}

extension ConsoleArchive {
    func answer(_ exchange: any HTTPExchange) async throws(HTTPRefusal) {
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            try await report(on: try ConsoleQuestion.database(exchange))
        }
        exchange.respond(json: json.bytes())
    }
}
