// SPDX-License-Identifier: Apache-2.0

/// FNV-1a over 64 bits: distinguishes this server's tokens from mistakes. It is not secret, so the content of a token is checked, too.
struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Includes the length, so that adjacent texts are separated.
    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        add(text.utf8)
    }

    mutating func add(_ number: UInt64) { withUnsafeBytes(of: number.bigEndian) { add($0) } }
}

extension [UInt8] {
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Eight bytes at an index that must be valid.
    func number(at index: Int) -> UInt64 { self[index..<index + 8].reduce(0) { $0 << 8 | UInt64($1) } }
}
