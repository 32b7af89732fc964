// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Commits that an archive had, and that it cannot restore: a piece of the journal is gone, or every copy of the database.
package struct ArchiveGap: Error, Sendable, Hashable {
    /// The last commit that can be restored.
    package let after: DocumentVersion
    /// Where the journal continues; nil if nothing behind the gap is there.
    var until: DocumentVersion?
    /// The last commit that is known to have been archived.
    package let known: DocumentVersion
    /// Whether there is no complete copy of what was archived last, and `after` is in what was archived before it.
    var isWithoutCopy = false

    /// For messages.
    package var description: String {
        let (after, known) = (after.timestamp.text, known.timestamp.text)
        if isWithoutCopy {
            return "the server that archived the database last has left no complete copy: what was archived until \(known) cannot be "
                + "restored, and what was archived before that server ends at \(after)"
        }
        guard let until else { return "the commits after \(after) are missing: the archive had those until \(known)" }
        return "the commits between \(after) and \(until.timestamp.text) are missing, so those until \(known) cannot be restored"
    }
}

extension ArchiveCatalog {
    /// The last commit that is known to have been archived of a history, by the names of everything that counts.
    func lastKnown(of history: UInt64) -> DocumentVersion? {
        let content = histories[history] ?? History()
        return (content.segments.filter(counts).map(\.through) + (content.bases + content.reaches).filter(counts).map(\.time)).max()
    }

    /// What is missing behind a commit of a history; nil if nothing is known to be.
    func gap(after end: DocumentVersion, of history: UInt64) -> ArchiveGap? {
        guard let known = lastKnown(of: history), known > end else { return nil }
        let next = (histories[history]?.segments ?? []).filter { counts($0) && $0.after > end }.map(\.after).min()
        return ArchiveGap(after: end, until: next, known: known)
    }

    /// What is missing behind the newest copy of a history; nil if nothing is known to be, or if there is no copy.
    func gap(of history: UInt64) -> ArchiveGap? {
        bases(of: history).last.flatMap { gap(after: chain(from: $0, of: history).last?.through ?? $0.time, of: history) }
    }

    /// What a restore of everything would leave out; nil if nothing is known to be missing, or if there is no copy at all.
    package var newestGap: ArchiveGap? { (try? plan(at: nil, now: .max, isUpToGap: true))?.gap }

    /// Whether commits are known to be missing, as far as names show it.
    var hasGap: Bool { histories.keys.contains { gap(of: $0) != nil } }

    /// What a plan leaves out that was archived last, in a history without a complete copy or without its lease.
    func gap(behind plan: RestorePlan, _ later: [UInt64]) -> ArchiveGap? {
        let end = plan.segments.last?.through ?? plan.base.time
        let left = later.filter { histories[$0]?.isEmpty == false } + historiesWithoutLease.filter { $0 != plan.history }
        guard !left.isEmpty else { return nil }
        return ArchiveGap(after: end, known: max(end, left.compactMap { lastKnown(of: $0) }.max() ?? end), isWithoutCopy: true)
    }

    /// Leases that are missing, although something that was archived under them is there. Those before the first one that is there may
    /// have been removed: what is older than the window needs none.
    var missingLeases: [Int] {
        let first = leases.first?.number ?? 0
        return histories.values.reduce(into: Set()) { $0.formUnion($1.leases) }
            .subtracting(leases.map(\.number)).filter { $0 > first }.sorted()
    }

    /// Histories with something that was archived under a lease that is missing, and later than the last one that is there.
    private var historiesWithoutLease: [UInt64] {
        let last = leases.last?.number ?? 0
        return histories.filter { $0.value.leases.contains { $0 > last } }.map(\.key)
    }
}

extension ArchiveCatalog.History {
    /// The leases under which something was archived.
    var leases: Set<Int> { Set(segments.map(\.lease) + (bases + unfinished + reaches).map(\.lease)) }

    var isEmpty: Bool { segments.isEmpty && bases.isEmpty && unfinished.isEmpty && reaches.isEmpty }
}
