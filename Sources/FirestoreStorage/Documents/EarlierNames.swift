// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Which documents were there at an earlier moment, as far as that may be different now; empty for the present.
package struct EarlierNames: Sendable {
    private var wasThere: [DocumentKey: Bool] = [:]
    /// Those that were, in byte order.
    private var paths: [String] = []

    package init() {}

    /// What has changed below a document, or anywhere, since a moment.
    package init(at time: DocumentVersion, below parent: DocumentKey?, in snapshot: ReadTransaction) throws(FirestoreError) {
        var wasThere: [DocumentKey: Bool] = [:]
        try snapshot.states(at: time, in: .kindless(under: parent, allDescendants: true)) { state in
            wasThere[state.key] = state.document != nil
            return .next
        }
        self.wasThere = wasThere
        paths = wasThere.compactMap { $0.value ? $0.key.path : nil }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// nil if it is as now.
    func wasThere(_ key: DocumentKey) -> Bool? { wasThere.isEmpty ? nil : wasThere[key] }

    /// Whether a document whose path begins so was there.
    func hasAny(below prefix: [UInt8]) -> Bool {
        var (low, high) = (0, paths.count)
        while low < high {
            let middle = (low + high) / 2
            if paths[middle].utf8.lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
        }
        return low < paths.count && paths[low].utf8.starts(with: prefix)
    }

    /// Ids of those that were in a collection, as keys of rows and in their order.
    func ids(in collection: CollectionPath, after: [UInt8]) -> [[UInt8]] {
        wasThere.compactMap { key, wasThere in
            guard wasThere, key.collection == collection else { return nil }
            let id = key.encodedID.array
            return after.lexicographicallyPrecedes(id) ? id : nil
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
