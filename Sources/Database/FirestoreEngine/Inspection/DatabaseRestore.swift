// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// Puts a copy of a database in the place of a database: what `hearth restore` does.
package struct DatabaseRestore: Sendable {
    /// Where the content of the database comes from.
    package enum Source: Sendable {
        /// A copy. It stays as it is.
        case copy(String)
        /// What `write` puts into the file that it is called with, which does not exist yet.
        case made(of: DatabaseID, name: String, write: @Sendable (String) throws(FirestoreError) -> Void)

        /// For messages.
        var name: String {
            switch self {
            case .copy(let path): path
            case .made(_, let name, _): name
            }
        }
    }

    package var source: Source
    /// The file of the database.
    package var destination: String
    /// Whether documents retain their update times. Clients with a cache then retain newer documents in it.
    package var keepsTimes = false
    /// Whether a database that is there already is replaced.
    package var replaces = false
    package var clock: any WallClock = SystemClock()

    package init(source: String, destination: String) { self.init(source: .copy(source), destination: destination) }

    package init(source: Source, destination: String) {
        self.source = source
        self.destination = destination
    }

    /// The result of a restore.
    package struct Outcome: Sendable {
        package let database: DatabaseID
        package let documents: Int
        /// The time of the restore: later than every commit of the copy, and of the database that was replaced as far as its times can
        /// be read.
        package let time: DocumentVersion
        /// Where the database is that was replaced.
        package let replaced: String?
        /// The policies by which documents expired. They are off: they would delete what the copy was restored for.
        package let expiryPolicies: [ExpiryPolicy]
    }

    /// Fails if the copy is damaged, or if a process has one of the files open. Then the destination is unchanged.
    package func run() throws(FirestoreError) -> Outcome {
        let database = try database()
        let place = try StoreReplacement(destination)
        guard replaces || !place.isTaken else {
            throw FirestoreError(
                .alreadyExists, "a database is there already; choose another data directory", at: place.path.path,
                cause: CopyReason.databaseExists)
        }
        do throws(FirestoreError) {
            switch source {
            case .copy(let path): try place.copy(path)
            case .made(_, _, let write): try write(place.part.path)
            }
            let began = try begin(database, in: place)
            try check(place)
            let replaced = try place.finish(began.history, at: began.time)
            return Outcome(
                database: database, documents: began.documents, time: began.time, replaced: replaced, expiryPolicies: began.policies)
        } catch {
            place.discard()
            throw error
        }
    }

    private func database() throws(FirestoreError) -> DatabaseID {
        switch source {
        case .made(let database, _, _): return database
        case .copy(let path):
            if let database = try DatabaseInspection.databaseID(of: path) { return database }
            throw FirestoreError(.notFound, "the file is not a Hearth database", at: path)
        }
    }

    private func begin(
        _ database: DatabaseID, in place: StoreReplacement
    ) throws(FirestoreError) -> (history: DatabaseHistory, time: DocumentVersion, documents: Int, policies: [ExpiryPolicy]) {
        let opening = StoreOpening(keepsMigrationCopy: false, clock: clock)
        let store = try SQLiteStore.open(place.part, durability: .full, databaseID: database, opening: opening)
        do throws(FirestoreError) {
            // `finish` syncs the file.
            try store.writeAsDraft()
            let began = try store.beginHistory(after: place.lastCommit(at: clock.now()), keepsTimes: keepsTimes, opening: opening)
            let policies = try StoredPolicies.remove(from: store)
            try store.close()
            return (began.history, began.time, began.documents, policies)
        } catch {
            try? store.close()
            throw error
        }
    }

    private func check(_ place: StoreReplacement) throws(FirestoreError) {
        let report = try DatabaseInspection.check(place.part.path).report
        guard let finding = report.findings.first else { return }
        let more = report.count > 1 ? ", and \(report.count - 1) more" : ""
        throw FirestoreError(
            .dataLoss, "the copy is damaged (\(finding)\(more)); take another one", at: source.name, cause: CopyReason.damagedCopy)
    }
}
