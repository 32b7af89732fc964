// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Which documents existed at an earlier moment, for those where that may differ from now; empty for the present.
package struct EarlierNames: Sendable {
    private var wasThere: [DocumentKey: Bool] = [:]
    /// The documents that existed, in byte order.
    private var paths: [String] = []

    package init() {}

    /// Reads the changes below a document, or anywhere, since a moment.
    package init(at time: DocumentVersion, below parent: DocumentKey?, in snapshot: some StoreSnapshot) throws(FirestoreError) {
        var wasThere: [DocumentKey: Bool] = [:]
        try snapshot.states(at: time, in: .kindless(under: parent, allDescendants: true)) { state in
            wasThere[state.key] = state.document != nil
            return .next
        }
        self.wasThere = wasThere
        paths = wasThere.compactMap { $0.value ? $0.key.path : nil }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// nil if unchanged since.
    func wasThere(_ key: DocumentKey) -> Bool? { wasThere.isEmpty ? nil : wasThere[key] }

    /// Whether a document existed whose path begins with the prefix.
    func hasAny(below prefix: [UInt8]) -> Bool {
        var (low, high) = (0, paths.count)
        while low < high {
            let middle = (low + high) / 2
            if paths[middle].utf8.lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
        }
        return low < paths.count && paths[low].utf8.starts(with: prefix)
    }

    /// The ids of documents that existed in a collection, as keys of rows and in their order.
    func ids(in collection: CollectionPath, after: [UInt8]) -> [[UInt8]] {
        wasThere.compactMap { key, wasThere in
            guard wasThere, key.collection == collection else { return nil }
            let id = key.encodedID.array
            return after.lexicographicallyPrecedes(id) ? id : nil
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
