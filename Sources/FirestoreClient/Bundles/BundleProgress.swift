// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The progress of loading a bundle.
package struct BundleProgress: Sendable, Equatable {
    package enum State: Sendable { case failed, inProgress, succeeded }

    package var documentsLoaded = 0
    package var totalDocuments = 0
    package var bytesLoaded = 0
    package var totalBytes = 0
    package var state = State.inProgress

    package init() {}

    init(_ metadata: BundleMetadata) {
        totalDocuments = metadata.totalDocuments
        totalBytes = metadata.totalBytes
    }

    /// All of the bundle is stored.
    var success: BundleProgress {
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

/// The source of a bundle, read piece by piece.
package protocol BundleSource: Sendable {
    /// The next bytes; nil at the end.
    func next() async throws(FirestoreError) -> [UInt8]?
}
