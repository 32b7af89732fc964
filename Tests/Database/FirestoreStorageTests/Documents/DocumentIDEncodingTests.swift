// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreStorage

@Suite struct DocumentIDEncodingTests {
    static let interesting = [
        "a", "b", "ab", "a\u{0}", "a\u{0}b", "\u{0}", "__id7__", "__id-7__", "__id0__", "__id10__", "__id07__", "__id__",
        "__id9223372036854775807__", "__id-9223372036854775808__", "__id9223372036854775808__", "__", "_", "z",
        "\u{7F}", "é", "e\u{301}", "\u{FFFD}", "\u{10FFFF}", "😀", "ZZZ", "0", "10", "9",
    ]

    @Test("byte order of keys is the order of names (VAL-14)")
    func order() throws {
        var generator = SeededGenerator(seed: 14)
        var ids = Self.interesting
        for _ in 0..<300 { ids.append(Self.randomID(&generator)) }
        for left in ids {
            for right in ids {
                let names = PathOrdering.compare("c/" + left, "c/" + right)
                let (l, r) = (DocumentIDEncoding.encode(left), DocumentIDEncoding.encode(right))
                let keys = l == r ? 0 : (l.lexicographicallyPrecedes(r) ? -1 : 1)
                #expect(keys == names.signum(), "\(left) and \(right)")
            }
        }
    }

    @Test("every key leads back to its id", arguments: interesting)
    func roundTrip(id: String) {
        let key = DocumentIDEncoding.encode(id)
        let decoded = key.withUnsafeBytes { DocumentIDEncoding.decode($0) }
        #expect(decoded.map { [UInt8]($0.utf8) } == [UInt8](id.utf8))
        #expect(key.lexicographicallyPrecedes(DocumentIDEncoding.end))
    }

    @Test("bytes that cannot be a key are not an id", arguments: [[], [2], [1], [1, 0, 0], [0], [9, 65], [2, 0xC3], [0xFF]])
    func damage(key: [UInt8]) {
        #expect(key.withUnsafeBytes { DocumentIDEncoding.decode($0) } == nil)
    }

    static func randomID(_ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return "__id\(Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator))__"
        case 1: return AutoID.make(using: &generator)
        default:
            let alphabet: [Unicode.Scalar] = ["_", "i", "d", "1", "é", "\u{0}", "😀", "-"]
            var id = ""
            for _ in 0...Int.random(in: 0..<8, using: &generator) {
                id.unicodeScalars.append(alphabet.randomElement(using: &generator) ?? "x")
            }
            return id
        }
    }
}
