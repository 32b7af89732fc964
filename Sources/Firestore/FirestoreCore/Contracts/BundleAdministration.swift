// SPDX-License-Identifier: Apache-2.0

/// Loads bundles: into the documents of the embedded database, or into the cache of a server's (LO-12).
package protocol BundleAdministration: Sendable {
    /// Stores the documents and queries of a bundle. `report` is called after every part, but not at the end.
    func loadBundle(
        _ source: any BundleSource, in database: DatabaseID, report: @escaping @Sendable (BundleProgress) -> Void
    ) async throws(FirestoreError) -> BundleProgress

    /// A named query of a loaded bundle; nil if no bundle has a query of that name.
    func query(named name: String, in database: DatabaseID) async throws(FirestoreError) -> ClientQuery?
}

/// The source of a bundle, read piece by piece.
package protocol BundleSource: Sendable {
    /// The next bytes; nil at the end.
    func next() async throws(FirestoreError) -> [UInt8]?
}

/// The progress of loading a bundle.
package struct BundleProgress: Sendable, Equatable {
    package enum State: Sendable { case failed, inProgress, succeeded }

    package var documentsLoaded = 0
    package var totalDocuments = 0
    package var bytesLoaded = 0
    package var totalBytes = 0
    package var state = State.inProgress

    package init() {}

    /// All of the bundle is stored.
    package var success: BundleProgress {
        var progress = self
        progress.documentsLoaded = totalDocuments
        progress.bytesLoaded = totalBytes
        progress.state = .succeeded
        return progress
    }

    package var failure: BundleProgress {
        var progress = self
        progress.state = .failed
        return progress
    }
}
