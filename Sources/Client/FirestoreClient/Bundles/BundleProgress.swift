// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension BundleProgress {
    /// The beginning of a bundle.
    init(_ metadata: BundleMetadata) {
        self.init()
        totalDocuments = metadata.totalDocuments
        totalBytes = metadata.totalBytes
    }
}
