// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine

/// What a copy of a database contains.
struct CopyContent: Sendable {
    let digest: DocumentDigest
    let documents: Int
    /// The last commit, and the last one that changed something, as far as the change log of the copy reaches back.
    let last: DocumentVersion
    let lastChange: DocumentVersion?

    /// Reads every document. Not for the cooperative pool.
    init(of file: String, history: UInt64) throws(FirestoreError) {
        var digest = DocumentDigest(history: history)
        var documents = 0
        let times = try DatabaseInspection.documents(ofCopy: file) { document in
            digest.add(document)
            documents += 1
        }
        (self.digest, self.documents, last, lastChange) = (digest, documents, times.last, times.lastChange)
    }
}
