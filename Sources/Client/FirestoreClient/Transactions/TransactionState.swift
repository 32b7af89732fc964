// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The reads and writes of a transaction, as far as the client needs them (TX-12 … TX-16).
///
/// The service records the reads and checks at the commit that they are still current.
struct TransactionState: Sendable {
    /// Documents that were read as missing.
    private var missing: Set<DocumentKey> = []
    private var writes: [Write] = []
    private var written: Set<DocumentKey> = []
    private let isReadOnly: Bool
    /// The reason why the commit cannot succeed, known before it is tried.
    private var permanentFailure: FirestoreError?

    init(isReadOnly: Bool = false) { self.isReadOnly = isReadOnly }

    /// Throws after a write (TX-12).
    mutating func checkMayRead(_ place: String) throws(FirestoreError) {
        guard writes.isEmpty, permanentFailure == nil else {
            let error = FirestoreError.invalidArgument(
                "a transaction must make all its reads before its first write", at: place)
            permanentFailure = permanentFailure ?? error
            throw error
        }
    }

    /// Records a read.
    mutating func read(_ key: DocumentKey, _ document: Document?) {
        if document == nil { missing.insert(key) }
    }

    /// Adds a write. Its precondition is `.exists(true)` for updates, otherwise nil. No other one is needed: the reads
    /// are checked together (TX-13, TX-14, TX-15).
    mutating func write(_ write: Write) {
        if isReadOnly {
            fail(.invalidArgument("a read-only transaction cannot write", at: write.key.path))
        } else if write.precondition != nil, missing.contains(write.key), !written.contains(write.key) {
            fail(.invalidArgument("a document that was read as missing cannot be updated", at: write.key.path))
        }
        written.insert(write.key)
        writes.append(write)
    }

    /// Makes the commit fail with an error, unless it fails with an earlier one.
    mutating func fail(_ error: FirestoreError) { permanentFailure = permanentFailure ?? error }

    func commit() throws(FirestoreError) -> [Write] {
        if let permanentFailure { throw permanentFailure }
        return writes
    }
}
