// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEngine
import FirestoreServer
import FirestoreStorage

extension DatabaseArchiver {
    /// How long a caller waits for the archive.
    private static let patience = Duration.seconds(30)
    private static let pause = Duration.milliseconds(20)

    /// Returns when the archive has every commit up to a moment.
    package func reach(_ moment: DocumentVersion) async throws(FirestoreError) {
        let end = ContinuousClock.now + Self.patience
        while try await lacksCommits(upTo: moment) {
            let why = status.problem.map { " (\($0))" } ?? ""
            guard ContinuousClock.now < end, !status.isEnded else {
                throw FirestoreError(
                    .unavailable, "the archive does not have the last commits yet; try again in a minute\(why)", at: layout.root)
            }
            do { try await Task.sleep(for: Self.pause) } catch { throw FirestoreError(.cancelled, "the caller waits no longer") }
        }
    }

    private func lacksCommits(upTo moment: DocumentVersion) async throws(FirestoreError) -> Bool {
        guard status.isCurrent, let position = writing?.position else { return true }
        let log = engine.log
        let next = try await Blocking.run { () throws(FirestoreError) in try log.commits(after: position, limit: 1).commits.first?.time }
        return next.map { $0 <= moment } ?? false
    }

    /// Makes a copy of the database as it is now, which stays in the archive.
    func keep(_ kept: KeptBase) async throws(FirestoreError) -> KeptBase {
        // The lease is taken.
        try await reach(.none)
        let indexEntries = try await engine.indexes().reduce(0) { $0 + $1.entries }
        guard let manifest = try await copy()?.get(), let history = writing?.history, !status.isEnded else {
            throw FirestoreError(.unavailable, "the database is being closed; the backup is made when it is opened again")
        }
        var made = KeptBase(
            id: kept.id, history: ArchiveLayout.text(ofHistory: history), base: manifest.name.text, until: kept.until,
            // Commits that came while the copy was made may be in it.
            created: max(kept.created, manifest.last))
        (made.uid, made.place, made.indexEntries) = (kept.uid, kept.place, indexEntries)
        (made.documents, made.bytes) = (manifest.documents, manifest.bytes)
        try await KeptBases(of: layout.database, in: store).add(made)
        return made
    }

    /// What is kept, with the window that the database has.
    func keptPolicy() async throws(FirestoreError) -> ArchivePolicy {
        var policy = policy
        policy.keep = max(policy.keep, .microseconds(try await RecoveryWindow.stored(in: engine)))
        return policy
    }
}
