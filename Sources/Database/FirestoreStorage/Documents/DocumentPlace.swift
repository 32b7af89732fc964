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
        var iterator = FieldsView(fields).makeIterator()
        while iterator.next() != nil {}
        return !iterator.isDamaged
    }
}
