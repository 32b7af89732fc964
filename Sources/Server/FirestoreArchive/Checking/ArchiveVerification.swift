// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEngine
import FirestoreStorage
import Foundation

/// Reads the archive of a database whole, and checks that it restores what it claims: every object is what its name says, every copy is
/// sound and has the content that was noted when it was made, and the journal leads from each copy to the next.
package struct ArchiveVerification: Sendable {
    package let store: any ArchiveStore
    package let layout: ArchiveLayout
    /// A folder for copies while they are checked.
    package let folder: String
    /// Called before each object is read.
    package var pace: @Sendable () async -> Void = {}

    package init(_ database: DatabaseID, in store: any ArchiveStore, folder: String) {
        self.store = store
        layout = ArchiveLayout(database)
        self.folder = folder
    }

    package struct Report: Sendable {
        package var copies = 0
        package var segments = 0
        package var commits = 0
        package var documents = 0
        /// What is wrong; empty for a sound archive.
        package var findings: [String] = []
        /// The moments that can be restored.
        package var first: DocumentVersion?
        package var last: DocumentVersion?
    }

    /// Throws if the archive cannot be reached. Whatever is wrong with its content is in the report.
    package func run() async throws(FirestoreError) -> Report {
        var report = Report()
        var catalog: ArchiveCatalog
        do throws(FirestoreError) {
            catalog = try await ArchiveCatalog.load(layout, from: store)
        } catch {
            report.findings.append(try Self.finding(error))
            return report
        }
        for name in catalog.foreign { report.findings.append("\(name): this is not an object of an archive") }
        for damage in catalog.damagedKept { report.findings.append("\(damage)") }
        (report.first, report.last) = (catalog.spans.first?.base.time, catalog.spans.map(\.end).max())
        report.findings += catalog.strayLeases + catalog.lostLeases
        for history in catalog.histories.keys.sorted() { try await check(history, &catalog, &report) }
        try await checkEnd(catalog, &report)
        return report
    }

    /// What names alone show: that everything can be restored which is known to have been archived, and that backups have their copies.
    private func checkEnd(_ catalog: ArchiveCatalog, _ report: inout Report) async throws(FirestoreError) {
        for history in catalog.histories.keys.sorted() {
            if let gap = catalog.gap(of: history) { report.findings.append("\(layout.history(history)): \(gap.description)") }
        }
        report.findings += try await missingCopies(catalog)
        guard catalog.deletion == nil else { return }
        do throws(FirestoreError) {
            _ = try catalog.plan(at: nil, now: .max)
        } catch {
            // Those within a history are named already.
            guard error.code == .notFound || error.archiveGap?.isWithoutCopy == true else { return }
            report.findings.append("\(error)")
        }
    }

    /// Backups whose copies are not there.
    private func missingCopies(_ catalog: ArchiveCatalog) async throws(FirestoreError) -> [String] {
        let missing = catalog.keptWithoutCopy
        guard !missing.isEmpty else { return [] }
        // One that was made while the archive was listed.
        let again = Set(try await ArchiveCatalog.load(layout, from: store).keptWithoutCopy.map(\.id))
        return missing.filter { again.contains($0.id) }.map { "\(layout.kept)\($0.id): the copy of the backup is missing" }
    }

    /// The description of an error that is about content; others are thrown.
    private static func finding(_ error: FirestoreError) throws(FirestoreError) -> String {
        guard error.code == .dataLoss || error.isOfOtherKey else { throw error }
        return "\(error)"
    }

    private func check(_ history: UInt64, _ catalog: inout ArchiveCatalog, _ report: inout Report) async throws(FirestoreError) {
        var journal = JournalDigests(history)
        try await checkReaches(history, catalog, &report)
        try await readJournal(history, &catalog, &journal, &report)
        let bases = catalog.bases(of: history)
        var known: (base: BaseName, digest: DocumentDigest)?
        for base in bases {
            guard let digest = try await checkCopy(base, history, &report) else {
                known = nil
                continue
            }
            if let known {
                let chain = catalog.chain(from: known.base, of: history)
                // The journal behind a backup is removed when the window has passed it.
                let isApart = catalog.isKept(known.base, history) && (chain.last?.through ?? known.base.time) < base.time
                if !isApart, let finding = journal.compare(known, with: (base, digest), chain) {
                    report.findings.append("\(layout.history(history)): \(finding)")
                }
            }
            known = (base, digest)
        }
    }

    /// Reads the objects that say how far the archive reaches.
    private func checkReaches(_ history: UInt64, _ catalog: ArchiveCatalog, _ report: inout Report) async throws(FirestoreError) {
        for reach in catalog.histories[history]?.reaches ?? [] {
            let name = layout.reach(reach, history)
            await pace()
            do throws(FirestoreError) {
                // One that is gone was replaced by the next one.
                guard let bytes = try await store.get(name) else { continue }
                try ArchiveReach.check(bytes, reach, in: layout.history(history), name: name)
            } catch {
                report.findings.append(try Self.finding(error))
            }
        }
    }

    // MARK: Journal

    /// Reads every segment, those as well that no copy needs.
    ///
    /// - Parameter catalog: Listed again when the server of the database has removed or gathered segments meanwhile.
    private func readJournal(
        _ history: UInt64, _ catalog: inout ArchiveCatalog, _ journal: inout JournalDigests, _ report: inout Report
    ) async throws(FirestoreError) {
        var checked: Set<SegmentName> = []
        var missing: [SegmentName: FirestoreError] = [:]
        repeat {
            if !missing.isEmpty { catalog = try await ArchiveCatalog.load(layout, from: store) }
            let segments = (catalog.histories[history]?.segments ?? [])
                .sorted { ($0.after, $0.through, $0.lease) < ($1.after, $1.through, $1.lease) }
            report.findings += segments.compactMap { missing[$0].map { "\($0)" } }
            missing = [:]
            for name in segments where checked.insert(name).inserted {
                await pace()
                do throws(FirestoreError) {
                    try await read(name, history, &journal)
                } catch {
                    if error.missingObject != nil { missing[name] = error } else { report.findings.append(try Self.finding(error)) }
                }
            }
        } while !missing.isEmpty
        let counts = (catalog.histories[history]?.segments ?? []).compactMap { journal.counts[$0] }
        report.segments += counts.reduce(0) { $0 + $1.segments }
        report.commits += counts.reduce(0) { $0 + $1.commits }
    }

    private func read(_ name: SegmentName, _ history: UInt64, _ journal: inout JournalDigests) async throws(FirestoreError) {
        let bytes = try await store.existing(layout.segment(name, history))
        var reading = SegmentReading(store, layout, history: history)
        reading.hash = journal.hash(before: name)
        let read = try reading.read(bytes, name)
        journal.add(read, name, hash: reading.hash ?? [])
    }

    // MARK: Copies

    /// The digest of a copy; nil if it is damaged, or was removed meanwhile.
    private func checkCopy(_ base: BaseName, _ history: UInt64, _ report: inout Report) async throws(FirestoreError) -> DocumentDigest? {
        let download = BaseDownload(store: store, layout: layout, history: history, base: base)
        let file = "\(folder)/\(AutoID.make()).verify"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) } }
        do throws(FirestoreError) {
            await pace()
            let manifest = try await download.manifest()
            try await download.run(manifest, to: file) { _ in }
            let (found, problem) = try await content(file, history)
            if let problem { throw .damagedObject(layout.manifest(of: base, history), problem) }
            guard manifest.digest(history) == found.digest, found.documents == manifest.documents,
                found.last.microseconds == manifest.last
            else {
                throw .damagedObject(
                    layout.manifest(of: base, history), "the copy has other documents than when it was made")
            }
            report.copies += 1
            report.documents = found.documents
            return found.digest
        } catch {
            if error.missingObject != nil,
                try await ArchiveCatalog.load(layout, from: store).histories[history]?.bases.contains(base) != true
            {
                return nil
            }
            report.findings.append(try Self.finding(error))
            return nil
        }
    }

    /// What a copy contains, and what is wrong with it.
    private func content(_ file: String, _ history: UInt64) async throws(FirestoreError) -> (content: CopyContent, problem: String?) {
        try await Blocking.run { () throws(FirestoreError) in
            let inspection = try DatabaseInspection.check(copy: file)
            return (try CopyContent(of: file, history: history), inspection.report.findings.first.map { "\($0)" })
        }
    }
}

