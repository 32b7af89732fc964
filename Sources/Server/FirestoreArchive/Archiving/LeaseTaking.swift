// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreStorage

/// Takes the lease of a database, when its server starts to archive it.
struct LeaseTaking {
    let engine: Engine
    let store: any ArchiveStore
    let layout: ArchiveLayout
    let clock: any WallClock
    /// The process. It takes one lease, however often it closes and opens the database.
    let holder: String

    /// Where archiving continues.
    struct Taken {
        let lease: ArchiveLease
        /// The last commit that the archive has.
        let position: DocumentVersion
        /// The hash of the last segment; empty if there is none at this place.
        var hash: [UInt8] = []
        /// The newest complete copy of this history.
        var lastBase: BaseName?
        /// What the archive had when it was listed.
        let catalog: ArchiveCatalog
    }

    func run() async throws(FirestoreError) -> Taken {
        guard let history = engine.history?.number else { throw FirestoreError(.unimplemented, "this database cannot be archived") }
        let record = try await ArchiveRecord.read(engine)
        // The server that had the lease until now may still tidy the archive.
        let (catalog, place) = try await MissingObject.listingAgain { () async throws(FirestoreError) in
            let catalog = try await ArchiveCatalog.load(layout, from: store)
            try check(catalog.leases.last, record, history)
            return (catalog, try await position(catalog, history))
        }
        let last = catalog.leases.last
        let lease: ArchiveLease
        if let last, last.holder == holder, last.historyNumber == history, catalog.deletion == nil {
            lease = last
        } else {
            lease = try await take(after: last, history, at: place.time)
        }
        try await engine.setHold(ArchiveRecord.hold, at: place.time)
        return Taken(
            lease: lease, position: place.time, hash: place.hash, lastBase: catalog.bases(of: history).last, catalog: catalog)
    }

    private func take(
        after last: ArchiveLease?, _ history: UInt64, at position: DocumentVersion
    ) async throws(FirestoreError) -> ArchiveLease {
        let number = (last?.number ?? 0) + 1
        try await ArchiveRecord(
            place: store.description, history: ArchiveLayout.text(ofHistory: history), lease: number, holder: holder
        ).store(in: engine)
        let lease = ArchiveLease(number: number, of: layout, history: history, holder: holder, start: position, now: clock.now())
        guard try await store.put(layout.lease(number), lease.bytes) else {
            throw FirestoreError(.aborted, "another server has taken the lease of the archive in this moment", at: layout.lease(number))
        }
        return lease
    }

    /// The last lease must be that of this database, unless this database has never been archived here: then it takes over.
    private func check(_ last: ArchiveLease?, _ record: ArchiveRecord?, _ history: UInt64) throws(FirestoreError) {
        guard let last, let record, record.place == store.description,
            record.history == ArchiveLayout.text(ofHistory: history)
        else { return }
        // The one before it, if the server ended between the two steps of taking one.
        if last.holder == record.holder || last.number < record.lease { return }
        throw .leaseLost(last, layout)
    }

    /// The last commit that the archive has of this history, if the log still has everything after it; otherwise the last commit of all,
    /// and what is in between is missing.
    private func position(
        _ catalog: ArchiveCatalog, _ history: UInt64
    ) async throws(FirestoreError) -> (time: DocumentVersion, hash: [UInt8]) {
        let end = try await engine.log.lastCommit()
        if let last = catalog.lastSegment(of: history), last.through <= end, await reaches(back: last.through) {
            return (last.through, ArchiveSegment.hash(of: try await store.existing(layout.segment(last, history))))
        }
        // A copy may be newer than the journal, when the server ended before it archived the commits before it: the oldest one that the log
        // reaches back to loses no moment.
        for base in catalog.bases(of: history) where base.time > catalog.lastSegment(of: history)?.through ?? .none && base.time <= end {
            if await reaches(back: base.time) { return (base.time, []) }
        }
        return (end, [])
    }

    private func reaches(back time: DocumentVersion) async -> Bool {
        let engine = engine
        return await Blocking.run { (try? engine.log.commits(after: time, limit: 1)) != nil }
    }
}
