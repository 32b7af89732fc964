// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@Suite struct KeySetTests {
    private static func key(_ number: Int) -> DocumentKey { DocumentKey(trusted: "c/\(number)") }

    @Test func `a key set equals a Set of keys, and copies stay unchanged`() {
        var random = SeededGenerator(seed: 7)
        var (keys, model) = (KeySet(), Set<DocumentKey>())
        var copies: [(KeySet, Set<DocumentKey>)] = []
        for step in 0..<4_000 {
            let key = Self.key(.random(in: 0..<400, using: &random))
            // It grows, and shrinks to nothing.
            let grows = (step / 1_000).isMultiple(of: 2)
            if Int.random(in: 0..<4, using: &random) < (grows ? 3 : 0) {
                keys.insert(key)
                model.insert(key)
            } else {
                keys.remove(key)
                model.remove(key)
            }
            #expect(keys.count == model.count && keys.isEmpty == model.isEmpty && keys.contains(key) == model.contains(key))
            if step.isMultiple(of: 97) { copies.append((keys, model)) }
        }
        for (keys, model) in copies {
            #expect(Set(keys) == model)
            #expect(keys == KeySet(model.shuffled(using: &random)))
        }
    }

    @Test func `sets with other keys differ`() {
        let few = KeySet((0..<3).map(Self.key))
        #expect(few != KeySet((1..<4).map(Self.key)))
        #expect(few != KeySet((0..<4).map(Self.key)))
        #expect(few == [Self.key(2), Self.key(1), Self.key(0), Self.key(1)])
        var many = KeySet((0..<500).map(Self.key))
        many.formUnion(few)
        #expect(many.count == 500 && many != [])
    }
}
