// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// One target of a Listen stream, and the state of it that the watcher has received (LS-31 … LS-37).
///
/// Changes are collected until a global snapshot completes them, and then delivered as one batch. Changes lost with a connection were
/// not delivered, so the token of the last delivered snapshot is where to resume.
struct RemoteTarget {
    let target: WatchTarget
    private let wantsKeys: Bool
    /// Where the caller asked to resume; discarded once a first batch is delivered.
    private var resumption: WatchResumption?
    private var progress = TargetProgress()
    /// As of the last delivered batch.
    private var token = ByteSlice.empty
    /// The delivered documents that still match, each with its delivered state…
    private var known: [DocumentKey: DocumentVersion] = [:]
    /// …and whether these are all. Otherwise only the caller knows the rest.
    private var knowsAll: Bool
    private var hasDelivered = false
    /// Whether the next batch starts from nothing.
    private var isReset: Bool
    /// The states of the documents that have changed since the last batch, if they exist.
    private var documents: [DocumentKey: Document] = [:]

    init(_ target: WatchTarget, from resumption: WatchResumption?) {
        self.target = target
        wantsKeys = resumption?.wantsKeys == true
        // A watcher that wants all keys gets all documents.
        let usable = resumption.flatMap { $0.wantsKeys || $0.token == .time(.none) ? nil : $0 }
        self.resumption = usable
        isReset = usable == nil
        knowsAll = usable == nil
    }

    /// The request for the target, from its current position.
    mutating func request(_ id: Int32) -> ListenTargetRequest {
        let wanted: ListenTargetRequest.Target =
            switch target {
            case .document(let key): .documents([key])
            case .query(let query): .query(query)
            }
        progress.requested()
        let start: ListenTargetRequest.Start =
            if !token.isEmpty {
                .resumeToken(token)
            } else if let resumption {
                switch resumption.token {
                case .time(let time): .readTime(time.timestamp)
                case .opaque(let token): .resumeToken(token)
                }
            } else {
                .beginning
            }
        let count = start == .beginning || !knowsAll ? nil : known.count
        return ListenTargetRequest(target: .success(wanted), targetID: id, start: start, expectedCount: count)
    }

    /// The connection is lost, together with incomplete changes (LS-32).
    mutating func disconnected() {
        progress = TargetProgress()
        documents = [:]
        isReset = token.isEmpty && resumption == nil
    }

    // MARK: Messages

    mutating func changed(_ change: TargetChange) -> TargetProgress.Meaning {
        let meaning = progress.changed(change)
        if case .reset = meaning {
            documents = [:]
            isReset = true
        }
        return meaning
    }

    mutating func matched(_ document: Document) {
        guard progress.isAnswered else { return }
        progress.matched(document.key, isKnown: mayBeKnown(document.key))
        documents[document.key] = document
    }

    /// `document`: its current state, if it still exists.
    mutating func left(_ key: DocumentKey, _ document: Document?) {
        guard progress.isAnswered else { return }
        progress.left(key, isKnown: mayBeKnown(key))
        documents[key] = document
    }

    private func mayBeKnown(_ key: DocumentKey) -> Bool { !isReset && (known[key] != nil || !knowsAll) }

    /// Returns false if the target must be removed and requested again: it starts without a token (LS-29).
    mutating func agrees(with filter: ExistenceFilter, in database: DatabaseID) -> Bool {
        let members: Set<DocumentKey>? = isReset ? [] : knowsAll ? Set(known.keys) : nil
        switch progress.filtered(by: filter, known: members, in: database) {
        case .agrees: return true
        case .removes(let gone):
            for key in gone { documents[key] = nil }
            return true
        case .mismatches:
            progress.requested()
            documents = [:]
            (token, resumption) = (.empty, nil)
            isReset = true
            return false
        }
    }

    // MARK: Batches

    /// At a global snapshot: the batch for the watcher; nil if nothing is new, or because it is not complete.
    mutating func batch(at time: DocumentVersion) -> WatchBatch? {
        guard progress.isAnswered, progress.isCurrent else { return nil }
        if !progress.token.isEmpty { token = progress.token }
        defer { documents = [:] }
        if isReset { (known, knowsAll) = ([:], true) }
        var batch = WatchBatch(
            readTime: time, token: token.isEmpty ? nil : .opaque(token), basis: isReset ? .nothing : .known, changes: [])
        for (key, change) in progress.takeChanges() ?? [:] {
            let document = documents[key]
            if change != .removed, let document {
                // A document that left a window and came back while the server merged several commits is delivered again unchanged.
                let before = known.updateValue(document.updateTime, forKey: key)
                if before != document.updateTime { batch.changes.append(.update(document)) }
            } else if known.removeValue(forKey: key) != nil || !knowsAll {
                batch.changes.append(.remove(key))
                if let document { batch.departed.append(document) }
            }
        }
        guard !hasDelivered || isReset || !batch.changes.isEmpty else { return nil }
        if !hasDelivered, wantsKeys { batch.keys = known.keys.sorted() }
        hasDelivered = true
        resumption = nil
        isReset = false
        return batch
    }
}
