// SPDX-License-Identifier: Apache-2.0

/// The progress of an import or export.
package struct TransferProgress: Sendable, Hashable {
    package var documents: Int
    /// The number of bytes of the file.
    package var bytes: Int64
    /// nil if the total is not known.
    package var totalBytes: Int64?

    package init(documents: Int = 0, bytes: Int64 = 0, totalBytes: Int64? = nil) {
        self.documents = documents
        self.bytes = bytes
        self.totalBytes = totalBytes
    }

    /// The part that is done, 0 to 1.
    package var fraction: Double? {
        guard let totalBytes, totalBytes > 0 else { return nil }
        return min(1, max(0, Double(bytes) / Double(totalBytes)))
    }
}
