// SPDX-License-Identifier: Apache-2.0
import HearthBase
import Testing

struct RecentTableTests {
    @Test func `the key that was used longest ago makes room`() {
        var table = RecentTable<String, Int>(capacity: 2)
        for key in ["a", "b", "a", "c"] { table.with(key, default: 0) { $0 += 1 } }
        #expect(Set(table.all.map(\.key)) == ["a", "c"])
        #expect(table.with("a", default: 0) { $0 } == 2)
        // Its value is gone.
        #expect(table.with("b", default: 0) { $0 } == 0)
        #expect(Set(table.all.map(\.key)) == ["a", "b"])
    }

    @Test func `what is read or changed by itself is not used by that`() {
        var table = RecentTable<String, Int>(capacity: 2)
        for key in ["a", "b"] { table.with(key, default: 0) { $0 += 1 } }
        #expect(table["a"] == 1 && table["c"] == nil)
        table.change("a") { $0 = 7 }
        table.change("c") { $0 = 7 }
        #expect(table["a"] == 7 && table.count == 2)
        table.with("c", default: 0) { $0 += 1 }
        #expect(table["a"] == nil && table["b"] == 1 && table["c"] == 1)
    }

    @Test func `it holds what a list of keys in the order of their uses would hold`() {
        for capacity in 1...6 {
            var (table, model) = (RecentTable<Int, Int>(capacity: capacity), [(key: Int, value: Int)]())
            var state = UInt64(capacity)
            for _ in 0..<2_000 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let key = Int(state >> 33) % 9
                let known = model.firstIndex { $0.key == key }.map { model.remove(at: $0).value } ?? 0
                model.append((key, known + 1))
                if model.count > capacity { model.removeFirst() }
                let value = table.with(key, default: 0) { value in
                    value += 1
                    return value
                }
                #expect(value == known + 1)
            }
            #expect(table.count == capacity)
            #expect(Dictionary(uniqueKeysWithValues: table.all.map { ($0.key, $0.value) }) == Dictionary(uniqueKeysWithValues: model.map { ($0.key, $0.value) }))
        }
    }
}
