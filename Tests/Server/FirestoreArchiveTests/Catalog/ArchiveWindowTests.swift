// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreArchive

/// Which moments an archive can restore.
@Suite struct ArchiveWindowTests {
    private static func time(_ number: Int64) -> DocumentVersion { DocumentVersion(microseconds: number) }
    private static func base(_ number: Int64) -> BaseName { BaseName(time: time(number), lease: 1) }
    private static func segment(_ after: Int64, _ through: Int64) -> SegmentName {
        SegmentName(after: time(after), through: time(through), lease: 1)
    }

    private static func windows(_ histories: [UInt64: ArchiveCatalog.History]) -> [[Int64]] {
        ArchiveCatalog(layout: ArchiveLayout(DatabaseID(projectID: "test")), leases: [], histories: histories).windows
            .map { [$0.start.microseconds, $0.end.microseconds] }
    }

    @Test("copies whose journals lead from one to the next are one window")
    func connected() {
        let history = ArchiveCatalog.History(
            bases: [Self.base(10), Self.base(20)], segments: [Self.segment(10, 15), Self.segment(15, 25), Self.segment(25, 30)])
        #expect(Self.windows([1: history]) == [[10, 30]])
    }

    @Test("a gap in the journal and a new history begin another window, and a copy alone is one moment")
    func gaps() {
        let gap = ArchiveCatalog.History(
            bases: [Self.base(10), Self.base(40), Self.base(70)], segments: [Self.segment(10, 20), Self.segment(40, 50)])
        #expect(Self.windows([1: gap]) == [[10, 20], [40, 50], [70, 70]])
        let other = ArchiveCatalog.History(bases: [Self.base(15)], segments: [Self.segment(15, 18)])
        #expect(Self.windows([1: gap, 2: other]) == [[10, 20], [15, 18], [40, 50], [70, 70]])
    }

    @Test("without a complete copy nothing can be restored")
    func none() {
        #expect(Self.windows([1: ArchiveCatalog.History(segments: [Self.segment(10, 20)], unfinished: [Self.base(10)])]) == [])
    }
}
