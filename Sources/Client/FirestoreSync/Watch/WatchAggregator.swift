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
    private let database: DatabaseID
    private unowned let knowledge: any TargetKnowledge
    private var targets: [TargetID: TargetProgress] = [:]
    private var documents: [DocumentKey: RemoteDocument] = [:]
    /// The order in which they arrived.
    private var arrivals: [DocumentKey] = []
    /// The targets that each document was reported for.
    private var reporters: [DocumentKey: Set<TargetID>] = [:]
    /// The targets that the state of each document was reported for.
    private var staters: [DocumentKey: Set<TargetID>] = [:]
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
    mutating func requested(_ id: TargetID) { targets[id, default: TargetProgress()].requested() }

    /// The server has given up a target.
    mutating func removeTarget(_ id: TargetID) { targets[id] = nil }

    /// The server has given up a target for a reason. Returns whether that concerns an earlier use of the id.
    mutating func endsEarlierUse(_ id: TargetID) -> Bool { targets[id]?.endsEarlierUse() == true }

    /// The target, if messages concern its present use.
    private func active(_ id: TargetID) -> TargetData? { targets[id]?.isAnswered == false ? nil : knowledge.wantedTarget(id) }

    // MARK: Frames

    /// A document in a new state: it now matches some targets, and no longer others.
    mutating func changed(_ document: Document, matching: [TargetID], notMatching: [TargetID]) {
        let remote = RemoteDocument(document)
        for id in matching where active(id) != nil {
            targets[id, default: TargetProgress()].matched(document.key, isKnown: knowledge.isKnown(document.key, in: id))
            note(remote, for: id)
        }
        for id in notMatching { remove(document.key, from: id, as: remote) }
    }

    /// A document was deleted.
    mutating func deleted(_ key: DocumentKey, at version: DocumentVersion, notMatching: [TargetID]) {
        for id in notMatching { remove(key, from: id, as: RemoteDocument(missing: key, at: version)) }
    }

    /// A document no longer matches; its state is not reported.
    mutating func removed(_ key: DocumentKey, notMatching: [TargetID]) {
        for id in notMatching { remove(key, from: id, as: nil) }
    }

    private mutating func remove(_ key: DocumentKey, from id: TargetID, as document: RemoteDocument?) {
        guard active(id) != nil else { return }
        targets[id, default: TargetProgress()].left(key, isKnown: knowledge.isKnown(key, in: id))
        reporters[key, default: []].insert(id)
        if let document { note(document, for: id) }
    }

    private mutating func note(_ document: RemoteDocument, for id: TargetID) {
        if documents.updateValue(document, forKey: document.key) == nil { arrivals.append(document.key) }
        reporters[document.key, default: []].insert(id)
        staters[document.key, default: []].insert(id)
    }

    mutating func changed(_ change: TargetChange) {
        // A change without targets is about all of them; the answers to requests always name theirs.
        let ids = change.targets.isEmpty ? targets.keys.filter { active($0) != nil } : change.targets
        for id in ids {
            var progress = targets[id] ?? TargetProgress()
            // What arrives for a target without listeners is ignored, but for the answers to requests.
            let isWanted = knowledge.wantedTarget(id) != nil
            guard isWanted || !progress.isAnswered || change.kind == .add || change.kind == .remove else { continue }
            switch progress.changed(change) {
            case .ignored, .noted: targets[id] = progress
            case .reset:
                targets[id] = progress
                removeAll(of: id)
            case .removed, .failed: removeTarget(id)
            case .unexpected: noteUnexpectedAnswer(for: id)
            case .dropped:
                noteUnexpectedAnswer(for: id)
                guard isWanted else { continue }
                removeTarget(id)
                dropped.append(id)
            }
        }
    }

    private mutating func noteUnexpectedAnswer(for id: TargetID) {
        anomalies.append("an answer for target \(id), for which no request is outstanding")
    }

    /// Removes the documents of the last snapshot. The server sends again those that still match.
    private mutating func removeAll(of id: TargetID) { for key in knowledge.knownKeys(of: id) { remove(key, from: id, as: nil) } }

    // MARK: Existence filters

    mutating func filtered(_ filter: ExistenceFilter) {
        let id = filter.target
        guard let target = active(id) else { return }
        if case .documents(let keys) = target.target {
            guard keys.count == 1, let key = keys.first else { return }
            // The count of a single document is its existence, as of the snapshot: a later acknowledged write is not undone.
            if filter.count == 0 { remove(key, from: id, as: RemoteDocument(missing: key, at: .none)) }
            if filter.count > 1 { anomalies.append("a count of \(filter.count) for target \(id), which is one document") }
            return
        }
        var progress = targets[id] ?? TargetProgress()
        switch progress.filtered(by: filter, known: knowledge.knownKeys(of: id), in: database) {
        case .agrees: break
        case .removes(let gone):
            targets[id] = progress
            for key in gone { reporters[key, default: []].insert(id) }
        case .mismatches(let usesNames):
            targets[id] = progress
            removeAll(of: id)
            mismatched[id] = usesNames ? .existenceFilterMismatchBloom : .existenceFilterMismatch
        }
    }

    // MARK: The snapshot

    /// Everything collected, as of a version; the collection starts anew.
    mutating func takeEvent(at version: DocumentVersion) -> RemoteEvent {
        var event = RemoteEvent(snapshotVersion: version)
        for (id, progress) in targets {
            guard let target = active(id) else { continue }
            if progress.isCurrent, progress.hasNews, case .documents(let keys) = target.target {
                // A target that is complete without its document says that there is none (SY-95).
                for key in keys where staters[key]?.contains(id) != true && !knowledge.isKnown(key, in: id) {
                    remove(key, from: id, as: RemoteDocument(missing: key, at: version))
                }
            }
            guard let changes = targets[id]?.takeChanges() else { continue }
            event.targetChanges[id] = TargetDelta(progress, changes)
        }
        for (key, ids) in reporters {
            let isLimboOnly = ids.allSatisfy { id in active(id).map { $0.purpose == .limboResolution } ?? true }
            if isLimboOnly { event.resolvedLimboDocuments.insert(key) }
        }
        event.mismatchedTargets = mismatched
        event.documents = arrivals.compactMap { documents[$0]?.dated(version) }
        documents = [:]
        arrivals = []
        reporters = [:]
        staters = [:]
        mismatched = [:]
        return event
    }
}

extension RemoteDocument {
    /// A document that is missing as of no particular version is missing as of the snapshot.
    fileprivate func dated(_ snapshotVersion: DocumentVersion) -> RemoteDocument {
        document == nil && version == .none ? RemoteDocument(missing: key, at: snapshotVersion) : self
    }
}

extension TargetDelta {
    fileprivate init(_ progress: TargetProgress, _ changes: [DocumentKey: TargetProgress.Change]) {
        self.init(resumeToken: progress.token, isCurrent: progress.isCurrent)
        for (key, change) in changes {
            switch change {
            case .added: added.insert(key)
            case .modified: modified.insert(key)
            case .removed: removed.insert(key)
            }
        }
    }
}
