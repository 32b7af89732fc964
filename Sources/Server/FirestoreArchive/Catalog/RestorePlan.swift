// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What a moment is restored from: a copy, and the pieces of the journal behind it.
package struct RestorePlan: Sendable, Hashable {
    package let history: UInt64
    package let base: BaseName
    /// In order, without a gap.
    package let segments: [SegmentName]
    /// Commits after this moment are left out; nil for all.
    package let limit: DocumentVersion?
    /// The archive ends before the moment that was asked for: at this commit.
    package let endsEarly: DocumentVersion?
    /// What is left out although the archive had it; nil if nothing is known to be.
    package var gap: ArchiveGap?
}

extension ArchiveCatalog {
    /// Finds what to restore a moment from.
    ///
    /// - Parameters:
    ///   - moment: The commits up to it, including one at it; nil for all of the archive.
    ///   - isUpToGap: Whether commits may be left out that are missing in the archive. Otherwise that is an error.
    package func plan(at moment: DocumentVersion?, now: Int64, isUpToGap: Bool = false) throws(FirestoreError) -> RestorePlan {
        guard !isEmpty else {
            throw FirestoreError(.notFound, "the archive has no complete copy of the database", at: layout.root)
        }
        guard let moment else { return try newest(isUpToGap) }
        guard moment.microseconds <= now else {
            throw FirestoreError(.outOfRange, "the moment \(text(moment)) lies in the future; \(restorable)", at: layout.root)
        }
        guard let owner = leases.last(where: { $0.start <= moment })?.historyNumber ?? leases.first?.historyNumber,
            let base = bases(of: owner).last(where: { $0.time <= moment })
        else { throw FirestoreError(.outOfRange, "the archive has no copy from before \(text(moment)); \(restorable)", at: layout.root) }
        let chain = chain(from: base, of: owner)
        let end = chain.last?.through ?? base.time
        let gap = moment > end ? gap(after: end, of: owner) : nil
        if let gap, !isUpToGap {
            throw FirestoreError(
                .outOfRange,
                "the commits after \(text(end)) are missing in the archive, so \(text(moment)) cannot be restored; \(restorable)",
                at: layout.root, cause: gap)
        }
        let segments = chain.prefix { $0.after < moment }
        return RestorePlan(
            history: owner, base: base, segments: Array(segments), limit: moment, endsEarly: moment > end ? end : nil, gap: gap)
    }

    private func newest(_ isUpToGap: Bool) throws(FirestoreError) -> RestorePlan {
        // The last lease may be that of a server that was lost before its first copy was complete.
        var later: [UInt64] = []
        for lease in leases.reversed() {
            guard let history = lease.historyNumber else { continue }
            guard let base = bases(of: history).last else {
                later.append(history)
                continue
            }
            var plan = RestorePlan(history: history, base: base, segments: chain(from: base, of: history), limit: nil, endsEarly: nil)
            plan.gap = gap(behind: plan, later) ?? gap(of: history)
            if let gap = plan.gap, !isUpToGap { throw .incompleteArchive(gap, layout) }
            return plan
        }
        throw FirestoreError(.notFound, "the archive has no complete copy of the database", at: layout.root)
    }

    /// For messages.
    private var restorable: String {
        guard let first = spans.first, let last = spans.map(\.end).max() else { return "it has no copy" }
        return "it reaches from \(text(first.base.time)) to \(text(last))"
    }

    private func text(_ time: DocumentVersion) -> String { time.timestamp.text }
}

extension FirestoreError {
    /// Commits that were archived cannot be restored.
    static func incompleteArchive(_ gap: ArchiveGap, _ layout: ArchiveLayout) -> FirestoreError {
        FirestoreError(.dataLoss, "the archive is incomplete: \(gap.description)", at: layout.root, cause: gap)
    }

    /// What is missing in the archive, if that is the reason.
    package var archiveGap: ArchiveGap? { cause as? ArchiveGap }
}
