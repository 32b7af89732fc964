// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine
import FirestoreStorage
import Foundation

/// A standby of a database: a copy that repeats the journal of an archive as it appears, until it takes the place of the lost one.
///
/// The copy is in a file beside its final place. A follower that ended continues with it.
package actor ArchiveFollower {
    private let store: any ArchiveStore
    private let layout: ArchiveLayout
    private let destination: String
    private let clock: any WallClock
    private let file: String
    private var copy: (replayed: ReplayedCopy, history: UInt64)?
    /// What follows is checked against it; nil after a start.
    private var hash: [UInt8]?

    package init(_ database: DatabaseID, in store: any ArchiveStore, to destination: String, clock: any WallClock = SystemClock()) {
        self.store = store
        self.destination = destination
        self.clock = clock
        layout = ArchiveLayout(database)
        file = destination + ".following"
    }

    /// Applies the commits that have been archived since the last time.
    ///
    /// Returns the last commit in the standby's database; nil while the archive has no copy of the database, or if it was deleted. Fails
    /// when it has applied what there is if commits are missing in the archive: it stays before them until there is a new copy.
    package func step() async throws(FirestoreError) -> DocumentVersion? {
        try await MissingObject.listingAgain { () async throws(FirestoreError) in try await applyNew() }
    }

    private func applyNew() async throws(FirestoreError) -> DocumentVersion? {
        let catalog = try await ArchiveCatalog.load(layout, from: store)
        guard !catalog.isEmpty else { return nil }
        guard catalog.deletion == nil else {
            // What an earlier follower has left is removed, too.
            try await discard()
            return nil
        }
        let plan = try catalog.plan(at: nil, now: clock.now(), isUpToGap: true)
        if let gap = plan.gap, gap.isWithoutCopy, FileManager.default.fileExists(atPath: file) {
            // What the standby has may be newer than what can still be restored.
            throw .incompleteArchive(gap, layout)
        }
        let time = try await apply(plan, catalog)
        if let gap = plan.gap, time ?? .none < gap.known { throw .incompleteArchive(gap, layout) }
        return time
    }

    private func apply(_ plan: RestorePlan, _ catalog: ArchiveCatalog) async throws(FirestoreError) -> DocumentVersion? {
        if let copy, copy.history != plan.history { try await discard() }
        let replayed = try await open(plan)
        let time = await replayed.time
        let rest = catalog.chain(from: BaseName(time: time, lease: plan.base.lease), of: plan.history)
        guard (rest.last?.through ?? time) >= plan.segments.last?.through ?? plan.base.time else {
            // Behind a gap, or behind what is still there: from the newest copy.
            try await discard()
            return try await applyNew()
        }
        guard let next = rest.first else { return time }
        var reading = SegmentReading(store, layout, history: plan.history)
        reading.hash = next.after == time ? hash : nil
        // Not that of the last applied piece if the reading fails on the way.
        hash = nil
        try await reading.run(rest) { (segment) async throws(FirestoreError) in try await replayed.apply(segment, upTo: nil) }
        hash = reading.hash
        return await replayed.time
    }

    private func open(_ plan: RestorePlan) async throws(FirestoreError) -> ReplayedCopy {
        if let copy { return copy.replayed }
        if FileManager.default.fileExists(atPath: file) {
            // One of another history, or one that was not complete.
            if let known = try? ReplayedCopy(file, of: layout.database, history: plan.history) {
                copy = (known, plan.history)
                return known
            }
            removeFile()
        }
        let part = file + ".part"
        unlink(part)
        let download = BaseDownload(store: store, layout: layout, history: plan.history, base: plan.base)
        try await download.run(try await download.manifest(), to: part) { _ in }
        try moveFile(part, to: file)
        let opened = try ReplayedCopy(file, of: layout.database, history: plan.history)
        copy = (opened, plan.history)
        return opened
    }

    private func discard() async throws(FirestoreError) {
        await copy?.replayed.close()
        (copy, hash) = (nil, nil)
        removeFile()
    }

    private func removeFile() { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(file + suffix) } }

    /// Puts the copy in its place, where it begins a new history. Returns nil if there is no copy.
    ///
    /// - Parameter configure: See `DatabaseRestore`.
    package func takeOver(
        _ configure: @Sendable (inout DatabaseRestore) -> Void = { _ in }
    ) async throws(FirestoreError) -> DatabaseRestore.Outcome? {
        guard let copy else { return nil }
        try await copy.replayed.finish(as: nil)
        self.copy = nil
        let file = file
        var restore = DatabaseRestore(
            source: .made(of: layout.database, name: file) { (path) throws(FirestoreError) in
                try moveFile(file, to: path)
            }, destination: destination)
        restore.clock = clock
        configure(&restore)
        let ready = restore
        return try await Blocking.run { () throws(FirestoreError) in try ready.run() }
    }

    /// Ends without taking over; a later follower continues.
    package func close() async {
        await copy?.replayed.close()
        copy = nil
    }
}
