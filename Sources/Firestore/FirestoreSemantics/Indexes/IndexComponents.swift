// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Splits a key into encoded values, ascending or descending.
struct IndexComponents {
    private let key: UnsafeRawBufferPointer
    private(set) var position: Int

    init(_ key: UnsafeRawBufferPointer, from position: Int = 0) {
        self.key = key
        self.position = position
    }

    /// The bytes of the next value, as they are in the key; nil at the end or if the key is damaged.
    mutating func next(isDescending: Bool) -> Slice<UnsafeRawBufferPointer>? {
        let start = position
        guard skip(mask: isDescending ? 0xFF : 0, depth: 0) else { return nil }
        return key[start..<position]
    }

    private mutating func byte(_ mask: UInt8) -> UInt8? {
        guard position < key.count else { return nil }
        defer { position += 1 }
        return key[position] ^ mask
    }

    private mutating func advance(_ count: Int) -> Bool {
        guard key.count - position >= count else { return false }
        position += count
        return true
    }

    private mutating func skip(mask: UInt8, depth: Int) -> Bool {
        guard let tag = byte(mask), let bracket = TypeBracket(rawValue: tag &- 1), depth <= 4 * Limits.nestingLevels + 1
        else { return false }
        switch bracket {
        case .malformed, .null: return true
        case .boolean: return advance(1)
        case .number: return advance(10)
        case .timestamp: return advance(12)
        case .geoPoint: return advance(16)
        case .string, .bytes: return skipText(mask)
        case .reference:
            while let kind = byte(mask) {
                switch kind {
                case IndexValueEncoding.end: return true
                case IndexValueEncoding.numericSegment: guard advance(8) else { return false }
                default: guard skipText(mask) else { return false }
                }
            }
            return false
        case .vector: return advance(4) && skipElements(mask, depth)
        case .array: return skipElements(mask, depth)
        case .map:
            while let kind = byte(mask) {
                if kind == IndexValueEncoding.end { return true }
                guard skipText(mask), skip(mask: mask, depth: depth + 1) else { return false }
            }
            return false
        }
    }

    private mutating func skipElements(_ mask: UInt8, _ depth: Int) -> Bool {
        while position < key.count {
            if key[position] ^ mask == IndexValueEncoding.end { return advance(1) }
            guard skip(mask: mask, depth: depth + 1) else { return false }
        }
        return false
    }

    private mutating func skipText(_ mask: UInt8) -> Bool {
        while let byte = byte(mask) {
            if byte == 0, self.byte(mask) != IndexValueEncoding.escape { return true }
        }
        return false
    }
}
