package import FirestoreCore

/// What a transaction has read and wants to write, and what that means for its commit (semantics 5.2).
///
/// No server transaction is opened: reads remember versions, writes carry them as preconditions.
package struct TransactionState: Sendable {
    /// The version each document was read at; `.none` for a missing one (TX-16).
    private var readVersions: [DocumentKey: DocumentVersion] = [:]
    private var readOrder: [DocumentKey] = []
    private var writes: [Write] = []
    private var written: Set<DocumentKey> = []
    /// Why the commit cannot succeed; known before it is tried.
    private var permanentFailure: FirestoreError?

    package init() {}

    /// Throws if a write came before (TX-12).
    package mutating func checkMayRead(_ key: DocumentKey) throws(FirestoreError) {
        guard writes.isEmpty, permanentFailure == nil else {
            let error = FirestoreError.invalidArgument(
                "a transaction makes all its reads before its first write", at: key.path)
            permanentFailure = permanentFailure ?? error
            throw error
        }
    }

    /// Remembers what was read. The same document with another version is a conflict (TX-16).
    package mutating func read(_ key: DocumentKey, _ document: Document?) throws(FirestoreError) {
        let version = document?.updateTime ?? .none
        guard let known = readVersions[key] else {
            readVersions[key] = version
            readOrder.append(key)
            return
        }
        guard known == version else {
            throw FirestoreError(.aborted, "the document changed between two reads of a transaction", at: key.path)
        }
    }

    /// Adds a write; its own precondition is `.exists(true)` for updates, else nil (TX-13, TX-14).
    package mutating func write(_ write: Write) {
        var write = write
        let isUpdate = write.precondition != nil
        if !written.contains(write.key), let version = readVersions[write.key] {
            if version != .none {
                write.precondition = .updateTime(version)
            } else if isUpdate {
                fail(.invalidArgument("a document that was read as missing cannot be updated", at: write.key.path))
            } else {
                write.precondition = .exists(false)
            }
        }
        written.insert(write.key)
        writes.append(write)
    }

    /// Makes the commit fail with an error, unless it fails with an earlier one.
    package mutating func fail(_ error: FirestoreError) { permanentFailure = permanentFailure ?? error }

    /// All writes, and a check for every document that was only read (TX-15).
    package func commit() throws(FirestoreError) -> [Write] {
        if let permanentFailure { throw permanentFailure }
        let checks = readOrder.filter { !written.contains($0) }.map { key in
            let version = readVersions[key] ?? .none
            return Write(
                key: key, operation: .verify,
                precondition: version == .none ? .exists(false) : .updateTime(version))
        }
        return writes + checks
    }
}
