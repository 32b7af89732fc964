// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// How far back the versions of a database go, in microseconds.
package enum RecoveryWindow {
    /// An hour: what the database itself has.
    package static let usual: Int64 = 3_600_000_000
    /// A week: what an archive has of a database with recovery to a point in time.
    package static let extended: Int64 = 604_800_000_000

    /// That of a database by its settings.
    package static func stored(in facts: any FactService) async throws(FirestoreError) -> Int64 {
        try await AdminDatabase.stored(in: facts)?.window ?? usual
    }
}
