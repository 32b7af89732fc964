// SPDX-License-Identifier: Apache-2.0
import HearthBase
import Testing

/// OT-56: against an exact count.
struct FrequentElementsTests {
    /// Numbers, small ones more often.
    private func stream(_ length: Int, seed: UInt64) -> [Int] {
        var state = seed
        return (0..<length).map { _ in
            func next() -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 40)
            }
            return next() % (1 + next() % (1 + next() % 500))
        }
    }

    @Test(arguments: [1, 2, 3, 10, 50, 1_000]) func `counts are never too small, and too large by the error at most`(capacity: Int) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var (frequent, exact) = (FrequentElements<Int>(capacity: capacity), [Int: Int]())
            let elements = stream(3_000, seed: seed)
            for element in elements {
                frequent.add(element)
                exact[element, default: 0] += 1
            }
            let entries = frequent.first(.max)
            #expect(entries.count == min(capacity, exact.count))
            #expect(entries.map(\.count) == entries.map(\.count).sorted(by: >))
            // Every element is counted once.
            #expect(entries.reduce(0) { $0 + $1.count } == elements.count)
            for entry in entries {
                let count = exact[entry.element] ?? 0
                #expect(count <= entry.count && entry.count - entry.error <= count)
            }
            let known = Set(entries.map(\.element))
            for (element, count) in exact where count > elements.count / capacity { #expect(known.contains(element)) }
        }
    }

    @Test func `with room for all, counts are exact`() {
        var frequent = FrequentElements<String>(capacity: 3)
        for element in ["a", "b", "c", "b", "c", "c"] { frequent.add(element) }
        #expect(frequent.first(2).map(\.element) == ["c", "b"])
        #expect(frequent.first(10).map(\.count) == [3, 2, 1])
        #expect(frequent.first(10).map(\.error) == [0, 0, 0])
    }
}
