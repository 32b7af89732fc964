// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreArchive

/// What is removed from an archive.
@Suite struct RetentionTests {
    private static let layout = ArchiveLayout(DatabaseID(projectID: "test"))
    private static let day: Int64 = 86_400_000_000

    private static func time(_ microseconds: Int64) -> DocumentVersion { DocumentVersion(microseconds: microseconds) }

    /// Restarts, restores under new histories, copies, pauses without commits: weeks of an archive.
    private static func archive(_ generator: inout SeededGenerator) -> ArchiveCatalog {
        var now: Int64 = 1_700_000_000_000_000
        var (leases, histories) = ([ArchiveLease](), [UInt64: ArchiveCatalog.History]())
        var (history, position): (UInt64, Int64) = (0x1111_2222_3333_0000, now)
        func lease() {
            leases.append(
                ArchiveLease(number: leases.count + 1, of: layout, history: history, holder: "x", start: time(position), now: now))
        }
        lease()
        histories[history, default: .init()].bases.append(BaseName(time: time(position), lease: 1))
        for _ in 0..<Int.random(in: 20..<120, using: &generator) {
            now += .random(in: 1...day / 2, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: lease()
            case 1:
                history += 1
                position = now
                lease()
                histories[history, default: .init()].bases.append(BaseName(time: time(position), lease: leases.count))
            case 2:
                let base = BaseName(time: time(position), lease: leases.count)
                if histories[history]?.bases.contains(base) != true { histories[history, default: .init()].bases.append(base) }
            default:
                histories[history, default: .init()].segments.append(
                    SegmentName(after: time(position), through: time(now), lease: leases.count))
                position = now
            }
        }
        return ArchiveCatalog(layout: layout, leases: leases, histories: histories)
    }

    private static func without(_ garbage: [ArchiveCatalog.Garbage], _ catalog: ArchiveCatalog) -> ArchiveCatalog {
        var (leases, histories) = (catalog.leases, catalog.histories)
        for one in garbage {
            switch one {
            case .segment(let name, let history): histories[history]?.segments.removeAll { $0 == name }
            case .base(let base, let history): histories[history]?.bases.removeAll { $0 == base }
            case .object(let name): leases.removeAll { layout.lease($0.number) == name }
            }
        }
        return ArchiveCatalog(layout: layout, leases: leases, histories: histories, kept: catalog.kept)
    }

    /// OT-21
    @Test("no moment of the window becomes one that cannot be restored, or is restored from something else", arguments: 0..<TestScale.pick(quick: 40 as UInt64, full: 2_000))
    func window(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let catalog = Self.archive(&generator)
        let last = catalog.spans.map(\.end).max()?.microseconds ?? 0
        let (now, keep) = (last + .random(in: 0...Self.day, using: &generator), Int64.random(in: 1...14, using: &generator) * Self.day)
        let garbage = catalog.superfluous(before: Self.time(now - keep), now: now)
        let kept = Self.without(garbage, catalog)
        for _ in 0..<40 {
            let moment = Self.time(.random(in: (now - keep)...now, using: &generator))
            let before = try? catalog.plan(at: moment, now: now)
            let after = try? kept.plan(at: moment, now: now)
            #expect((before == nil) == (after == nil), "\(moment)")
            // Another base can be the newest before the moment only if that one is not there any more.
            #expect(before?.base == after?.base && before?.segments == after?.segments)
        }
        #expect(try kept.plan(at: nil, now: now) == catalog.plan(at: nil, now: now))
        // Nothing else is removed the next time, and what is older than the window is gone.
        #expect(kept.superfluous(before: Self.time(now - keep), now: now).isEmpty)
        let oldest = kept.spans.filter { $0.base.time < Self.time(now - keep) }
        #expect(Dictionary(grouping: oldest, by: \.history).values.allSatisfy { $0.count == 1 })
    }

    @Test("a copy that is kept stays until its day, although no moment needs it")
    func keptCopies() throws {
        var generator = SeededGenerator(seed: 5)
        let catalog = Self.archive(&generator)
        let now = (catalog.spans.map(\.end).max()?.microseconds ?? 0) + 30 * Self.day
        let base = try #require(catalog.histories.values.flatMap(\.bases).min { $0.time < $1.time })
        let history = try #require(catalog.histories.first { $0.value.bases.contains(base) }?.key)
        let backup = KeptBase(
            id: "b", history: ArchiveLayout.text(ofHistory: history), base: base.text, until: now + 1, created: base.time.microseconds)
        let held = ArchiveCatalog(layout: Self.layout, leases: catalog.leases, histories: catalog.histories, kept: [backup])
        #expect(!held.superfluous(before: Self.time(now - Self.day), now: now).contains(.base(base, history: history)))
        let lapsed = held.superfluous(before: Self.time(now - Self.day), now: now + 1)
        #expect(lapsed.contains(.base(base, history: history)))
        #expect(lapsed.contains(.object(Self.layout.kept + "b")))
    }

