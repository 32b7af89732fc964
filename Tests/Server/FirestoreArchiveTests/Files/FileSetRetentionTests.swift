// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreArchive

@Suite struct FileSetRetentionTests {
    private static let now: Int64 = 1_700_000_000_000_000
    private static let minute: Int64 = 60_000_000

    private static func copy(minutesAgo minutes: Int64, lease: Int = 1) -> BaseName {
        BaseName(time: DocumentVersion(microseconds: now - minutes * minute), lease: lease)
    }

    private static func remaining(_ copies: [BaseName]) -> [BaseName] {
        let garbage = Set(FileSetCatalog(.configuration, copies: copies).superfluous(now: now, keep: .seconds(7 * 86_400)))
        return copies.filter { !garbage.contains($0) }
    }

    @Test("all copies of the last hour stay, then one an hour, then one a day, and the newest in any case")
    func thinning() {
        // One a minute for ten days.
        let copies = (0..<14_400).reversed().map { Self.copy(minutesAgo: Int64($0)) }
        let remaining = Self.remaining(copies)
        let ages = remaining.map { (Self.now - $0.time.microseconds) / Self.minute }
        #expect(ages.filter { $0 <= 60 } == (0...60).reversed().map(Int64.init))
        #expect((23...24).contains(ages.filter { $0 > 60 && $0 <= 1_440 }.count))
        #expect((6...7).contains(ages.filter { $0 > 1_440 }.count))
        #expect(ages.allSatisfy { $0 <= 7 * 1_440 })
        #expect(Self.remaining(remaining) == remaining, "what stays once stays until time passes")
        #expect(Self.remaining([Self.copy(minutesAgo: 100_000)]).count == 1)
    }

    @Test("of each hour the newest copy stays, those of a later lease first")
    func newest() {
        let hour = Self.now / (60 * Self.minute) * 60
        let copies = [
            BaseName(time: DocumentVersion(microseconds: (hour - 170) * Self.minute), lease: 1),
            BaseName(time: DocumentVersion(microseconds: (hour - 130) * Self.minute), lease: 1),
            BaseName(time: DocumentVersion(microseconds: (hour - 150) * Self.minute), lease: 2),
            Self.copy(minutesAgo: 0, lease: 2),
        ]
        #expect(Self.remaining(copies) == [copies[2], copies[3]])
    }
}
