// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreServer
import Foundation
import Logging

extension ArchiveCompanion {
    /// How long the creation of a database waits for the archive.
    private static let patience = 10.0

    /// Refuses a database that would be created although the archive knows it: the disk that it is on may not be mounted. Waits for the
    /// archive: call it on a thread that may wait.
    ///
    /// If the archive cannot be asked, the database is created all the same, unless the archive is required: what it has is not taken
    /// over in any case.
    package func admitCreation(of database: DatabaseID) throws(FirestoreError) {
        guard !policy.beginsAnew else { return }
        let answer = Mutex<Result<Bool, FirestoreError>?>(nil)
        let asked = DispatchSemaphore(value: 0)
        let task = Task {
            let result: Result<Bool, FirestoreError>
            do throws(FirestoreError) { result = .success(try await self.knows(database)) } catch { result = .failure(error) }
            answer.withLock { $0 = result }
            asked.signal()
        }
        if asked.wait(timeout: .now() + Self.patience) == .timedOut { task.cancel() }
        switch answer.withLock({ $0 }) {
        case .success(false)?: return
        case .success(true)?:
            let error = FirestoreError.unknownDatabase(ArchiveLayout(database))
            log.error("the database is not begun anew", metadata: database.metadata.merging(["error": "\(error)"]) { $1 })
            throw error
        case .failure(let error)?: try refuseUnlessOptional(database, "\(error)")
        case nil: try refuseUnlessOptional(database, "it does not answer")
        }
    }

    private func knows(_ database: DatabaseID) async throws(FirestoreError) -> Bool {
        let layout = ArchiveLayout(database)
        do throws(FirestoreError) {
            try await noteDeletion(of: database)
            return try await ArchiveCatalog.load(layout, from: store).isInUse
        } catch {
            // What cannot be read is there.
            guard error.code == .dataLoss || error.isOfOtherKey else { throw error }
            return try await !store.list(layout.root, after: nil, limit: 1).isEmpty
        }
    }

    private func refuseUnlessOptional(_ database: DatabaseID, _ reason: String) throws(FirestoreError) {
        guard policy.isRequired else {
            return log.warning(
                "the archive could not be asked whether it has the database, which is created; if it has, it is not archived",
                metadata: database.metadata.merging(["error": "\(reason)"]) { $1 })
        }
        throw FirestoreError(
            .unavailable, "the archive cannot be asked whether it has this database, so it is not created (\(reason)); try again",
            at: "projects/\(database.projectID)/databases/\(database.databaseID)")
    }
}
