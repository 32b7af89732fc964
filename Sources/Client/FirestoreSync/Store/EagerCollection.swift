// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// The documents in the views of targets, which no collection removes. In memory: views do not outlive their process.
struct ViewedDocuments {
    private var keys: [TargetID: Set<DocumentKey>] = [:]
    private var counts: [DocumentKey: Int] = [:]

    func contains(_ key: DocumentKey) -> Bool { counts[key] != nil }

    /// Returns those that were not shown by the target before.
    @discardableResult
    mutating func add(_ added: Set<DocumentKey>, to target: TargetID) -> Set<DocumentKey> {
        let new = added.filter { keys[target, default: []].insert($0).inserted }
        for key in new { counts[key, default: 0] += 1 }
        return new
    }

    /// Returns those that were shown by the target before.
    @discardableResult
    mutating func remove(_ removed: Set<DocumentKey>, from target: TargetID) -> Set<DocumentKey> {
        let gone = removed.filter { keys[target]?.remove($0) != nil }
        for key in gone { release(key) }
        return gone
    }

    mutating func remove(_ target: TargetID) -> Set<DocumentKey> {
        let gone = keys.removeValue(forKey: target) ?? []
        for key in gone { release(key) }
        return gone
    }

    private mutating func release(_ key: DocumentKey) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}

/// Documents in no target and no view that eager collection retains until the authority has reported all targets as of their
/// acknowledged versions.
struct UnconfirmedDocuments {
    /// A server may be silent for minutes while many documents are written. Further ones are collected immediately.
    static let maximum = 1_000

    private var keys: Set<DocumentKey> = []

    /// Prepares a transaction that ends with `collectOrphans`, while targets are in use.
    func enter(_ cache: CacheTransaction) { cache.unconfirmedCapacity = Self.maximum - keys.count }

    /// Lets a transaction look at all of them again. `areTargetsActive`: otherwise none is retained.
    func reconsider(in cache: CacheTransaction, areTargetsActive: Bool = true) {
        cache.potentialOrphans.formUnion(keys)
        cache.reconsidersUnconfirmed = true
        cache.unconfirmedCapacity = areTargetsActive ? Self.maximum : 0
    }

    /// The transaction was committed.
    mutating func take(_ cache: CacheTransaction) {
        if cache.reconsidersUnconfirmed { keys = [] }
        keys.formUnion(cache.unconfirmed)
    }
}

extension LocalStore {
    /// Notes the first documents of a view, so that none of them is collected: also those in no target. What enters later is noted with
    /// `noteViewChanges`.
    func noteViewed(_ keys: some Sequence<DocumentKey>, by id: TargetID) { viewed.add(Set(keys), to: id) }
}

extension CacheTransaction {
    /// Removes the documents that lost their last reference in this transaction (SY-150).
    func collectOrphans(_ viewed: ViewedDocuments) throws(FirestoreError) {
        guard isEager, !potentialOrphans.isEmpty else { return }
        for key in potentialOrphans where try !isReferenced(key, viewed) {
            if try isUnconfirmed(key) { unconfirmed.append(key) } else { try removeEntry(key) }
        }
        potentialOrphans = []
    }

    /// Whether an older state of the document may still be reported, which an acknowledged write has replaced: if the cache forgot
    /// the document now, a view would show that state.
    private func isUnconfirmed(_ key: DocumentKey) throws(FirestoreError) -> Bool {
        guard unconfirmed.count < unconfirmedCapacity else { return false }
        let remote = try entry(key).remote
        return remote.isCommitted && remote.version > meta.snapshotVersion
    }

    func isReferenced(_ key: DocumentKey, _ viewed: ViewedDocuments) throws(FirestoreError) -> Bool {
        if viewed.contains(key) { return true }
        if try exists("SELECT 1 FROM target_documents WHERE collection = ?1 AND id = ?2 LIMIT 1", key) { return true }
        return try isPending(key)
    }

    /// Whether a batch of any user writes the document.
    private func isPending(_ key: DocumentKey) throws(FirestoreError) -> Bool {
        guard meta.batchCount > 0 else { return false }
        return try exists("SELECT 1 FROM batch_documents WHERE collection = ?1 AND id = ?2 LIMIT 1", key)
    }

    func removeEntry(_ key: DocumentKey) throws(FirestoreError) {
        try store(CacheEntry(key: key), replacing: try entry(key))
    }
}
