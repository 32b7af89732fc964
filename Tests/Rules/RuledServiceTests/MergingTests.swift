// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEnforcement
@testable import FirestoreRules

/// Batches that wait for a judgement are merged.
struct MergingTests {
    private static func document(_ path: String, _ time: Int64) -> Document {
        Document(
            key: key(path), createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: time), fields: .empty)
    }

    private static func random(_ time: Int64, isFirst: Bool, _ random: inout SeededRandom) -> WatchBatch {
        var (changes, departed) = ([WatchBatch.Change](), [Document]())
        for name in ["a", "b", "d"] {
            switch random.number(4) {
            case 0: changes.append(.update(document("c/\(name)", time)))
            case 1 where !isFirst:
                changes.append(.remove(key("c/\(name)")))
                if random.number(2) == 0 { departed.append(document("c/\(name)", time)) }
            default: continue
            }
        }
        return WatchBatch(
            readTime: DocumentVersion(microseconds: time), basis: isFirst ? .nothing : .known, changes: changes, departed: departed)
    }

    @Test(arguments: 0..<200)
    func `a merged batch leads to the same state`(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let (apart, together) = (RecordingSink(), RecordingSink())
        var batches: [WatchBatch] = []
        for time in 0..<Int64(6) { batches.append(Self.random(time + 1, isFirst: time == 0 || random.number(6) == 0, &random)) }
        for batch in batches { apart.receive(batch) }
        let merged = try #require(batches.dropFirst().reduce(batches.first) { $0?.merged(with: $1) })
        together.receive(merged)
        #expect(apart.documents == together.documents)
        #expect(merged.readTime == batches.last?.readTime)
        let removed = merged.changes.compactMap { if case .remove(let key) = $0 { key } else { nil } }
        #expect(merged.departed.allSatisfy { removed.contains($0.key) })
    }
}
