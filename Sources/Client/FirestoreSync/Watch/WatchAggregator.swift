// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// What the aggregator asks about targets.
protocol TargetKnowledge: AnyObject {
    /// The target as it is wanted now; nil if nothing listens to it any more.
    func wantedTarget(_ id: TargetID) -> TargetData?
    /// The documents that the views knew to be in a target at the last raised snapshot.
    func knownKeys(of id: TargetID) -> Set<DocumentKey>
    func isKnown(_ key: DocumentKey, in id: TargetID) -> Bool
    func knownCount(of id: TargetID) -> Int
}

/// Collects what the authority reports between two global snapshots (SY-93, SY-95, SY-105, SY-106).
///
/// One lives as long as one Listen stream. Broken servers do not break it: a frame that makes no sense is ignored, and
/// reported through `anomaly`.
struct WatchAggregator {
    private enum DocumentChange { case added, modified, removed }

    private struct TargetState {
        /// Requests for the target that the server has not answered.
        var outstanding = 0
        var changes: [DocumentKey: DocumentChange] = [:]
        var resumeToken = ByteSlice.empty
        var isCurrent = false
        /// Initially true, so that the first snapshot tells of the target at all.
        var hasNews = true

        mutating func note(token: ByteSlice) {
            guard !token.isEmpty else { return }
            resumeToken = token
            hasNews = true
        }

        var delta: TargetDelta {
            var delta = TargetDelta(resumeToken: resumeToken, isCurrent: isCurrent)
            for (key, change) in changes {
                switch change {
                case .added: delta.added.insert(key)
                case .modified: delta.modified.insert(key)
                case .removed: delta.removed.insert(key)
                }
            }
            return delta
        }
    }

    private let database: DatabaseID
    private unowned let knowledge: any TargetKnowledge
    private var targets: [TargetID: TargetState] = [:]
    private var documents: [DocumentKey: RemoteDocument] = [:]
    /// The order in which they arrived.
    private var arrivals: [DocumentKey] = []
    /// The targets that each document was reported for.
    private var reporters: [DocumentKey: Set<TargetID>] = [:]
    /// The targets that the state of each document was reported for.
    private var tellers: [DocumentKey: Set<TargetID>] = [:]
    private var mismatched: [TargetID: TargetPurpose] = [:]
    /// What the server said that makes no sense, since it was last taken.
    private(set) var anomalies: [String] = []
    /// Targets that the server has given up, although they are wanted and it did not say why.
    private var dropped: [TargetID] = []

    init(database: DatabaseID, knowledge: any TargetKnowledge) {
        self.database = database
        self.knowledge = knowledge
    }

    mutating func takeAnomalies() -> [String] {
        defer { anomalies = [] }
        return anomalies
    }

    mutating func takeDropped() -> [TargetID] {
        defer { dropped = [] }
        return dropped
    }

    // MARK: Requests

    /// A request to add or remove a target was sent; until it is answered, what arrives for the target is old.
    mutating func requested(_ id: TargetID) { targets[id, default: TargetState()].outstanding += 1 }

    /// The server has given up a target.
    mutating func removeTarget(_ id: TargetID) { targets[id] = nil }

    /// The server has given up a target for a reason. Returns whether that is about an earlier use: the target was withdrawn and requested
    /// again since, and the server has answered neither.
    mutating func endsEarlierUse(_ id: TargetID) -> Bool {
        guard let outstanding = targets[id]?.outstanding, outstanding > 1 else { return false }
        targets[id]?.outstanding = outstanding - 1
        return true
    }

    /// The target, if what arrives for it counts.
    private func active(_ id: TargetID) -> TargetData? {
        if let state = targets[id], state.outstanding > 0 { return nil }
        return knowledge.wantedTarget(id)
    }

    // MARK: Frames

    /// A document in a new state: it now matches some targets, and no longer others.
    mutating func changed(_ document: Document, matching: [TargetID], notMatching: [TargetID]) {
        let remote = RemoteDocument(document)
        for id in matching where active(id) != nil {
            let isKnown = knowledge.isKnown(document.key, in: id)
            targets[id, default: TargetState()].changes[document.key] = isKnown ? .modified : .added
            targets[id, default: TargetState()].hasNews = true
            note(remote, for: id)
        }
        for id in notMatching { remove(document.key, from: id, as: remote) }
    }

    /// A document was deleted.
    mutating func deleted(_ key: DocumentKey, at version: DocumentVersion, notMatching: [TargetID]) {
        for id in notMatching { remove(key, from: id, as: RemoteDocument(missing: key, at: version)) }
    }

    /// A document no longer matches; its state is not told.
    mutating func removed(_ key: DocumentKey, notMatching: [TargetID]) {
        for id in notMatching { remove(key, from: id, as: nil) }
    }

    private mutating func remove(_ key: DocumentKey, from id: TargetID, as document: RemoteDocument?) {
        guard active(id) != nil else { return }
        let isKnown = knowledge.isKnown(key, in: id)
        targets[id, default: TargetState()].hasNews = true
        targets[id]?.changes[key] = isKnown ? .removed : nil
        reporters[key, default: []].insert(id)
        if let document { note(document, for: id) }
    }

