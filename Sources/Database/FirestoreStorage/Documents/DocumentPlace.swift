// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A document's place in the order in which indexes are built: by collection number, then by id.
package struct DocumentPlace {
    package let collection: Int64
    /// The key of the row inside the collection.
    package let id: ByteSlice
    /// The number of its row, where rows have numbers and this one is known.
    package let row: Int64?

    package init(collection: Int64, id: ByteSlice, row: Int64? = nil) {
        self.collection = collection
        self.id = id
        self.row = row
    }
}

extension DocumentKey {
    /// The key of the document's row inside its collection.
    package var encodedID: ByteSlice {
        var path = path
        return path.withUTF8 { utf8 in
            let start = (utf8.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
            var key: [UInt8] = []
            key.reserveCapacity(utf8.count - start + 9)
            DocumentIDEncoding.encode(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: utf8[start...])), into: &key)
            return ByteSlice(key)
        }
    }
}

extension FieldsView {
    /// Whether the top level of stored fields can be read: cheap enough for every read, and sufficient to distinguish damage from a missing
    /// field. Deeper damage is found when the values are read, and by the check of a store.
    package static func isWellFormed(_ fields: UnsafeRawBufferPointer) -> Bool {
        let start = fields.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        var reader = WireReader(position: start, end: start + fields.count)
        while !reader.isAtEnd {
            guard reader.passShortEntry() || reader.entry() != nil else { return false }
        }
        return true
    }
}

extension WireReader {
    /// Passes an entry whose lengths take one or two bytes, with few branches: every document that is read is checked. Returns false, and
    /// passes nothing, if the entry is a longer one or is damaged.
    fileprivate mutating func passShortEntry() -> Bool {
        func byte(_ place: UnsafeRawPointer) -> Int { Int(place.load(as: UInt8.self)) }
        // Tag, length; tag and length of the name; tag and length of the value.
        guard end - position >= 6, byte(position) == WireTag.documentEntry || byte(position) == WireTag.mapEntry else { return false }
        var (name, length) = (position + 2, byte(position + 1))
        if length >= 0x80 {
            guard byte(name) < 0x80 else { return false }
            length = length & 0x7F | byte(name) << 7
            name += 1
        }
        guard length >= 4, length <= end - name, byte(name) == WireTag.entryKey, byte(name + 1) < 0x80 else { return false }
        let next = name + length
        let value = name + 2 + byte(name + 1)
        guard next - value >= 2, byte(value) == WireTag.entryValue else { return false }
        var (content, size) = (value + 2, byte(value + 1))
        if size >= 0x80 {
            guard content < next, byte(content) < 0x80 else { return false }
            size = size & 0x7F | byte(content) << 7
            content += 1
        }
        guard next - content == size else { return false }
        position = next
        return true
    }
}
