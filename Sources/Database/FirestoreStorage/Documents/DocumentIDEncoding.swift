// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Document ids as keys whose byte order is the `__name__` order inside one collection (VAL-14).
///
///     __id7__   →  01 80 00 00 00 00 00 00 07    numeric ids first, by number
///     bridge    →  02 b r i d g e                then all others, by UTF-8 bytes
///
/// No key begins with FF, so `FF` orders after all of them, and the empty key before.
package enum DocumentIDEncoding {
    @usableFromInline package static let numericMark: UInt8 = 1
    @usableFromInline package static let textMark: UInt8 = 2
    /// Greater than every encoded id.
    package static let end: [UInt8] = [0xFF]

    package static func encode(_ id: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
        // Numeric ids are rare, and begin with `__id`.
        if id.first == UInt8(ascii: "_"), let number = PathOrdering.numericID(id) {
            bytes.append(numericMark)
            // Flipping the sign bit makes the unsigned byte order the signed order.
            let ordered = UInt64(bitPattern: number) ^ (1 << 63)
            withUnsafeBytes(of: ordered.bigEndian) { bytes.append(contentsOf: $0) }
        } else {
            bytes.append(textMark)
            bytes.append(contentsOf: id)
        }
    }

    package static func encode(_ id: String) -> [UInt8] {
        var id = id
        var bytes: [UInt8] = []
        id.withUTF8 { encode(UnsafeRawBufferPointer($0), into: &bytes) }
        return bytes
    }

    /// Passes the UTF-8 of the id to `body`, in place except for numeric ids; nil if the key is damaged.
    @inlinable package static func withID<R, E: Error>(
        _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R? {
        switch key.first {
        case textMark where key.count > 1:
            return try body(UnsafeRawBufferPointer(rebasing: key.dropFirst()))
        case numericMark where key.count == 9:
            let ordered = UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
            let bytes = [UInt8]("__id\(Int64(bitPattern: ordered ^ (1 << 63)))__".utf8)
            // A pointer inside a closure would lose the typed error, so the copy is borrowed explicitly.
            let slice = ByteSlice(bytes)
            defer { withExtendedLifetime(slice) {} }
            return try body(slice.buffer)
        default: return nil
        }
    }

    /// The id of a key; nil if the key is damaged.
    package static func decode(_ key: UnsafeRawBufferPointer) -> String? {
        let id: String?? = withID(key) { String(validating: $0, as: UTF8.self) }
        return id ?? nil
    }
}
