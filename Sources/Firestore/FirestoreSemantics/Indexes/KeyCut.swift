// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A position between keys: before or after all keys with a prefix.
struct KeyCut: Hashable, Sendable {
    var bytes: [UInt8]
    var isAfter: Bool

    static func before(_ bytes: [UInt8]) -> KeyCut { KeyCut(bytes: bytes, isAfter: false) }
    static func after(_ bytes: [UInt8]) -> KeyCut { KeyCut(bytes: bytes, isAfter: true) }

    /// The first key after the cut, whether it exists or not; nil after all keys.
    var bound: [UInt8]? { isAfter ? Self.successor(of: bytes) : bytes }

    /// The position of this cut once all bits are flipped.
    var flipped: KeyCut { KeyCut(bytes: bytes.map { ~$0 }, isAfter: !isAfter) }

    func prefixed(by prefix: [UInt8]) -> KeyCut {
        KeyCut(bytes: bytes.isEmpty ? prefix : prefix.isEmpty ? bytes : prefix + bytes, isAfter: isAfter)
    }

    /// The lowest key greater than all keys with the prefix; nil if there is none.
    static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var result = Array(prefix[...last])
        result[last] += 1
        return result
    }
}

extension KeyCut: Comparable {
    static func < (left: KeyCut, right: KeyCut) -> Bool {
        // The cuts that most intervals have need no keys to be made.
        if right.bytes.isEmpty { return right.isAfter && left.isBeforeSomeKey }
        if left.bytes.isEmpty { return !left.isAfter }
        if !left.isAfter, !right.isAfter { return left.bytes.lexicographicallyPrecedes(right.bytes) }
        return switch (left.bound, right.bound) {
        case (let left?, let right?): left.lexicographicallyPrecedes(right)
        case (.some, nil): true
        case (nil, _): false
        }
    }

    /// Whether `bound` is not nil.
    private var isBeforeSomeKey: Bool { !isAfter || bytes.contains { $0 != 0xFF } }
}
