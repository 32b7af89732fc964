// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What an archive has of a database, by the names of its objects: which moments can be restored, and from what.
package struct ArchiveCatalog: Sendable {
    /// The objects of one history.
    struct History: Sendable {
        /// Complete copies, the oldest first.
        var bases: [BaseName] = []
        var segments: [SegmentName] = []
        /// Copies that were begun.
        var unfinished: [BaseName] = []
        /// The moments up to which everything was archived when they were noted.
        var reaches: [BaseName] = []
    }

    package let layout: ArchiveLayout
    /// The oldest first.
    package let leases: [ArchiveLease]
    private(set) var histories: [UInt64: History]
    /// The names of bases that stay until a moment.
    package let kept: [KeptBase]
    /// What is wrong with objects that say which bases stay. While there are any, no base is removed.
    let damagedKept: [FirestoreError]
    let deletions: [ArchivedDeletion]
    /// Names that are not those of an archive.
    package let foreign: [String]

    /// Lists the archive of a database.
    package static func load(_ layout: ArchiveLayout, from store: any ArchiveStore) async throws(FirestoreError) -> ArchiveCatalog {
        try await MissingObject.listingAgain { () async throws(FirestoreError) in
            let catalog = try await list(layout, from: store)
            // A folder is not listed at one moment: a piece that was stored meanwhile may be missing, and the one after it be there.
            return catalog.hasGap ? try await list(layout, from: store) : catalog
        }
    }

    private static func list(_ layout: ArchiveLayout, from store: any ArchiveStore) async throws(FirestoreError) -> ArchiveCatalog {
        var reading = CatalogReading(layout)
        var last: String?
        while true {
            let objects = try await store.list(layout.root, after: last, limit: 1_000)
            for object in objects { reading.add(object.name) }
            last = objects.last?.name
            if objects.count < 1_000 { break }
        }
        var leases: [ArchiveLease] = []
        for name in reading.leases {
            leases.append(try ArchiveLease(try await store.existing(name), name: name))
        }
        var (kept, damagedKept): ([KeptBase], [FirestoreError]) = ([], [])
        for name in reading.kept {
            guard let bytes = try await store.get(name) else { continue }
            do throws(FirestoreError) {
                kept.append(try KeptBase.read(bytes, name: name, in: layout))
            } catch {
                damagedKept.append(error)
            }
        }
        var deletions: [ArchivedDeletion] = []
        for name in reading.deletions { deletions.append(try await ArchivedDeletion.load(name, of: layout, from: store)) }
        return ArchiveCatalog(
            layout: layout, leases: leases, histories: reading.histories, kept: kept, damagedKept: damagedKept, deletions: deletions,
            foreign: reading.foreign)
    }

    init(
        layout: ArchiveLayout, leases: [ArchiveLease], histories: [UInt64: History], kept: [KeptBase] = [],
        damagedKept: [FirestoreError] = [], deletions: [ArchivedDeletion] = [], foreign: [String] = []
    ) {
        self.layout = layout
        self.leases = leases.sorted { $0.number < $1.number }
        self.histories = histories
        self.kept = kept
        self.damagedKept = damagedKept
        self.deletions = deletions
        self.foreign = foreign
    }

    package var isEmpty: Bool { histories.values.allSatisfy(\.bases.isEmpty) }

    /// Whether it has anything of a database that was not deleted.
    var isInUse: Bool { deletion == nil && !(leases.isEmpty && histories.isEmpty) }

    func knows(_ history: UInt64) -> Bool { histories[history] != nil || leases.contains { $0.historyNumber == history } }

    /// Set if the database does not exist any more.
    package var deletion: ArchivedDeletion? { deletions.first { $0.lease == leases.last?.number } }

    /// The moment at which a lease ended: the next one began there.
    private func end(ofLease number: Int) -> DocumentVersion? { leases.first { $0.number > number }?.start }

    func counts(_ base: BaseName) -> Bool { end(ofLease: base.lease).map { base.time <= $0 } ?? true }
    func counts(_ segment: SegmentName) -> Bool { end(ofLease: segment.lease).map { segment.through <= $0 } ?? true }

    /// Complete copies that count, the oldest first.
    func bases(of history: UInt64) -> [BaseName] {
        (histories[history]?.bases ?? []).filter(counts).sorted { ($0.time, $0.lease) < ($1.time, $1.lease) }
    }

    /// The segment with the last commit of a history, of those that count.
    func lastSegment(of history: UInt64) -> SegmentName? {
        (histories[history]?.segments ?? []).filter(counts).max { ($0.through, $0.lease) < ($1.through, $1.lease) }
    }

    /// The segments behind a copy, in order and without a gap: each begins where the one before it ends. Of several that begin at the same
    /// moment it is the longest, because the pieces of an hour are gathered in one object.
    func chain(from base: BaseName, of history: UInt64) -> [SegmentName] {
        var byStart: [DocumentVersion: SegmentName] = [:]
        var first: SegmentName?
        for segment in histories[history]?.segments ?? [] where counts(segment) {
            if segment.through > byStart[segment.after]?.through ?? .none { byStart[segment.after] = segment }
            guard segment.after <= base.time, base.time < segment.through else { continue }
            if segment.through > first?.through ?? .none { first = segment }
        }
        var chain: [SegmentName] = []
        var next = first
        while let segment = next {
            chain.append(segment)
            next = byStart[segment.through]
        }
        return chain
    }

    /// A copy, and the moments that can be restored from it.
    package struct Span: Sendable, Hashable {
        package let history: UInt64
        package let base: BaseName
        /// The last commit that the journal leads to.
        package let end: DocumentVersion
    }

    /// All copies with what can be restored from each, the oldest first.
    package var spans: [Span] {
        histories.keys.flatMap { history in
            bases(of: history).map { base in
                Span(history: history, base: base, end: chain(from: base, of: history).last?.through ?? base.time)
            }
        }.sorted { ($0.base.time, $0.base.lease) < ($1.base.time, $1.base.lease) }
    }
}

