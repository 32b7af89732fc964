// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import TestSupport
import Testing

/// The check of every document that is read: it is quicker than reading the entries, and must say the same.
struct WellFormedFieldsTests {
    private func canBeRead(_ bytes: ByteSlice) -> Bool {
        var iterator = FieldsView(bytes.buffer).makeIterator()
        while iterator.next() != nil {}
        return !iterator.isDamaged
    }

    @Test(arguments: 1...TestScale.pick(quick: 20, full: 2_000))
    func `fields are well formed if every entry can be read, however they were damaged`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var entries: [(String, Value)] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let sizes = [0, 1, 20, 117, 118, 119, 126, 127, 128, 300, 16_370, 16_384, 20_000]
            let (name, size) = (Int.random(in: 0...3, using: &random), sizes.randomElement(using: &random) ?? 0)
            entries.append(
                (
                    String(repeating: "n", count: name == 0 ? 130 : name) + "\(entries.count)",
                    .string(String(repeating: "x", count: size))
                ))
        }
        let encoded = FieldBytes(FieldMap(entries)).bytes
        let bytes = withExtendedLifetime(encoded) { Array(encoded.buffer) }
        let whole = ByteSlice(bytes)
        #expect(withExtendedLifetime(whole) { FieldsView.isWellFormed(whole.buffer) })
        for _ in 0..<200 where !bytes.isEmpty {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                // Mostly the tags and lengths at the start of an entry.
                let place = Int.random(in: 0..<(Bool.random(using: &random) ? min(12, damaged.count) : damaged.count), using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random))
                case 1: damaged[place] = UInt8.random(in: 0...255, using: &random)
                case 2: damaged[place] &+= 1
                default: damaged.remove(at: place)
                }
                if damaged.isEmpty { break }
            }
            let slice = ByteSlice(damaged)
            let isWellFormed = withExtendedLifetime(slice) { FieldsView.isWellFormed(slice.buffer) }
            #expect(isWellFormed == canBeRead(slice), "\(damaged.prefix(40))")
        }
    }
}