    private mutating func note(_ document: RemoteDocument, for id: TargetID) {
        if documents.updateValue(document, forKey: document.key) == nil { arrivals.append(document.key) }
        reporters[document.key, default: []].insert(id)
        tellers[document.key, default: []].insert(id)
    }

    mutating func changed(_ change: TargetChange) {
        // A change without targets is about all of them; the answers to requests always name theirs.
        let ids = change.targets.isEmpty ? targets.keys.filter { active($0) != nil } : change.targets
        for id in ids {
            switch change.kind {
            case .noChange:
                guard active(id) != nil else { continue }
                targets[id, default: TargetState()].note(token: change.resumeToken)
            case .add:
                guard answered(id), targets[id]?.outstanding == 0 else { continue }
                // Changes before the answer belonged to an earlier use of the id.
                targets[id]?.changes = [:]
                targets[id]?.hasNews = false
                targets[id]?.note(token: change.resumeToken)
            case .remove:
                if answered(id) {
                    if targets[id]?.outstanding == 0 { removeTarget(id) }
                } else if knowledge.wantedTarget(id) != nil {
                    removeTarget(id)
                    dropped.append(id)
                }
            case .current:
                guard active(id) != nil else { continue }
                targets[id, default: TargetState()].isCurrent = true
                targets[id]?.hasNews = true
                targets[id]?.note(token: change.resumeToken)
            case .reset:
                guard active(id) != nil else { continue }
                reset(id)
                targets[id]?.note(token: change.resumeToken)
            }
        }
    }

    /// Returns whether a request was outstanding.
    private mutating func answered(_ id: TargetID) -> Bool {
        guard let outstanding = targets[id]?.outstanding, outstanding > 0 else {
            anomalies.append("an answer for target \(id), for which no request is outstanding")
            return false
        }
        targets[id]?.outstanding = outstanding - 1
        return true
    }

    /// Everything known of the target is void; it is told again.
    private mutating func reset(_ id: TargetID) {
        targets[id] = TargetState()
        for key in knowledge.knownKeys(of: id) { remove(key, from: id, as: nil) }
    }

    // MARK: Existence filters

    mutating func filtered(_ filter: ExistenceFilter) {
        let id = filter.target
        guard let target = active(id) else { return }
        if case .documents(let keys) = target.target {
            guard keys.count == 1, let key = keys.first else { return }
            // The count of a single document is its existence.
            if filter.count == 0 { remove(key, from: id, as: RemoteDocument(missing: key, at: .none)) }
            if filter.count > 1 { anomalies.append("a count of \(filter.count) for target \(id), which is one document") }
            return
        }
        let count = currentCount(of: id)
        guard count != filter.count else { return }
        var purpose = TargetPurpose.existenceFilterMismatch
        // A filter without bits is how a server says that it has none.
        if let names = filter.names, names.isValid, !names.bits.isEmpty {
            purpose = .existenceFilterMismatchBloom
            let absent = knowledge.knownKeys(of: id).subtracting(names.filter(knowledge.knownKeys(of: id), in: database))
            for key in absent { remove(key, from: id, as: nil) }
            if count - absent.count == filter.count { return }
        }
        reset(id)
        mismatched[id] = purpose
    }

    private func currentCount(of id: TargetID) -> Int {
        let changes = targets[id]?.changes.values.reduce(into: 0) { count, change in
            switch change {
            case .added: count += 1
            case .removed: count -= 1
            case .modified: break
            }
        }
        return knowledge.knownCount(of: id) + (changes ?? 0)
    }

    // MARK: The snapshot

    /// Everything collected, as of a version; the collection starts anew.
    mutating func takeEvent(at version: DocumentVersion) -> RemoteEvent {
        var event = RemoteEvent(snapshotVersion: version)
        for (id, state) in targets {
            guard let target = active(id) else { continue }
            if state.isCurrent, state.hasNews, case .documents(let keys) = target.target {
                // A target that is complete without its document says that there is none (SY-95).
                for key in keys where tellers[key]?.contains(id) != true && !knowledge.isKnown(key, in: id) {
                    remove(key, from: id, as: RemoteDocument(missing: key, at: version))
                }
            }
            guard let state = targets[id], state.hasNews else { continue }
            event.targetChanges[id] = state.delta
            targets[id]?.hasNews = false
            targets[id]?.changes = [:]
        }
        for (key, ids) in reporters {
            let isLimboOnly = ids.allSatisfy { id in active(id).map { $0.purpose == .limboResolution } ?? true }
            if isLimboOnly { event.resolvedLimboDocuments.insert(key) }
        }
        event.mismatchedTargets = mismatched
        event.documents = arrivals.compactMap { documents[$0] }
        documents = [:]
        arrivals = []
        reporters = [:]
        tellers = [:]
        mismatched = [:]
        return event
    }
}
