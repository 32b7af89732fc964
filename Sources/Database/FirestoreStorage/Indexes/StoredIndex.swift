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
    /// Whether documents expire by it. Such an index is not listed unless it is configured, too, and is kept as long as the policy.
    package let isForExpiry: Bool

    package init(number: Int64, definition: IndexDefinition, state: State, isConfigured: Bool, isForExpiry: Bool = false) {
        self.number = number
        self.definition = definition
        self.state = state
        self.isConfigured = isConfigured
        self.isForExpiry = isForExpiry
    }

    package var isReady: Bool { state == .ready }

    /// Whether it appears in lists of indexes.
    package var isListed: Bool { isConfigured || !isForExpiry }

    /// Whether it was created for queries alone, and may be dropped when they do not use it.
    package var isAutomatic: Bool { !isConfigured && !isForExpiry }

    /// Whether entries of a document at this place are in the index, or must be.
    package func covers(_ place: DocumentPlace) -> Bool {
        switch state {
        case .ready: true
        case .building(let position): position.map { $0.isAtOrBehind(place) } ?? false
        }
    }

    /// The value of the column `collection` of its entries.
    package func entryCollection(_ collection: Int64) -> Int64 { definition.entryCollection(collection) }
}

extension IndexDefinition {
    /// An index of collection scope has a range per collection; a collection group index has a single range.
    package func entryCollection(_ collection: Int64) -> Int64 { scope == .collection ? collection : 0 }
}

/// How far a build has come: the place of the last document processed.
package struct IndexPosition: Sendable, Equatable {
    package let collection: Int64
    package let id: ByteSlice

    package init(_ place: DocumentPlace) {
        collection = place.collection
        id = place.id
    }

    package init(collection: Int64, id: ByteSlice) {
        self.collection = collection
        self.id = id
    }

    func isAtOrBehind(_ place: DocumentPlace) -> Bool {
        defer { withExtendedLifetime((id, place.id)) {} }
        return place.collection == collection
            ? compareBytes(place.id.buffer, id.buffer) <= 0 : place.collection < collection
    }
}

/// How far a walk over documents came.
package struct BuildStretch: Sendable {
    /// The last document visited; nil if there was none.
    package var last: IndexPosition?
    /// Whether no documents follow.
    package var isAtEnd: Bool

    package init(last: IndexPosition?, isAtEnd: Bool) {
        self.last = last
        self.isAtEnd = isAtEnd
    }
}
