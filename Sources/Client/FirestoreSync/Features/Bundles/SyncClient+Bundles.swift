// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncClient {
    package var bundles: (any BundleAdministration)? { CacheBundles(client: self) }
}

/// Loads bundles into the cache.
private struct CacheBundles: BundleAdministration {
    let client: SyncClient

    func loadBundle(
        _ source: any BundleSource, in database: DatabaseID, report: @escaping @Sendable (BundleProgress) -> Void
    ) async throws(FirestoreError) -> BundleProgress {
        var bundle = CollectedBundle(database: database)
        while let chunk = try await source.next() {
            if let metadata = try bundle.add(chunk) {
                let isLoaded = try await client.onStore { (engine) throws(FirestoreError) in try engine.hasLoaded(metadata) }
                if isLoaded { return bundle.progress.success }
            }
            report(bundle.progress)
        }
        try bundle.finish()
        let complete = bundle
        try await client.onStore { (engine) throws(FirestoreError) in try engine.store(complete) }
        return bundle.progress.success
    }

    func query(named name: String, in database: DatabaseID) async throws(FirestoreError) -> ClientQuery? {
        try await client.onStore { (engine) throws(FirestoreError) in try engine.namedQuery(name) }
    }
}
