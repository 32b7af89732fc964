// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The keys of a document in one index.
///
///     value of the first field · … · value of the last field · name
///
/// Descending columns have all bits flipped. The name is the document's id in an index of one collection, the whole path
/// in one of a collection group.
package struct IndexEntryKeys: Sendable {
    private struct Column: Sendable {
        let path: CompiledPath
        let mode: IndexDefinition.Field.Mode
    }

    private let columns: [Column]
    private let holdsPaths: Bool
    private let isNameDescending: Bool

    package init(_ definition: IndexDefinition) {
        columns = definition.fields.map { Column(path: CompiledPath($0.path), mode: $0.mode) }
        holdsPaths = definition.scope == .collectionGroup
        isNameDescending = definition.nameDirection == .descending
    }

    /// The keys alone.
    package func keys(of key: DocumentKey, fields: FieldsView) -> [[UInt8]] { entries(of: key, fields: fields).keys }

    /// Empty if a field is missing. There is more than one key only for an array field.
    package func entries(of key: DocumentKey, fields: FieldsView) -> IndexEntries {
        var heads: [[UInt8]] = [[]]
        var kinds: Int64 = 0
        for (place, column) in columns.enumerated() {
            guard let value = column.path.value(in: fields) else { return IndexEntries() }
            if column.mode != .arrayContains, let double = value.double { IndexEntries.set(double, at: place, in: &kinds) }
            switch column.mode {
            case .ascending:
                for index in heads.indices { IndexValueEncoding.append(value, to: &heads[index]) }
            case .descending:
                for index in heads.indices {
                    let start = heads[index].count
                    IndexValueEncoding.append(value, to: &heads[index])
                    Self.flip(&heads[index], from: start)
                }
            case .arrayContains:
                guard let elements = value.elements else { return IndexEntries() }
                let encoded = Set(elements.map(IndexValueEncoding.encode))
                heads = heads.flatMap { head in encoded.map { head + $0 } }
            }
        }
        let name = encodedName(key)
        for index in heads.indices { heads[index].append(contentsOf: name) }
        if heads.count > 1 { heads.sort { $0.lexicographicallyPrecedes($1) } }
        return IndexEntries(keys: heads, kinds: kinds)
    }

    private func encodedName(_ key: DocumentKey) -> [UInt8] {
        var bytes = holdsPaths ? IndexName.path(key) : IndexName.id(key)
        if isNameDescending { Self.flip(&bytes, from: 0) }
        return bytes
    }

    static func flip(_ bytes: inout [UInt8], from start: Int) {
        for index in start..<bytes.count { bytes[index] = ~bytes[index] }
    }
}

/// The entries of a document in one index.
///
/// Query-equal numbers have one key: 1 and 1.0, 0.0 and -0.0. The distinction is stored beside the key, so that it takes no part in order
/// and uniqueness: two bits for each column, from the lowest, 0 for an integer, 1 for a double, 2 for -0.0. They are meaningful only
/// where the key has a number, in the first 31 columns; array-contains columns have 0.
package struct IndexEntries: Sendable, Equatable {
    /// Sorted and distinct.
    package var keys: [[UInt8]]
    /// The kinds of numbers, which are equal for all keys.
    package var kinds: Int64

    package static let columnsWithKinds = 31

    /// The bytes of a number in a key, its tag included.
    static let numberLength = 11

    /// What a key says about a number in a column, which is given as it is in the key; nil for another value, or a damaged one.
    static func number(
        _ component: Slice<UnsafeRawBufferPointer>, isDescending: Bool, at place: Int, kinds: Int64
    ) -> IndexedNumber? {
        let bytes = UnsafeRawBufferPointer(rebasing: component)
        let mask: UInt64 = isDescending ? .max : 0
        guard bytes.count == numberLength, bytes[0] ^ UInt8(truncatingIfNeeded: mask) == IndexValueEncoding.tag(.number) else { return nil }
        let bits = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) ^ mask
        let more = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 9, as: UInt16.self)) ^ UInt16(truncatingIfNeeded: mask)
        let double = IndexValueEncoding.double(ordered: bits)
        switch kinds >> (2 * Int64(place)) & 3 {
        case 0: return Int64(exactly: double).map { .integer($0 &+ Int64(more)) }
        case 2: return .double(-0.0)
        default: return .double(double)
        }
    }

    package init(keys: [[UInt8]] = [], kinds: Int64 = 0) {
        self.keys = keys
        self.kinds = kinds
    }

    fileprivate static func set(_ double: Double, at place: Int, in kinds: inout Int64) {
        guard place < columnsWithKinds else { return }
        kinds |= (double == 0 && double.sign == .minus ? 2 : 1) << (2 * Int64(place))
    }
}

/// A number that a key and the kinds beside it determine.
enum IndexedNumber: Equatable {
    case integer(Int64)
    case double(Double)
}

/// The last column of every index key: its byte order is the `__name__` order (VAL-14).
enum IndexName {
    static func id(_ key: DocumentKey) -> [UInt8] {
        var path = key.path
        return path.withUTF8 { utf8 in
            let start = (utf8.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
            var bytes: [UInt8] = []
            bytes.reserveCapacity(utf8.count - start + 3)
            IndexValueEncoding.append(
                segment: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: utf8[start...])), to: &bytes)
            return bytes
        }
    }

    static func path(_ key: DocumentKey) -> [UInt8] {
        var path = key.path
        return path.withUTF8 { utf8 in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(utf8.count + 16)
            IndexValueEncoding.append(path: UnsafeRawBufferPointer(utf8), to: &bytes)
            return bytes
        }
    }
}
