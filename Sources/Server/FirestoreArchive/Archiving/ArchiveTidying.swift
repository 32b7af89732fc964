// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Removes what no moment of the window needs, and gathers the pieces of the journal of an hour in few objects.
///
/// Gathered pieces stay until the next round: a listing that is made meanwhile, page by page, never has a gap.
struct ArchiveTidying {
    static let interval: Int64 = 3_600_000_000
    /// A copy that was begun so long ago is never completed.
    private static let abandoned: Int64 = 86_400_000_000

    let store: any ArchiveStore
    let layout: ArchiveLayout
    let policy: ArchivePolicy
    let traffic: ArchiveTraffic
    let now: Int64

    /// Returns what is missing behind the newest copy; nil if nothing is.
    @discardableResult
    func run(_ history: UInt64) async throws(FirestoreError) -> ArchiveGap? {
        let catalog = try await ArchiveCatalog.load(layout, from: store)
        for name in catalog.superfluous(before: DocumentVersion(microseconds: now - policy.keep.microseconds), now: now) {
            try await remove(name)
        }
        for run in catalog.gatherable(of: history, now: now) { try await gather(run, history) }
        return catalog.gap(of: history)
    }

    /// Puts segments one after the other into one object, or into several if they are large.
    private func gather(_ run: [SegmentName], _ history: UInt64) async throws(FirestoreError) {
        var (bytes, names) = ([UInt8](), [SegmentName]())
        for name in run {
            guard let segment = try await store.get(layout.segment(name, history)) else { return }
            if !names.isEmpty, bytes.count + segment.count > policy.gatheredBytes {
                try await put(bytes, names, history)
                (bytes, names) = ([], [])
            }
            bytes += segment
            names.append(name)
        }
        try await put(bytes, names, history)
    }

    private func put(_ bytes: [UInt8], _ names: [SegmentName], _ history: UInt64) async throws(FirestoreError) {
        guard names.count > 1, let first = names.first, let last = names.last else { return }
        if Task.isCancelled { throw FirestoreError(.cancelled, "the archive was closed") }
        let name = layout.segment(SegmentName(after: first.after, through: last.through, lease: first.lease), history)
        // What is damaged stays where it is found.
        try ArchiveSegment.read(bytes, name: name) { _, _ in }
        await traffic.turn()
        guard try await store.put(name, bytes) else { throw .damagedObject(name, "it exists with another content") }
    }

    func remove(_ garbage: ArchiveCatalog.Garbage) async throws(FirestoreError) {
        switch garbage {
        case .segment(let name, let history): try await store.delete(layout.segment(name, history))
        case .base(let base, let history):
            // Delete `done` first: without it, the remaining objects are not taken for a copy.
            try await store.delete(layout.manifest(of: base, history))
            for object in try await store.list(layout.folder(of: base, history), after: nil, limit: .max) {
                try await store.delete(object.name)
            }
        case .object(let name): try await store.delete(name)
        }
    }

    static func isAbandoned(_ base: BaseName, now: Int64) -> Bool { now - base.time.microseconds > abandoned }
}

extension ArchiveCatalog {
    enum Garbage: Hashable {
        case segment(SegmentName, history: UInt64)
        case base(BaseName, history: UInt64)
        case object(String)
    }

    /// What is not needed to restore any moment since `time`, and not kept.
    func superfluous(before time: DocumentVersion, now: Int64) -> [Garbage] {
        var garbage: [Garbage] = []
        let lasting = kept.filter { $0.until > now }
        for lapsed in kept where lapsed.until <= now { garbage.append(.object(layout.kept + lapsed.id)) }
        for (history, content) in histories.sorted(by: { $0.key < $1.key }) {
            // The moment may be owned by this history: the newest copy before it stays, with everything behind it.
            let first = bases(of: history).last { $0.time <= time } ?? BaseName(time: .none, lease: 0)
            let isOver = isOver(history, before: time)
            let gathered = content.gathered
            for segment in content.segments where isOver || segment.through <= first.time || gathered.contains(segment) {
                garbage.append(.segment(segment, history: history))
            }
            for base in content.bases where isOver || (base.time, base.lease) < (first.time, first.lease) {
                guard damagedKept.isEmpty, !lasting.contains(where: { $0.isOf(base, history) }) else { continue }
                garbage.append(.base(base, history: history))
            }
            let reach = content.reaches.filter(counts).max { ($0.time, $0.lease) < ($1.time, $1.lease) }
            for old in content.reaches where isOver || old != reach { garbage.append(.object(layout.reach(old, history))) }
            for base in content.unfinished where ArchiveTidying.isAbandoned(base, now: now) {
                garbage.append(.base(base, history: history))
            }
        }
        let ended = deletions.filter { $0.lease != leases.last?.number }.map { Garbage.object(layout.deletion($0.lease)) }
        return garbage + ended + unusedLeases(before: time, besides: Set(garbage))
    }

    /// Whether another history had begun by a moment, which has a copy from before it: nothing of this one is needed.
    private func isOver(_ history: UInt64, before time: DocumentVersion) -> Bool {
        guard let last = leases.last(where: { $0.historyNumber == history }) else { return false }
        return leases.contains { later in
            later.number > last.number && later.start <= time
                && later.historyNumber.map { bases(of: $0).contains { $0.time <= time } } == true
        }
    }

    /// Leases that ended before the window, but the last of them: it owns the beginning of the window. Those stay as well that something
    /// was archived under, or that end such a lease: without them it would not be known what counts.
    private func unusedLeases(before time: DocumentVersion, besides garbage: Set<Garbage>) -> [Garbage] {
        var named: Set<Int> = []
        for (history, content) in histories {
            for name in content.segments where !garbage.contains(.segment(name, history: history)) { named.insert(name.lease) }
            for name in content.bases + content.unfinished where !garbage.contains(.base(name, history: history)) {
                named.insert(name.lease)
            }
            for name in content.reaches where !garbage.contains(.object(layout.reach(name, history))) { named.insert(name.lease) }
        }
        let first = named.min() ?? .max
        return leases.filter { $0.start <= time }.dropLast().prefix { $0.number < first }.map { .object(layout.lease($0.number)) }
    }
}

extension ArchiveCatalog {
    /// Runs of segments of one lease and one hour, which is over for an hour, each beginning where the one before it ends.
    func gatherable(of history: UInt64, now: Int64) -> [[SegmentName]] {
        let hour = ArchiveTidying.interval
        let content = histories[history] ?? History()
        let gathered = content.gathered
        let old = content.segments.filter { now / hour - $0.through.microseconds / hour > 1 && !gathered.contains($0) }
            .sorted { ($0.after, $0.lease) < ($1.after, $1.lease) }
        var runs: [[SegmentName]] = []
        for segment in old {
            if let last = runs.last?.last, last.through == segment.after, last.lease == segment.lease,
                last.after.microseconds / hour == segment.after.microseconds / hour
            {
                runs[runs.count - 1].append(segment)
            } else {
                runs.append([segment])
            }
        }
        return runs.filter { $0.count > 1 }
    }
}

extension ArchiveCatalog.History {
    /// The segments whose commits are in a longer one of the same lease, too.
    fileprivate var gathered: Set<SegmentName> {
        var found: Set<SegmentName> = []
        for (_, segments) in Dictionary(grouping: segments, by: \.lease) {
            var longest: SegmentName?
            // The longer one of two that begin at the same moment first.
            for segment in segments.sorted(by: { ($0.after, $1.through) < ($1.after, $0.through) }) {
                if let longest, segment.through <= longest.through { found.insert(segment) } else { longest = segment }
            }
        }
        return found
    }
}
