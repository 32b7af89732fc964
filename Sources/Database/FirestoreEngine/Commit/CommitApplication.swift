// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// One commit of a group while it is being decided: the state its conditions see, and the effect of its writes.
///
/// Used by the committer's thread, inside the transaction of the group.
final class CommitApplication: CommitState {
    let writes: [Write]
    let time: DocumentVersion
    let previousTime: DocumentVersion
    private let transaction: any StoreTransaction
    private let database: DatabaseID
    /// The indexes as of the beginning of the group.
    let catalog: IndexCatalog
    private var documents: CommitDocuments
    /// The result of the writes, once they are applied.
    private var outcome: Result<[WriteResult], FirestoreError>?

    init(
        _ writes: [Write], at time: DocumentVersion, after previousTime: DocumentVersion, in transaction: any StoreTransaction,
        database: DatabaseID, catalog: IndexCatalog
    ) {
        self.catalog = catalog
        self.writes = writes
        self.time = time
        self.previousTime = previousTime
        self.transaction = transaction
        self.database = database
        documents = CommitDocuments(transaction)
    }

    // MARK: CommitState

    func before(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        if let known = documents.original(key) { return known }
        return try transaction.document(key)
    }

    func after(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        _ = try apply()
        if let known = documents.current(key) { return known }
        return try transaction.document(key)
    }

    func changes(
        since time: DocumentVersion, in scope: QueryScope, _ body: (EarlierState) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        guard try transaction.logFloor().microseconds <= time.microseconds + 1 else {
            throw FirestoreError(.aborted, "the transaction is older than the change log; run it again from the start")
        }
        try transaction.states(at: time, in: scope, body)
    }

    // MARK: Applying

    /// The bytes of documents that a commit may write once more.
    static let mostRepeatedBytes = 128 << 20

    /// Returns the results of the writes. Nothing is stored yet; the writes are applied once, however often this is called.
    func apply() throws(FirestoreError) -> [WriteResult] {
        if let outcome { return try outcome.get() }
        let outcome = Result { () throws(FirestoreError) in try applyWrites() }
        self.outcome = outcome
        return try outcome.get()
    }

    private func applyWrites() throws(FirestoreError) -> [WriteResult] {
        let times = CommitTimes(commitTime: time)
        var results: [WriteResult] = []
        results.reserveCapacity(writes.count)
        for write in writes {
            let document = try documents.read(write.key)
            // Each write of a document makes all of it anew, and other commits wait.
            guard documents.repeatedBytes <= Self.mostRepeatedBytes else {
                throw .invalidArgument(
                    "the commit changes documents again and again, and would write \(Self.mostRepeatedBytes >> 20) MiB to do so; "
                        + "combine the writes of a document, or split the commit",
                    at: write.key.path)
            }
            let applied = try WriteApplication.apply(write, to: document, at: times, in: database)
            documents.write(applied.document, at: write.key)
            results.append(applied.result)
        }
        if documents.hasRepeated { documents.keepTimesOfUnchanged(in: &results, of: writes) }
        return results
    }

    /// The documents that differ in the end; a write without effect does not affect other parts (WR-22).
    var changes: [CommittedChange] { documents.changes }
}

/// The documents of one commit: later writes see the effects of earlier ones (WR-13); the database does not yet.
private struct CommitDocuments {
    private struct Entry {
        let key: DocumentKey
        let original: Document?
        var current: Document?
    }

    private let transaction: any StoreTransaction
    private var entries: [Entry] = []
    private var indices: [DocumentKey: Int] = [:]

    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    mutating func read(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        if let index = indices[key] {
            hasRepeated = true
            repeatedBytes += entries[index].current?.fields.bytes.count ?? 0
            return entries[index].current
        }
        let document = try transaction.document(key)
        indices[key] = entries.count
        entries.append(Entry(key: key, original: document, current: document))
        return document
    }

    /// Only for keys that have been read.
    mutating func write(_ document: Document?, at key: DocumentKey) {
        if let index = indices[key] { entries[index].current = document }
    }

    /// nil for a document that was not read; an inner nil for a missing one.
    func original(_ key: DocumentKey) -> Document?? { indices[key].map { entries[$0].original } }

    /// The document after the writes so far; nil if it was not read, an inner nil if it does not exist.
    func current(_ key: DocumentKey) -> Document?? { indices[key].map { entries[$0].current } }

    /// Whether a document was written more than once.
    private(set) var hasRepeated = false
    /// The size of the documents that were written more than once, each time.
    private(set) var repeatedBytes = 0

    /// A document that ends in its original state has not changed, whatever happened in between (WR-22), unless it was deleted in
    /// between (WR-17); then all its writes report its old time.
    mutating func keepTimesOfUnchanged(in results: inout [WriteResult], of writes: [Write]) {
        for (index, write) in writes.enumerated() {
            guard let place = indices[write.key], let original = entries[place].original, let current = entries[place].current,
                original.fields == current.fields, original.createTime == current.createTime
            else { continue }
            entries[place].current = original
            if results[index].updateTime != nil { results[index].updateTime = original.updateTime }
        }
    }

    var changes: [CommittedChange] {
        entries.compactMap { entry in
            entry.original == entry.current
                ? nil : CommittedChange(key: entry.key, old: entry.original, new: entry.current)
        }
    }
}
