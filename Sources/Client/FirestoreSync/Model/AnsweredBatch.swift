// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A batch that the authority has applied, and what it answered.
package struct AnsweredBatch: Sendable {
    package var batch: PendingBatch
    package var commitTime: DocumentVersion
    package var results: [WriteResult]
    /// What resumes the Write stream behind the answer; nil leaves what is stored.
    package var streamToken: ByteSlice?

    package init(_ batch: PendingBatch, at commitTime: DocumentVersion, results: [WriteResult], streamToken: ByteSlice? = nil) {
        self.batch = batch
        self.commitTime = commitTime
        self.results = results
        self.streamToken = streamToken
    }
}
