// SPDX-License-Identifier: Apache-2.0

/// A set of document keys of which changed copies are cheap.
///
/// Consecutive snapshots share most of their keys, however many there are: a changed copy costs one part of many.
package struct KeySet: Sendable {
    private static let fewest = 64
    private static let partCount = 256

    /// One part while there are few keys.
    private var parts: [Set<DocumentKey>] = [[]]
    package private(set) var count = 0

    package init() {}

    package init(_ keys: some Sequence<DocumentKey>) {
        for key in keys { insert(key) }
    }

    package var isEmpty: Bool { count == 0 }

    private func part(of key: DocumentKey) -> Int {
        guard parts.count > 1 else { return 0 }
        var hasher = Hasher()
        hasher.combine(key)
        // The upper bits: the part itself uses the lower ones.
        return Int(truncatingIfNeeded: UInt(bitPattern: hasher.finalize()) >> (UInt.bitWidth - 8)) % Self.partCount
    }

    package func contains(_ key: DocumentKey) -> Bool { count > 0 && parts[part(of: key)].contains(key) }

    package mutating func insert(_ key: DocumentKey) {
        if count == Self.fewest, parts.count == 1 { divide() }
        if parts[part(of: key)].insert(key).inserted { count += 1 }
    }

    package mutating func remove(_ key: DocumentKey) {
        guard contains(key) else { return }
        parts[part(of: key)].remove(key)
        count -= 1
        if count == 0 { parts = [[]] }
    }

    package mutating func formUnion(_ others: some Sequence<DocumentKey>) {
        for key in others { insert(key) }
    }

    private mutating func divide() {
        let keys = parts[0]
        parts = Array(repeating: [], count: Self.partCount)
        for key in keys { parts[part(of: key)].insert(key) }
    }
}

extension KeySet: Sequence {
    package func makeIterator() -> some IteratorProtocol<DocumentKey> { parts.joined().makeIterator() }
}

extension KeySet: Equatable {
    package static func == (left: KeySet, right: KeySet) -> Bool {
        left.count == right.count && left.allSatisfy(right.contains)
    }
}

extension KeySet: ExpressibleByArrayLiteral {
    package init(arrayLiteral keys: DocumentKey...) { self.init(keys) }
}