/// Sorts the names of objects.
private struct CatalogReading {
    let layout: ArchiveLayout
    var histories: [UInt64: ArchiveCatalog.History] = [:]
    var leases: [String] = []
    var kept: [String] = []
    var deletions: [String] = []
    var foreign: [String] = []

    init(_ layout: ArchiveLayout) { self.layout = layout }

    mutating func add(_ name: String) {
        let parts = name.dropFirst(layout.root.count).split(separator: "/", omittingEmptySubsequences: false)
        switch (parts.count, parts.first) {
        case (2, "leases"): leases.append(name)
        case (2, "kept"): kept.append(name)
        case (2, "deleted"): deletions.append(name)
        default: if !addToHistory(parts) { foreign.append(name) }
        }
    }

    private mutating func addToHistory(_ parts: [Substring]) -> Bool {
        guard parts.count >= 3, let history = ArchiveLayout.history(parts[0]) else { return false }
        switch parts[1] {
        case ArchiveLayout.reachFolder:
            guard parts.count == 3, let reach = BaseName(parts[2]) else { return false }
            histories[history, default: .init()].reaches.append(reach)
        case "journal":
            guard parts.count == 3, let segment = SegmentName(parts[2]) else { return false }
            histories[history, default: .init()].segments.append(segment)
        case "bases":
            guard parts.count == 4, let base = BaseName(parts[2]) else { return false }
            if parts[3] == "done" {
                histories[history, default: .init()].bases.append(base)
                histories[history]?.unfinished.removeAll { $0 == base }
            } else {
                guard parts[3].hasPrefix("part-") else { return false }
                let known = histories[history] ?? .init()
                // `done` is listed before the parts.
                guard known.bases.last != base, known.unfinished.last != base else { return true }
                histories[history, default: .init()].unfinished.append(base)
            }
        default: return false
        }
        return true
    }
}
