// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The distinct strings of a field: exactly up to 64, then an estimate.
package struct DistinctTexts: Sendable {
    package static let limit = 64

    package struct Entry: Sendable {
        package var hash: UInt64
        package var count: Int
        /// nil once a string of the field is not a word: the field is not an enumeration then, and its strings are not stored.
        package var text: String?
    }

    /// Sorted by hash when `isMany` is false.
    private var hashes: [UInt64] = []
    private var counts: [Int] = []
    private var texts: [String?] = []
    /// Registers of a HyperLogLog, once there are more than `limit`.
    package private(set) var registers: [UInt8] = []
    private(set) var keepsTexts = true
    /// Where the last string was found: neighbouring documents often have the same.
    private var last = 0

    package init() {}

    package var isMany: Bool { !registers.isEmpty }

    package var entries: [Entry] {
        hashes.indices.map { Entry(hash: hashes[$0], count: counts[$0], text: texts[$0]) }.sorted { $0.hash < $1.hash }
    }

    /// The number of distinct strings; an estimate if there are more than `limit`.
    package var count: Int { isMany ? HyperLogLog.estimate(registers) : hashes.count }

    mutating func add(_ text: UnsafeRawBufferPointer, isWord: Bool) {
        if !isWord { dropTexts() }
        let hash = TextHash.of(text)
        if isMany { return HyperLogLog.add(hash, to: &registers) }
        if last < hashes.count, hashes[last] == hash {
            counts[last] += 1
        } else if let index = hashes.firstIndex(of: hash) {
            counts[index] += 1
            last = index
        } else {
            insert(hash, 1, keepsTexts ? String(decoding: text, as: UTF8.self) : nil)
        }
    }

    private mutating func insert(_ hash: UInt64, _ count: Int, _ text: String?) {
        guard hashes.count < Self.limit else {
            registers = HyperLogLog.empty
            for hash in hashes { HyperLogLog.add(hash, to: &registers) }
            HyperLogLog.add(hash, to: &registers)
            (hashes, counts, texts) = ([], [], [])
            return
        }
        hashes.append(hash)
        counts.append(count)
        texts.append(text)
    }

    private mutating func dropTexts() {
        guard keepsTexts else { return }
        keepsTexts = false
        for index in texts.indices { texts[index] = nil }
    }

    mutating func merge(_ other: DistinctTexts) {
        if !other.keepsTexts { dropTexts() }
        if other.isMany {
            if !isMany {
                registers = HyperLogLog.empty
                for hash in hashes { HyperLogLog.add(hash, to: &registers) }
                (hashes, counts, texts) = ([], [], [])
            }
            HyperLogLog.merge(other.registers, into: &registers)
            return
        }
        for index in other.hashes.indices {
            let hash = other.hashes[index]
            if isMany {
                HyperLogLog.add(hash, to: &registers)
            } else if let own = hashes.firstIndex(of: hash) {
                counts[own] += other.counts[index]
                if keepsTexts, texts[own] == nil { texts[own] = other.texts[index] }
            } else {
                insert(hash, other.counts[index], keepsTexts ? other.texts[index] : nil)
            }
        }
    }

    /// The registers that represent the strings, whatever their number.
    var allRegisters: [UInt8] {
        if isMany { return registers }
        var registers = HyperLogLog.empty
        for hash in hashes { HyperLogLog.add(hash, to: &registers) }
        return registers
    }

    /// From a stored schema that holds the strings themselves.
    init(_ words: [(text: String, count: Int)]) {
        for (text, count) in words {
            var text = text
            let hash = text.withUTF8 { TextHash.of(UnsafeRawBufferPointer($0)) }
            insert(hash, count, text)
        }
    }

    /// From a stored schema that holds their number only.
    init(registers: [UInt8]) {
        self.registers = registers
        keepsTexts = false
    }
}

/// A hash with a fixed seed: the same on every machine.
enum TextHash {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(bytes.count) &* factor
        var index = 0
        while index &+ 8 <= bytes.count {
            hash = (hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))) &* factor
            hash ^= hash >> 29
            index &+= 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index &+= 1
        }
        hash = (hash ^ rest) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}

/// An estimate of how many distinct hashes there are, in a kilobyte: right to about 3 %.
enum HyperLogLog {
    static let empty = [UInt8](repeating: 0, count: 1024)

    static func add(_ hash: UInt64, to registers: inout [UInt8]) {
        let index = Int(hash >> 54)
        let rank = UInt8(truncatingIfNeeded: min((hash << 10 | 0x200).leadingZeroBitCount, 54) + 1)
        if registers[index] < rank { registers[index] = rank }
    }

    static func merge(_ other: [UInt8], into registers: inout [UInt8]) {
        for (index, rank) in other.enumerated() where registers[index] < rank { registers[index] = rank }
    }

    static func estimate(_ registers: [UInt8]) -> Int {
        let size = Double(registers.count)
        var (sum, zeros) = (0.0, 0)
        for rank in registers {
            sum += 1 / Double(UInt64(1) << UInt64(rank))
            if rank == 0 { zeros += 1 }
        }
        let raw = 0.7213 / (1 + 1.079 / size) * size * size / sum
        guard raw <= 2.5 * size, zeros > 0 else { return Int(raw.rounded()) }
        // Few: count the registers that are still empty.
        return Int((size * NaturalLogarithm.of(size / Double(zeros))).rounded())
    }
}

/// The logarithm of a number of at least 1, without a library of mathematics: the same bits on every machine.
enum NaturalLogarithm {
    static func of(_ number: Double) -> Double {
        let exponent = Double(number.exponent)
        let part = (number.significand - 1) / (number.significand + 1)
        var (sum, power) = (0.0, part)
        for odd in stride(from: 1.0, through: 41, by: 2) {
            sum += power / odd
            power *= part * part
        }
        return exponent * 0.6931471805599453 + 2 * sum
    }
}
