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
    /// Whether the archive is taken over for a database that did not come out of it.
    var beginsAnew = false

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
        /// Whether this database was archived here, and the archive does not know its lease any more.
        var isLost = false
    }

    func run() async throws(FirestoreError) -> Taken {
        guard let history = engine.history?.number else { throw FirestoreError(.unimplemented, "this database cannot be archived") }
        let record = try await ArchiveRecord.read(engine)
        // The server that had the lease until now may still tidy the archive.
        let (catalog, place) = try await MissingObject.listingAgain { () async throws(FirestoreError) in
            let catalog = try await ArchiveCatalog.load(layout, from: store)
            try check(catalog.leases.last, record, history)
            try checkOrigin(catalog, record, history)
            return (catalog, try await position(catalog, history))
        }
        let last = catalog.leases.last
        let lease: ArchiveLease
        if let last, last.holder == holder, last.historyNumber == history, catalog.deletion == nil {
            lease = last
        } else {
            lease = try await take(after: number(behind: catalog, record, history), history, at: place.time)
        }
        try await engine.setHold(ArchiveRecord.hold, at: place.time)
        return Taken(
            lease: lease, position: place.time, hash: place.hash, lastBase: catalog.bases(of: history).last, catalog: catalog,
            isLost: known(record, history) != nil && !catalog.knows(history))
    }

    /// The record of an archive at this place; nil if there is none.
    private func known(_ record: ArchiveRecord?, _ history: UInt64) -> ArchiveRecord? {
        record.flatMap { $0.place == store.description && $0.history == ArchiveLayout.text(ofHistory: history) ? $0 : nil }
    }

    /// The last number that was ever used, as far as that is known: an archive may have lost leases.
    private func number(behind catalog: ArchiveCatalog, _ record: ArchiveRecord?, _ history: UInt64) -> Int {
        let named = catalog.histories.values.flatMap(\.leases) + catalog.leases.map(\.number)
        return max(named.max() ?? 0, known(record, history).map { catalog.leases.isEmpty ? $0.lease : 0 } ?? 0)
    }

    private func take(
        after last: Int, _ history: UInt64, at position: DocumentVersion
    ) async throws(FirestoreError) -> ArchiveLease {
        let number = last + 1
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
        guard let last, let record = known(record, history) else { return }
        // The one before it, if the server ended between the two steps of taking one.
        if last.holder == record.holder || last.number < record.lease { return }
        throw .leaseLost(last, layout)
    }

    /// The archive must know the database that is here, or the one that it was restored from.
    private func checkOrigin(_ catalog: ArchiveCatalog, _ record: ArchiveRecord?, _ history: UInt64) throws(FirestoreError) {
        // The record is stored before the lease: one whose lease could not be stored has been admitted, and takes it again.
        let next = number(behind: catalog, record, history) + 1
        guard !beginsAnew, catalog.isInUse, !catalog.knows(history), known(record, history)?.lease != next else { return }
        if let origin = record.flatMap({ ArchiveLayout.history($0.history) }), catalog.knows(origin) { return }
        throw .unknownDatabase(layout)
    }

    /// The last commit that the archive has of this history, if the log still has everything after it; otherwise the last commit of all,
    /// and what is in between is missing.
    private func position(
        _ catalog: ArchiveCatalog, _ history: UInt64
    ) async throws(FirestoreError) -> (time: DocumentVersion, hash: [UInt8]) {
        let end = try await engine.log.lastCommit()
        // What the archive has behind the last commit that the file had when it was opened, the file has lost: it was put back as it was
        // earlier. Only what this process has archived may be newer.
        let isOwn = catalog.leases.last?.holder == holder
        let known = isOwn ? end : min(end, engine.openedAt ?? end)
        if let last = catalog.lastSegment(of: history), last.through <= known, await reaches(back: last.through) {
            return (last.through, ArchiveSegment.hash(of: try await store.existing(layout.segment(last, history))))
        }
        // A copy may be newer than the journal, when the server ended before it archived the commits before it: the oldest one that the log
        // reaches back to loses no moment.
        for base in catalog.bases(of: history) where base.time > catalog.lastSegment(of: history)?.through ?? .none && base.time <= known {
            if await reaches(back: base.time) { return (base.time, []) }
        }
        return (end, [])
    }

    private func reaches(back time: DocumentVersion) async -> Bool {
        let engine = engine
        return await Blocking.run { (try? engine.log.commits(after: time, limit: 1)) != nil }
    }
}