extension ArchiveCatalog {
    /// Leases under which something was archived, and that are gone.
    fileprivate var lostLeases: [String] {
        missingLeases.map { "\(layout.lease($0)): the lease is missing, under which the database was archived" }
    }

    fileprivate var keptWithoutCopy: [KeptBase] {
        kept.filter { kept in !histories.contains { history, content in content.bases.contains { kept.isOf($0, history) } } }
    }

    /// Leases of another history than that of the objects that were written under them.
    fileprivate var strayLeases: [String] {
        leases.compactMap { lease in
            let isStray = histories.contains { history, content in
                history != lease.historyNumber
                    && (content.segments.contains { $0.lease == lease.number } || content.bases.contains { $0.lease == lease.number })
            }
            return isStray ? "\(layout.lease(lease.number)): it is of another history than what was archived under it" : nil
        }
    }
}

/// What the journal of a history adds up to.
private struct JournalDigests {
    private let history: UInt64
    /// The hashes of segments by where they end, of whichever lease.
    private var hashes: [SegmentName: [UInt8]] = [:]
    /// What each object contains.
    private(set) var counts: [SegmentName: (segments: Int, commits: Int)] = [:]
    /// The changes of each commit, by segment.
    private var sums: [SegmentName: [(time: DocumentVersion, sum: DocumentDigest)]] = [:]

    init(_ history: UInt64) { self.history = history }

    /// The hash of the segment that a segment follows; nil if that is not there, or could be one of several.
    func hash(before name: SegmentName) -> [UInt8]? {
        let before = Set(hashes.filter { $0.key.through == name.after }.values)
        return before.count == 1 ? before.first : nil
    }

    mutating func add(_ segments: [ArchiveSegment], _ name: SegmentName, hash: [UInt8]) {
        hashes[name] = hash
        counts[name] = (segments.count, segments.reduce(0) { $0 + $1.commits.count })
        sums[name] = segments.flatMap { segment in
            segment.commits.map { commit in
                var sum = DocumentDigest(history: history)
                sum.apply(commit)
                return (commit.time, sum)
            }
        }
    }

    /// What is wrong between two copies; nil if the journal leads from one to the other.
    func compare(
        _ first: (base: BaseName, digest: DocumentDigest), with second: (base: BaseName, digest: DocumentDigest), _ chain: [SegmentName]
    ) -> String? {
        let (from, to) = (first.base.time, second.base.time)
        guard (chain.last?.through ?? from) >= to else {
            let end = chain.last?.through ?? from
            return "the commits between \(end.timestamp.text) and \(to.timestamp.text) are missing"
        }
        var digest = first.digest
        for name in chain {
            // A damaged one is reported already.
            guard let commits = sums[name] else { return nil }
            for commit in commits where commit.time > from && commit.time <= to { digest.add(commit.sum) }
        }
        return digest == second.digest
            ? nil : "the journal does not lead from the copy of \(from.timestamp.text) to that of \(to.timestamp.text)"
    }
}
