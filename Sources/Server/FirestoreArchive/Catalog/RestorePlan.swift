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
}

extension ArchiveCatalog {
    /// Finds what to restore a moment from.
    ///
    /// - Parameter moment: The commits up to it, including one at it; nil for all of the archive.
    package func plan(at moment: DocumentVersion?, now: Int64) throws(FirestoreError) -> RestorePlan {
        guard !isEmpty else {
            throw FirestoreError(.notFound, "the archive has no complete copy of the database", at: layout.root)
        }
        guard let moment else { return try newest() }
        guard moment.microseconds <= now else {
            throw FirestoreError(.outOfRange, "the moment \(text(moment)) lies in the future; \(restorable)", at: layout.root)
        }
        guard let owner = leases.last(where: { $0.start <= moment })?.historyNumber ?? leases.first?.historyNumber,
            let base = bases(of: owner).last(where: { $0.time <= moment })
        else { throw FirestoreError(.outOfRange, "the archive has no copy from before \(text(moment)); \(restorable)", at: layout.root) }
        let chain = chain(from: base, of: owner)
        let end = chain.last?.through ?? base.time
        if moment > end, hasLaterCommits(than: end, in: owner, before: moment) {
            throw FirestoreError(
                .outOfRange,
                "the commits after \(text(end)) are missing in the archive, so \(text(moment)) cannot be restored; \(restorable)",
                at: layout.root)
        }
        let segments = chain.prefix { $0.after < moment }
        return RestorePlan(
            history: owner, base: base, segments: Array(segments), limit: moment, endsEarly: moment > end ? end : nil)
    }

    /// Whether something was archived behind a gap: then commits in between are known to be missing.
    private func hasLaterCommits(than end: DocumentVersion, in history: UInt64, before moment: DocumentVersion) -> Bool {
        let content = histories[history] ?? History()
        return content.bases.contains { $0.time > end } || content.segments.contains { $0.through > end && $0.after >= end }
    }

    private func newest() throws(FirestoreError) -> RestorePlan {
        // The last lease may be that of a server that was lost before its first copy was complete.
        for lease in leases.reversed() {
            guard let history = lease.historyNumber, let base = bases(of: history).last else { continue }
            return RestorePlan(history: history, base: base, segments: chain(from: base, of: history), limit: nil, endsEarly: nil)
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
