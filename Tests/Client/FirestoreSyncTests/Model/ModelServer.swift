// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreWire
import TestSupport

/// The authority of a history: all versions of all documents in a list, and the two protocols over it, as simply as possible.
final class ModelServer {
    struct LogEntry {
        let version: Int64
        let key: DocumentKey
        let document: Document?
    }

    struct Answer {
        let batch: [UInt8]
        /// The failure, or when it was committed.
        let outcome: Result<CommitResponse, FirestoreError>
    }

    let authority: ModelSetup.Authority
    private(set) var documents: [DocumentKey: Document] = [:]
    private(set) var log: [LogEntry] = []
    private(set) var now: Int64 = 2_000_000_000_000_000
    var refusesLookups = false
    /// The answers of Write streams that can be resumed, the first batch first.
    var answers: [String: [Answer]] = [:]
    /// What no client may do.
    var violations: [String] = []

    init(_ authority: ModelSetup.Authority) { self.authority = authority }

    // MARK: Writes

    /// Commits all or nothing. Documents with a field `bad` are refused.
    func commit(_ writes: [Write]) throws(FirestoreError) -> CommitResponse {
        let version = now + 1_000
        let times = CommitTimes(commitTime: DocumentVersion(microseconds: version))
        var changed: [DocumentKey: Document?] = [:]
        var results: [WriteResult] = []
        for write in writes {
            let before = changed[write.key] ?? documents[write.key]
            let applied = try WriteApplication.apply(write, to: before, at: times, in: ModelWorld.database)
            if let fields = try applied.document?.fields.map, fields["bad"] != nil {
                throw FirestoreError(.permissionDenied, "the document is bad")
            }
            changed[write.key] = .some(applied.document)
            results.append(applied.result)
        }
        now = version
        for (key, document) in changed.sorted(by: { $0.key < $1.key }) where document != documents[key] {
            documents[key] = document
            log.append(LogEntry(version: version, key: key, document: document))
        }
        return CommitResponse(commitTime: times.commitTime, results: results)
    }

    // MARK: Queries

    /// The result of a query over the newest documents, or those of a version.
    func result(of query: StructuredQuery, at version: Int64? = nil) -> [Document] {
        let matcher = QueryMatcher(query, database: ModelWorld.database)
        let ordering = DocumentOrdering(query.effectiveOrders)
        let all = state(at: version).values.filter { matcher.matches($0) }.sorted { ordering.compare($0, $1) < 0 }
        return query.limit.map { Array(all.prefix($0)) } ?? all
    }

    func result(of target: ListenTargetRequest.Target, at version: Int64? = nil) -> [Document] {
        switch target {
        case .documents(let keys):
            let state = state(at: version)
            return keys.compactMap { state[$0] }
        case .query(let query): return result(of: query, at: version)
        }
    }

    /// What a listener shows when nothing is pending.
    func result(of target: ClientTarget) -> [Document] {
        switch target {
        case .document(let key): return documents[key].map { [$0] } ?? []
        case .query(let query):
            let found = result(of: query.serviceQuery)
            return query.limitsToLast ? found.reversed() : found
        }
    }

    private func state(at version: Int64?) -> [DocumentKey: Document] {
        guard let version, version < now else { return documents }
        var state: [DocumentKey: Document] = [:]
        for entry in log where entry.version <= version { state[entry.key] = entry.document }
        return state
    }

    /// The documents that changed after a version and were in the target, whatever its limit, at some time since.
    func touched(_ target: ListenTargetRequest.Target, since version: Int64) -> Set<DocumentKey> {
        let new = log.filter { $0.version > version }
        switch target {
        case .documents(let keys): return Set(new.map(\.key)).intersection(keys)
        case .query(let query):
            let matcher = QueryMatcher(query, database: ModelWorld.database)
            return Set(new.filter { $0.document.map { matcher.matches($0) } ?? false }.map(\.key))
        }
    }

    /// When a document was deleted, or the present if it never was.
    func deletion(of key: DocumentKey) -> DocumentVersion {
        DocumentVersion(microseconds: log.last { $0.key == key }?.version ?? now)
    }
}

extension FieldBytes {
    /// For messages of tests.
    var text: String { (try? map).map { map in map.entries.map { "\($0.name): \($0.value)" }.joined(separator: ", ") } ?? "damaged" }
}
