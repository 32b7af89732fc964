// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// What an encrypted object begins with: `HRTX`, the format's number, which key and which name it is for, and a checksum of these. With
/// them a wrong key, another object's bytes and damage can be distinguished; a cipher alone only says that something is wrong.
struct SealedHeader: Equatable {
    static let magic = Array("HRTX".utf8)
    static let format: UInt8 = 1
    static let identityBytes = 8
    static let byteCount = 4 + 1 + 2 * identityBytes + 4

    let key: [UInt8]
    let name: [UInt8]

    enum Problem: Error { case notEncrypted, encrypted, damaged, newerFormat(UInt8), otherKey, otherName }

    init(_ key: ArchiveKey, _ name: String) {
        self.key = key.identity
        self.name = key.identity(of: name)
    }

    init(reading object: [UInt8]) throws(Problem) {
        guard object.starts(with: Self.magic) else { throw .notEncrypted }
        guard object.count >= Self.byteCount else { throw .damaged }
        let end = Self.byteCount - 4
        guard Self.checksum(object[..<end]) == Array(object[end..<Self.byteCount]) else { throw .damaged }
        guard object[4] == Self.format else { throw .newerFormat(object[4]) }
        key = Array(object[5..<(5 + Self.identityBytes)])
        name = Array(object[(5 + Self.identityBytes)..<end])
    }

    /// Compares the header with the one of a key and a name.
    func check(_ expected: SealedHeader) throws(Problem) {
        guard key == expected.key else { throw .otherKey }
        guard name == expected.name else { throw .otherName }
    }

    var bytes: [UInt8] {
        let content = Self.magic + [Self.format] + key + name
        return content + Self.checksum(content[...])
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let sum = bytes.withUnsafeBytes { CRC32.castagnoli.checksum($0) }
        return withUnsafeBytes(of: sum.bigEndian) { Array($0) }
    }
}
