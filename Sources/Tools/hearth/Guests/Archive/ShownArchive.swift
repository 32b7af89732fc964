// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive
import FirestoreCore
import FirestoreGateway

/// The archive of a server, for the console's page of databases.
struct ShownArchive: ConsoleArchive {
    let archive: ArchiveCompanion
    /// As the option names it.
    let place: String

    var summary: JSON {
        .object([
            ("place", .string(place)), ("keep", .number(archive.policy.keep.components.seconds)),
            ("verified", .boolean(archive.policy.isVerified)),
        ])
    }

    func report(on database: DatabaseID) async throws(FirestoreError) -> JSON {
        await archive.report(on: database).json(now: SystemClock().now())
    }
}
