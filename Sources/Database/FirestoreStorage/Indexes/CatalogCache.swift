// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The newest catalog read so far, so that a transaction reads the table only when it has changed.
package final class CatalogCache: Sendable {
    private let newest = Mutex<IndexCatalog?>(nil)

    package init() {}

    /// The catalog for a transaction that found `version`; `load` reads it.
    package func catalog(version: Int64, load: () throws(FirestoreError) -> IndexCatalog) throws(FirestoreError) -> IndexCatalog {
        if let known = newest.withLock({ $0 }), known.version == version { return known }
        let loaded = try load()
        remember(loaded)
        return loaded
    }

    /// Call it with committed catalogs only.
    package func remember(_ catalog: IndexCatalog) {
        newest.withLock { newest in
            if newest.map({ $0.version < catalog.version }) ?? true { newest = catalog }
        }
    }
}
