import FirestoreCore

/// A place between keys: in front of all that begin with some bytes, or behind all of them.
struct KeyCut: Hashable, Sendable {
    var bytes: [UInt8]
    var isAfter: Bool

    static func before(_ bytes: [UInt8]) -> KeyCut { KeyCut(bytes: bytes, isAfter: false) }
    static func after(_ bytes: [UInt8]) -> KeyCut { KeyCut(bytes: bytes, isAfter: true) }

    /// The first key behind the cut, whether it exists or not; nil behind all keys.
    var bound: [UInt8]? { isAfter ? Self.successor(of: bytes) : bytes }

    /// The same place once all bits are flipped.
    var flipped: KeyCut { KeyCut(bytes: bytes.map { ~$0 }, isAfter: !isAfter) }

    func prefixed(by prefix: [UInt8]) -> KeyCut { KeyCut(bytes: prefix + bytes, isAfter: isAfter) }

    /// The least key greater than all that begin with `prefix`; nil if there is none.
    static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var result = Array(prefix[...last])
        result[last] += 1
        return result
    }
}

extension KeyCut: Comparable {
    static func < (left: KeyCut, right: KeyCut) -> Bool {
        switch (left.bound, right.bound) {
        case (let left?, let right?): left.lexicographicallyPrecedes(right)
        case (.some, nil): true
        case (nil, _): false
        }
    }
}
