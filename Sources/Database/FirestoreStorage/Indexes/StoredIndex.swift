// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// An index as stored in the table.
package struct StoredIndex: Sendable {
    package enum State: Sendable, Equatable {
        /// Entries of documents up to here exist and are maintained; nil: of none.
        case building(IndexPosition?)
        case ready
    }

    package let number: Int64
    package let definition: IndexDefinition
    package let state: State
    /// Whether it was configured, and not created automatically.
    package let isConfigured: Bool

    package var isReady: Bool { state == .ready }

    /// Whether entries of a document at this place are in the index, or must be.
    package func covers(_ place: DocumentPlace) -> Bool {
        switch state {
        case .ready: true
        case .building(let position): position.map { $0.isAtOrBehind(place) } ?? false
        }
    }

    /// The value of the column `collection` of its entries.
    func entryCollection(_ collection: Int64) -> Int64 { definition.entryCollection(collection) }
}

extension IndexDefinition {
    /// An index of collection scope has a range per collection; a collection group index has a single range.
    func entryCollection(_ collection: Int64) -> Int64 { scope == .collection ? collection : 0 }
}

/// A document's place in the order in which indexes are built: by collection number, then by id.
package struct DocumentPlace {
    package let collection: Int64
    /// The key of the row inside the collection.
    package let id: ByteSlice
    /// Its row, if the document was just inserted.
    var insertedRow: Int64?

    package init(collection: Int64, id: ByteSlice) { self.init(collection: collection, id: id, insertedRow: nil) }

    init(collection: Int64, id: ByteSlice, insertedRow: Int64?) {
        self.collection = collection
        self.id = id
        self.insertedRow = insertedRow
    }
}

/// How far a build has come: the place of the last document processed.
package struct IndexPosition: Sendable, Equatable {
    package let collection: Int64
    package let id: ByteSlice

    package init(_ place: DocumentPlace) {
        collection = place.collection
        id = place.id
    }

    init(collection: Int64, id: ByteSlice) {
        self.collection = collection
        self.id = id
    }

    func isAtOrBehind(_ place: DocumentPlace) -> Bool {
        defer { withExtendedLifetime((id, place.id)) {} }
        return place.collection == collection
            ? compareBytes(place.id.buffer, id.buffer) <= 0 : place.collection < collection
    }
}
