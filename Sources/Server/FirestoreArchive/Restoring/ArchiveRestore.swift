// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine
import FirestoreStorage
import Foundation

/// Puts a database of an archive, as it was at a moment, in the place of a database.
package struct ArchiveRestore: Sendable {
    package let store: any ArchiveStore
    package let layout: ArchiveLayout
    /// The file of the database.
    package let destination: String
    /// The commits up to it, including one at it, are restored; nil for all.
    package var moment: DocumentVersion?
    /// Whether the commits before a gap are restored, if commits are missing in the archive. Otherwise nothing is.
    package var isUpToGap = false
    /// The backup that is restored in place of a moment; nil for a moment.
    package var backup: KeptBase?
    /// Whether documents retain their update times. Clients with a cache then retain newer documents in it.
    package var keepsTimes = false
    /// Whether a database that is there already is replaced.
    package var replaces = false
    /// The name of the restored database; nil for the one that it had.
    package var name: DatabaseID?
    /// Changes the settings of the restored database; nil leaves them.
    package var adjust: (@Sendable (inout DatabaseSettings) -> Void)?
    /// A file that does not exist, on the disk of the destination, for the database while it is made; nil for one beside the destination.
    package var scratch: String?
    package var clock: any WallClock = SystemClock()
    /// Called with the bytes of the copy, and then with the times of commits.
    package var progress: @Sendable (ArchiveProgress) -> Void = { _ in }

    package init(from store: any ArchiveStore, of database: DatabaseID, to destination: String) {
        self.store = store
        layout = ArchiveLayout(database)
        self.destination = destination
    }

    package struct Outcome: Sendable {
        package let restored: DatabaseRestore.Outcome
        /// The last commit that the database has.
        package let lastCommit: DocumentVersion
        /// Whether the moment that was asked for is later than the archive.
        package let endsEarly: Bool
        /// What was left out because it is missing in the archive.
        package let gap: ArchiveGap?
    }

    /// What would be restored.
    package func plan() async throws(FirestoreError) -> RestorePlan {
        if let backup { return try backup.plan(in: layout) }
        return try await ArchiveCatalog.load(layout, from: store).plan(at: moment, now: clock.now(), isUpToGap: isUpToGap)
    }

    package func run() async throws(FirestoreError) -> Outcome {
        let file = scratch ?? "\(destination).\(AutoID.make()).restoring"
        defer { remove(file) }
        let (last, plan) = try await MissingObject.listingAgain {
            () async throws(FirestoreError) -> (DocumentVersion, RestorePlan) in
            remove(file)
            var plan = try await self.plan()
            let last = try await prepare(&plan, in: file)
            return (last, plan)
        }
        let name = name ?? layout.database
        var restore = DatabaseRestore(
            source: .made(of: name, name: store.description + "/" + layout.root) { (path) throws(FirestoreError) in
                try moveFile(file, to: path)
            }, destination: destination)
        restore.keepsTimes = keepsTimes
        restore.replaces = replaces
        restore.clock = clock
        let ready = restore
        let restored = try await Blocking.run { () throws(FirestoreError) in try ready.run() }
        return Outcome(restored: restored, lastCommit: last, endsEarly: plan.endsEarly != nil, gap: plan.gap)
    }

    private func remove(_ file: String) { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(file + suffix) } }

    /// Makes the database in a file. Returns its last commit.
    ///
    /// - Parameter plan: Gets a gap if a piece of the journal is damaged, and what is before it suffices.
    private func prepare(_ plan: inout RestorePlan, in file: String) async throws(FirestoreError) -> DocumentVersion {
        let download = BaseDownload(store: store, layout: layout, history: plan.history, base: plan.base)
        let manifest = try await download.manifest()
        try await download.run(manifest, to: file) { bytes in progress(.copy(bytes, of: manifest.bytes)) }
        let replay = try ReplayedCopy(file, of: layout.database, history: plan.history, isDraft: true)
        do throws(FirestoreError) {
            if let gap = try await repeatJournal(plan, on: replay) { plan.gap = gap }
            try await replay.finish(as: name, adjusting: adjust)
        } catch {
            await replay.close()
            throw error
        }
        return await replay.time
    }

    /// The copy of a large database takes so long that pieces of the journal are gathered meanwhile: it continues with what has them now.
    ///
    /// Returns what is left out because a piece is damaged.
    private func repeatJournal(_ plan: RestorePlan, on replay: ReplayedCopy) async throws(FirestoreError) -> ArchiveGap? {
        var reading = SegmentReading(store, layout, history: plan.history)
        var planned: [SegmentName]? = plan.segments
        var isApplying = false
        do throws(FirestoreError) {
            try await MissingObject.listingAgain { () async throws(FirestoreError) in
                let names = if let planned { planned } else { try await rest(of: plan, after: reading.position ?? plan.base.time) }
                planned = nil
                if names.first?.after != reading.position { reading = SegmentReading(store, layout, history: plan.history) }
                try await reading.run(names) { (segment) async throws(FirestoreError) in
                    if Task.isCancelled { throw .restoreCancelled }
                    isApplying = true
                    try await replay.apply(segment, upTo: plan.limit)
                    isApplying = false
                    progress(.commits(segment.through))
                }
            }
            return nil
        } catch {
            guard isUpToGap, !isApplying, error.code == .dataLoss, let last = plan.segments.last else { throw error }
            return ArchiveGap(after: await replay.time, known: max(last.through, plan.gap?.known ?? .none))
        }
    }

    /// The segments behind a commit, as the archive has them now. They reach as far as the plan.
    private func rest(of plan: RestorePlan, after time: DocumentVersion) async throws(FirestoreError) -> [SegmentName] {
        let catalog = try await ArchiveCatalog.load(layout, from: store)
        let chain = catalog.chain(from: BaseName(time: time, lease: plan.base.lease), of: plan.history)
            .prefix { segment in plan.limit.map { segment.after < $0 } ?? true }
        if let last = plan.segments.last, chain.last?.through ?? time < last.through {
            throw .missingObject(layout.segment(last, plan.history))
        }
        return Array(chain)
    }
}

/// How far a restore is.
package enum ArchiveProgress: Sendable {
    /// Bytes of the copy that are in the file.
    case copy(Int64, of: Int64)
    /// Commits up to this time are applied.
    case commits(DocumentVersion)
}

extension FirestoreError {
    static let restoreCancelled = FirestoreError(.cancelled, "the restore was cancelled")
}

/// Gives a file another name on the same disk, where there is no file yet.
func moveFile(_ file: String, to name: String) throws(FirestoreError) {
    guard rename(file, name) == 0 else {
        throw FirestoreError(.failedPrecondition, "the restored database cannot be moved (\(String(cString: strerror(errno))))", at: name)
    }
}
