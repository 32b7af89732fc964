// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

extension BloomFilter {
    /// A filter that contains these documents (LS-28: all that match, including changed ones).
    package init(_ keys: some Collection<DocumentKey>, in database: DatabaseID) {
        guard !keys.isEmpty else {
            self.init(bits: [], padding: 0, hashCount: 0)
            return
        }
        let bitCount = Self.bitCount(keys.count)
        let bytes = (bitCount + 7) / 8
        self.init(
            bits: [UInt8](repeating: 0, count: bytes), padding: bytes * 8 - bitCount, hashCount: Self.hashCount(keys.count))
        var hasher = NameHasher(database)
        let hashCount = UInt64(self.hashCount)
        bits.withUnsafeMutableBufferPointer { bits in
            for key in keys {
                let digest = hasher.hash(key)
                var sum = digest.low
                for _ in 0..<hashCount {
                    let bit = Int(sum % UInt64(bitCount))
                    bits[bit / 8] |= 1 << UInt8(bit % 8)
                    sum &+= digest.high
                }
            }
        }
    }

    /// The recorded filters for one, two and three documents have 25, 61 and 91 bits; 30 per document keep false positives below one
    /// in a million.
    private static func bitCount(_ count: Int) -> Int { count == 1 ? 25 : 30 * count + 1 }

    /// The recorded filters for one, two and three documents have 12, 13 and 14 hashes: the doublings up to 3,000 times their number.
    /// Beyond 21, the best number for 30 bits each, more hashes would increase false positives.
    private static func hashCount(_ count: Int) -> Int {
        let scaled = 3_000 * count
        return min(21, Int.bitWidth - (scaled - 1).leadingZeroBitCount)
    }

    /// More hashes have no benefit, and every lookup computes all of them.
    private static let mostHashes = 100

    /// Whether its parameters are valid (LS-27). The empty filter is valid, and contains nothing.
    package var isValid: Bool {
        guard (0...7).contains(padding), (0...Self.mostHashes).contains(hashCount) else { return false }
        return bits.isEmpty ? padding == 0 : hashCount > 0
    }

    /// False only for documents that are certainly not contained.
    package func mightContain(_ key: DocumentKey, in database: DatabaseID) -> Bool {
        var hasher = NameHasher(database)
        return mightContain(hasher.hash(key))
    }

    /// The keys that the filter may contain.
    package func filter(_ keys: some Sequence<DocumentKey>, in database: DatabaseID) -> [DocumentKey] {
        var hasher = NameHasher(database)
        return keys.filter { mightContain(hasher.hash($0)) }
    }

    private func mightContain(_ digest: MD5.Digest) -> Bool {
        let bitCount = UInt64(max(0, bits.count * 8 - padding))
        guard bitCount > 0, hashCount > 0 else { return false }
        var sum = digest.low
        for _ in 0..<hashCount {
            let bit = Int(sum % bitCount)
            if bits[bit / 8] & 1 << UInt8(bit % 8) == 0 { return false }
            sum &+= digest.high
        }
        return true
    }
}

/// Hashes full resource names, which differ only in their last part.
private struct NameHasher {
    private var name: [UInt8]
    private let prefix: Int

    init(_ database: DatabaseID) {
        name = Array(database.documentsPrefix.utf8)
        prefix = name.count
    }

    mutating func hash(_ key: DocumentKey) -> MD5.Digest {
        name.removeLast(name.count - prefix)
        name.append(contentsOf: key.path.utf8)
        return name.withUnsafeBytes(MD5.hash)
    }
}
