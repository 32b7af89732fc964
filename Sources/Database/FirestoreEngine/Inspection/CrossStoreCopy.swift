// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

/// Copies a database into another store, while others use it: documents with their times, and the configured indexes.
///
/// `copyDocuments` reads everything in pieces, each as of a moment of its own; `follow` reads what has changed since the copy began, and is
/// called until the source no longer changes. A copy that was interrupted is continued by another one. The other database has a history of
/// its own, and no engine may use it before `finish`.
package final class CrossStoreCopy {
    /// The moment up to which `follow` has read, until the copy is finished.
    private static let mark = "copy"
    private static let everything = QueryScope.kindless(under: nil, allDescendants: true)
    private static let pieceCount = 250
    private static let pieceBytes = 1 << 20

    private let source: any DocumentStore
    private let target: any DocumentStore
    private var time: DocumentVersion
    package private(set) var documents = 0

    /// Begins a copy, or continues one. Fails if the target has documents or indexes of another origin.
    package init(from source: any DocumentStore, to target: any DocumentStore) throws(FirestoreError) {
        (self.source, self.target) = (source, target)
        let start = try source.read { $0.readTime }
        let isEmpty = try target.read { (view) throws(FirestoreError) in
            try view.documentCount(in: Self.everything, range: .all, upTo: 1) == 0
        }
        time = try target.write { (transaction) throws(FirestoreError) in
            try Self.checkUnused(transaction)
            if let begun = try transaction.fact(Self.mark).flatMap({ Int64(String(decoding: $0.array, as: UTF8.self)) }) {
                return DocumentVersion(microseconds: begun)
            }
            guard isEmpty else {
                throw FirestoreError(.alreadyExists, "the database exists in the place to copy to; delete it there, or give another place")
            }
            try Self.note(start, transaction)
            return start
        }
    }

    private static func note(_ time: DocumentVersion?, _ transaction: any StoreTransaction) throws(FirestoreError) {
        try transaction.setFact(mark, time.map { ByteSlice(Array("\($0.microseconds)".utf8)) })
    }

    /// Entries of indexes are not copied, so nothing may have asked for one.
    private static func checkUnused(_ transaction: any StoreTransaction) throws(FirestoreError) {
        guard try transaction.catalog().indexes.isEmpty else {
            throw FirestoreError(.failedPrecondition, "the database is used in the place to copy to, where it has indexes already")
        }
    }

    /// Copies every document.
    ///
    /// - Parameter progress: Called now and then with the number of documents.
    package func copyDocuments(_ progress: (Int) -> Void) throws(FirestoreError) {
        var position: DocumentKey?
        repeat {
            let range = KeyRange(lower: position.map { KeyRange.Bound($0, inclusive: false) })
            let (piece, moment) = try source.read { (view) throws(FirestoreError) in
                var piece: [Document] = []
                var bytes = 0
                try view.scan(Self.everything, range: range, descending: false) { scanned in
                    let document = scanned.document()
                    bytes += document.fields.bytes.count
                    piece.append(document)
                    return piece.count < Self.pieceCount && bytes < Self.pieceBytes ? .next : .stop
                }
                return (piece, view.readTime)
            }
            try store(piece.map { ($0.key, $0) }, asOf: moment)
            documents += piece.count
            progress(documents)
            position = piece.last?.key
        } while position != nil
    }

    /// Copies what has changed since the last call. Returns the number of documents.
    package func follow() throws(FirestoreError) -> Int {
        let (since, scope) = (time, Self.everything)
        let (keys, now) = try source.read { (view) throws(FirestoreError) in
            guard try view.logFloor().microseconds <= since.microseconds + 1 else {
                throw FirestoreError(
                    .outOfRange,
                    "the change log no longer reaches back to the beginning of the copy; delete the database in the place to copy to, and "
                        + "begin again")
            }
            var keys: [DocumentKey] = []
            try view.states(at: since, in: scope) { state in
                keys.append(state.key)
                return .next
            }
            return (keys, view.readTime)
        }
        // Later states than that moment do no harm: the next call reads them again.
        for start in stride(from: 0, to: keys.count, by: Self.pieceCount) {
            let piece = Array(keys[start..<min(start + Self.pieceCount, keys.count)])
            let found = try source.read { (view) throws(FirestoreError) in try view.documents(piece) }
            try store(Array(zip(piece, found.documents)), asOf: found.readTime)
        }
        if !keys.isEmpty { _ = try target.write { (transaction) throws(FirestoreError) in try Self.note(now, transaction) } }
        time = now
        return keys.count
    }

    private func store(_ states: [(DocumentKey, Document?)], asOf moment: DocumentVersion) throws(FirestoreError) {
        guard !states.isEmpty else { return }
        _ = try target.write(StoreNeeds(documents: Set(states.map(\.0)))) { (transaction) throws(FirestoreError) in
            try Self.checkUnused(transaction)
            let time = Self.commitTime(in: transaction, atLeast: moment)
            var isChanged = false
            for (key, new) in states {
                let old = try transaction.document(key)
                guard old != new else { continue }
                try transaction.store(CommittedChange(key: key, old: old, new: new), at: time)
                isChanged = true
            }
            if isChanged { try transaction.setLastCommitTime(time) }
        }
    }

    /// Later than everything in the target, and not before the states that are copied.
    private static func commitTime(in transaction: any StoreTransaction, atLeast moment: DocumentVersion) -> DocumentVersion {
        DocumentVersion(microseconds: max(transaction.lastCommitTime.microseconds + 1, moment.microseconds))
    }

    /// From here on engines may use the database; they build its indexes. The log begins now: what it has are the steps of the copy, and
    /// not what the database was like at these times.
    package func finish() throws(FirestoreError) {
        let (catalog, expiry) = try source.read { (view) throws(FirestoreError) in
            (try view.catalog(), try view.fact(StoredPolicies.fact))
        }
        let moment = time
        let end = try target.write { (transaction) throws(FirestoreError) in
            try Self.checkUnused(transaction)
            let end = Self.commitTime(in: transaction, atLeast: moment)
            try transaction.setLastCommitTime(end)
            return end
        }
        let limit = 10_000
        while try target.write({ (transaction) throws(FirestoreError) in try transaction.pruneLog(before: end, limit: limit) }) == limit {}
        _ = try target.write { (transaction) throws(FirestoreError) in
            for index in catalog.indexes where index.isConfigured { try transaction.addIndex(index.definition, isConfigured: true) }
            try transaction.setFact(StoredPolicies.fact, expiry)
            try Self.note(nil, transaction)
        }
    }
}