    /// OT-14
    @Test("while what is kept is unknown no copy is removed, archiving continues, and a check names the damage")
    func damagedKept() async throws {
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        try await database.commit([.set("c/a")])
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let name = Self.layout.kept + "b"
        #expect(try await store.put(name, [1, 2, 3]))
        database.clock.advance(microseconds: 30 * Self.day)
        try await database.restart()
        try await database.commit([.set("c/b")])
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let catalog = try await ArchiveCatalog.load(Self.layout, from: store)
        let now = database.clock.now()
        #expect(catalog.spans.count == 2)
        let garbage = catalog.superfluous(before: Self.time(now), now: now)
        #expect(!garbage.contains { if case .base = $0 { true } else { false } })
        let findings = try await database.findings()
        #expect(findings.count == 1 && findings[0].contains(name), "\(findings)")
        #expect(try await database.restored(at: nil) == database.state)
        await database.close()
    }

    @Test("names of objects are those of their times, and others are foreign")
    func names() {
        let time = Self.time(1_700_000_000_123_456)
        #expect(ArchiveTime.text(time) == "20231114T221320.123456Z")
        #expect(ArchiveTime.time("20231114T221320.123456Z") == time)
        for text in ["", "20231114T221320.123456", "20231314T221320.123456Z", "20231114T241320.123456Z", "2023111aT221320.123456Z"] {
            #expect(ArchiveTime.time(text) == nil, "\(text)")
        }
        let segment = SegmentName(after: time, through: Self.time(1_700_000_001_000_000), lease: 12)
        #expect(SegmentName(segment.text) == segment)
        #expect(SegmentName(segment.text + "0") == nil)
        #expect(SegmentName("20231114T221320.123456Z-20231114T221320.123456Z-00000001") == nil)
        let base = BaseName(time: time, lease: 3)
        #expect(BaseName(base.text) == base)
        #expect(BaseName(base.text + "-1") == nil)
    }

    @Test("pieces of an hour that is long over are gathered, of one lease and without a gap")
    func gathering() {
        let hour: Int64 = 3_600_000_000
        let start: Int64 = 1_700_000_000_000_000 / hour * hour
        func segment(_ after: Int64, _ through: Int64, _ lease: Int = 1) -> SegmentName {
            SegmentName(after: Self.time(start + after), through: Self.time(start + through), lease: lease)
        }
        let first = [segment(1, 2), segment(2, 3), segment(3, 4)]
        let second = [segment(5, 6), segment(6, 7)]
        let all = first + second + [segment(7, 8, 2), segment(8, hour + 1, 2), segment(hour + 1, hour + 2, 2)]
        let catalog = ArchiveCatalog(layout: Self.layout, leases: [], histories: [1: .init(segments: all)])
        #expect(catalog.gatherable(of: 1, now: start + 3 * hour) == [first, second, [segment(7, 8, 2), segment(8, hour + 1, 2)]])
        #expect(catalog.gatherable(of: 1, now: start + hour).isEmpty)
        // Those that are in a longer one are superfluous. One of another lease is not in it.
        let longer = all + [segment(1, 4), segment(2, 3, 2)]
        let gathered = ArchiveCatalog(layout: Self.layout, leases: [], histories: [1: .init(segments: longer)])
        #expect(Set(gathered.superfluous(before: .none, now: start)) == Set(first.map { .segment($0, history: 1) }))
        #expect(gathered.gatherable(of: 1, now: start + 3 * hour).first == second)
    }

    // OT-17: a copy of a data directory has the history of the original.
    @Test("what a server archived after another one had taken over is not where the journal continues")
    func fencedSegments() {
        func segment(_ after: Int64, _ through: Int64, _ lease: Int) -> SegmentName {
            SegmentName(after: Self.time(after), through: Self.time(through), lease: lease)
        }
        let leases = [(1, Int64(10)), (2, 20)].map { number, start in
            ArchiveLease(number: number, of: Self.layout, history: 7, holder: "\(number)", start: Self.time(start), now: start)
        }
        let segments = [segment(10, 20, 1), segment(20, 90, 1), segment(20, 30, 2)]
        let content = ArchiveCatalog.History(bases: [BaseName(time: Self.time(10), lease: 1)], segments: segments)
        let catalog = ArchiveCatalog(layout: Self.layout, leases: leases, histories: [7: content])
        #expect(catalog.lastSegment(of: 7) == segment(20, 30, 2))
        #expect(catalog.spans.map(\.end) == [Self.time(30)])
    }

    @Test("sizes that no copy can have are damage, and do not end the process", arguments: [Int64.max, -1, 1 << 49])
    func manifestSizes(bytes: Int64) throws {
        let base = BaseName(time: Self.time(1_700_000_000_000_000), lease: 1)
        func manifest(_ file: Int64, _ part: Int) -> [UInt8] {
            ArchiveJSON.bytes(
                BaseManifest(
                    format: 1, project: "test", database: DatabaseID.defaultDatabase, history: ArchiveLayout.text(ofHistory: 7), lease: 1,
                    commit: base.time.microseconds, last: base.time.microseconds, time: "", documents: 0, bytes: file, digest: "0",
                    parts: [.init(bytes: part, sha256: "")]))
        }
        #expect(try BaseManifest.read(manifest(1, 1), base, 7, in: Self.layout).storedBytes == 1)
        #expect(throws: FirestoreError.self) { try BaseManifest.read(manifest(bytes, 1), base, 7, in: Self.layout) }
        #expect(throws: FirestoreError.self) { try BaseManifest.read(manifest(1, Int(bytes)), base, 7, in: Self.layout) }
    }
}
