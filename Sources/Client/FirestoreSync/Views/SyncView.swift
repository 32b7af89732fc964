// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// The result of one query as its listeners see it: local documents, the authority's key set, and what differs between the two
/// (SY-13, SY-100 … SY-104).
///
/// A step consists of any number of `apply`, and one `finish`, which returns what to deliver. A step costs time in proportion to
/// its changes and to the documents that the authority does not list, whatever the size of the result.
struct SyncView {
    /// What `finish` found.
    struct Step {
        /// nil if listeners would see nothing new.
        var snapshot: SyncSnapshot?
        var addedLimboDocuments: [DocumentKey] = []
        var removedLimboDocuments: [DocumentKey] = []
    }

    private let matcher: QueryMatcher?
    /// The key of a view of one document.
    private let key: DocumentKey?
    let ordering: DocumentOrdering
    private let limit: Int?
    private let limitsToLast: Bool

    private var documents = DocumentList()
    private var byKey: [DocumentKey: LocalDocument] = [:]
    /// The documents whose pending writes the listeners know of (SY-72).
    private(set) var pendingKeys: KeySet = []
    /// What the authority says is in the target.
    private(set) var syncedDocuments: Set<DocumentKey>
    /// The visible documents that are not among `syncedDocuments`.
    private var unlisted: Set<DocumentKey> = []
    /// Documents in limbo: cached matches that neither the server nor a pending write accounts for.
    private var unexplained: Set<DocumentKey> = []
    private(set) var limboDocuments: Set<DocumentKey> = []
    private(set) var isCurrent = false
    /// The versions of acknowledged writes whose documents the authority has not reported yet.
    private var awaited: [DocumentKey: DocumentVersion] = [:]
    /// The version up to which the authority has reported the target.
    private var reportedTo = DocumentVersion.none
    /// Whether no listener wants the authority's result: it does not report the target, so that the acknowledgement of a write is the last
    /// that is received of it.
    private var isCacheOnly = false
    /// nil before the first step.
    private var isSyncedAsDelivered: Bool?
    private var wasUnconfirmed = false

    // The step that is being made.
    private var changes = ChangeSet()
    private var edge: Document??
    private var documentsBefore = DocumentList()
    private var needsRefillInStep = false
    private var isFilledInStep = false

    init(_ target: ClientTarget, database: DatabaseID, syncedDocuments: Set<DocumentKey>) {
        switch target {
        case .document(let key):
            self.key = key
            matcher = nil
            ordering = DocumentOrdering([SortOrder(path: .documentID)])
            limit = nil
            limitsToLast = false
        case .query(let query):
            key = nil
            matcher = QueryMatcher(query.query, database: database)
            ordering = DocumentOrdering(query.query.effectiveOrders)
            limit = query.query.limit
            limitsToLast = query.limitsToLast
        }
        self.syncedDocuments = syncedDocuments
    }

    /// Whether the listeners know that the result is the authority's.
    var isSynced: Bool { isSyncedAsDelivered == true }

    /// Whether documents may be missing from a limited result: run the query again and `apply` its result.
    var needsRefill: Bool { needsRefillInStep }

    var count: Int { documents.count }

    /// Whether it shows a document as an acknowledgement left it, or does not show it because of one, and the authority has not
    /// reported it since: if the cache did not hold the document before, at most the written fields are known.
    private var isUnconfirmed: Bool { awaited.contains { reportedTo < $0.value } }

    // MARK: A step

    /// Takes the first result of the query, in the order of the view. Costs less than `apply` for each document.
    mutating func fill(_ states: [LocalDocument]) {
        begin()
        documents = DocumentList(states.compactMap(\.document))
        for state in states {
            noteAwaited(state)
            guard state.document != nil else { continue }
            byKey[state.key] = state
            if state.hasLocalMutations { pendingKeys.insert(state.key) }
            noteUnlisted(state)
        }
        isFilledInStep = true
        trim()
    }

    /// Takes new states of documents: changed ones, or the result of the query.
    mutating func apply(_ states: some Sequence<LocalDocument>) {
        begin()
        let edge = self.edge ?? nil
        for state in states { apply(state, edge: edge) }
        trim()
    }

    private mutating func begin() {
        guard self.edge == nil else { return }
        documentsBefore = documents
        // Refills are about the window as the listeners know it.
        let isFull = limit.map { documents.count == $0 && $0 > 0 } ?? false
        self.edge = .some(isFull ? (limitsToLast ? documents.first : documents.last) : nil)
    }

    private mutating func apply(_ state: LocalDocument, edge: Document?) {
        let old = byKey[state.key]
        let new = state.document.flatMap { matches($0) ? state : nil }
        noteAwaited(new ?? state)
        switch (old, new) {
        case (nil, nil): return
        case (nil, let new?):
            put(new)
            changes.track(.added, new, before: nil)
            notePending(new, new.hasLocalMutations)
        case (let old?, nil):
            take(old)
            pendingKeys.remove(old.key)
            changes.track(.removed, old, before: old.document)
            if edge != nil { needsRefillInStep = true }
        case (let old?, let new?):
            let wasPending = pendingKeys.contains(old.key)
            let isPending = new.hasLocalMutations || (wasPending && new.hasCommittedMutations && !isCacheOnly)
            if old.document?.fields != new.document?.fields {
                // The authority has computed something: its own report of it follows, and one event is enough (SY-73).
                guard isCacheOnly || !(old.hasLocalMutations && new.hasCommittedMutations) else { return }
                take(old)
                put(new)
                changes.track(.modified, new, before: old.document)
                if let edge, let document = new.document {
                    let order = ordering.compare(document, edge)
                    if limitsToLast ? order < 0 : order > 0 { needsRefillInStep = true }
                }
            } else if wasPending != isPending {
                take(old)
                put(new)
                changes.track(.metadata, new, before: old.document)
            } else {
                return
            }
            notePending(new, isPending)
        }
    }

    /// Of a document that is unknown since its update was acknowledged, the authority may report an older state first.
    private mutating func noteAwaited(_ state: LocalDocument) {
        let isAwaited = state.hasCommittedMutations && (state.document.map(matches) ?? (state.content == .unknown))
        awaited[state.key] = isAwaited ? state.version : nil
    }

    private mutating func notePending(_ document: LocalDocument, _ isPending: Bool) {
        if isPending { pendingKeys.insert(document.key) } else { pendingKeys.remove(document.key) }
    }

    /// Documents beyond the limit leave.
    private mutating func trim() {
        guard let limit else { return }
        while documents.count > limit {
            let document = limitsToLast ? documents[0] : documents[documents.count - 1]
            guard let local = byKey[document.key] else { return }
            take(local)
            pendingKeys.remove(document.key)
            awaited[document.key] = nil
            changes.track(.removed, local, before: local.document)
        }
    }

    /// The query has been run again.
    mutating func refilled(_ documents: some Sequence<LocalDocument>) {
        apply(documents)
        needsRefillInStep = false
    }

    /// Ends the step.
    ///
    /// - Parameters:
    ///   - delta: what the authority reported for the target, if it did.
    ///   - isPendingReset: the target is being asked anew, so its key set means nothing yet.
    ///   - resolvesLimbo: whether documents that the authority does not list are looked up.
    mutating func finish(
        _ delta: TargetDelta?, isPendingReset: Bool = false, resolvesLimbo: Bool = true, readTime: DocumentVersion
    ) -> Step {
        begin()
        if let delta {
            apply(delta)
            reportedTo = max(reportedTo, readTime)
        }
        var step = Step()
        if resolvesLimbo, !isPendingReset { updateLimbo(&step) }
        let isSynced = limboDocuments.isEmpty && isCurrent && !isPendingReset
        let syncStateChanged = isSyncedAsDelivered != isSynced
        isSyncedAsDelivered = isSynced
        let ordering = self.ordering
        let isUnconfirmed = self.isUnconfirmed
        defer { wasUnconfirmed = isUnconfirmed }
        if !changes.isEmpty || syncStateChanged || (wasUnconfirmed && !isUnconfirmed) {
            let sorted =
                isFilledInStep
                ? allAsAdded
                : changes.sorted { left, right in
                    // A change always is of a document that was or is found.
                    guard let left = left.document, let right = right.document else { return 0 }
                    return ordering.compare(left, right)
                }
            step.snapshot = SyncSnapshot(
                documents: documents, changes: sorted, pendingKeys: pendingKeys, isFromCache: !isSynced,
                syncStateChanged: syncStateChanged, hasCachedResults: delta.map { !$0.resumeToken.isEmpty } ?? false,
                readTime: readTime, isUnconfirmed: isUnconfirmed, documentsBefore: documentsBefore)
        }
        changes = ChangeSet()
        edge = nil
        needsRefillInStep = false
        isFilledInStep = false
        documentsBefore = DocumentList()
        return step
    }

    private mutating func apply(_ delta: TargetDelta) {
        for key in delta.added {
            syncedDocuments.insert(key)
            unlisted.remove(key)
            unexplained.remove(key)
        }
        for key in delta.removed {
            syncedDocuments.remove(key)
            if let local = byKey[key] { noteUnlisted(local) }
        }
        isCurrent = delta.isCurrent
    }

    /// Limbo: in the result, not in the authority's key set, and not explained by a pending write (SY-108).
    ///
    /// A document whose write was acknowledged is pending until the authority reports it. If it has reported the target as of
    /// that write or later, without the document, it never will: someone has deleted or changed it before the target was reported.
    private mutating func updateLimbo(_ step: inout Step) {
        guard isCurrent else { return }
        var now = unexplained
        for (key, version) in awaited where version <= reportedTo && unlisted.contains(key) { now.insert(key) }
        if now == limboDocuments { return }
        step.removedLimboDocuments = limboDocuments.subtracting(now).sorted()
        step.addedLimboDocuments = now.subtracting(limboDocuments).sorted()
        limboDocuments = now
    }

    // MARK: Other occasions

    /// The client has gone offline, or come back: what was current is no longer known to be (SY-114).
    mutating func onlineStateChanged(isOffline: Bool, readTime: DocumentVersion) -> SyncSnapshot? {
        isOffline ? requestedAnew(readTime: readTime) : nil
    }

    /// The target is requested anew: what the authority says of it now is not known yet (SY-135).
    mutating func requestedAnew(readTime: DocumentVersion) -> SyncSnapshot? {
        guard isCurrent else { return nil }
        isCurrent = false
        return finish(nil, resolvesLimbo: false, readTime: readTime).snapshot
    }

    /// The listeners of the target have changed: whether one of them wants the authority's result. Acknowledged writes that waited for
    /// its report wait no more if none does.
    mutating func listenersChanged(areRemote: Bool, readTime: DocumentVersion) -> SyncSnapshot? {
        guard isCacheOnly == areRemote else { return nil }
        isCacheOnly = !areRemote
        let acknowledged = byKey.values.filter { $0.hasCommittedMutations && pendingKeys.contains($0.key) }
        guard isCacheOnly, !acknowledged.isEmpty else { return nil }
        begin()
        for document in acknowledged {
            changes.track(.metadata, document, before: document.document)
            pendingKeys.remove(document.key)
        }
        return finish(nil, resolvesLimbo: false, readTime: readTime).snapshot
    }

    /// The present state, for one more listener (SY-91).
    func snapshot(hasCachedResults: Bool, readTime: DocumentVersion) -> SyncSnapshot {
        SyncSnapshot(
            documents: documents, changes: allAsAdded, pendingKeys: pendingKeys, isFromCache: !isSynced, syncStateChanged: true,
            hasCachedResults: hasCachedResults, readTime: readTime, isUnconfirmed: isUnconfirmed, documentsBefore: DocumentList())
    }

    /// Every document as an added one: the changes of a listener's first event.
    var allAsAdded: [SyncChange] {
        documents.compactMap { document in byKey[document.key].map { SyncChange(kind: .added, document: $0) } }
    }

    /// The local state of a visible document.
    func document(_ key: DocumentKey) -> LocalDocument? { byKey[key] }

    // MARK: Documents

    private func matches(_ document: Document) -> Bool {
        if let key { return document.key == key }
        return matcher?.matches(document) == true
    }

    private mutating func put(_ local: LocalDocument) {
        guard let document = local.document else { return }
        byKey[local.key] = local
        documents.insert(document, at: documents.position(of: document, by: ordering.compare))
        noteUnlisted(local)
    }

    private mutating func noteUnlisted(_ local: LocalDocument) {
        guard !syncedDocuments.contains(local.key) else { return }
        unlisted.insert(local.key)
        if !local.hasLocalMutations { unexplained.insert(local.key) }
    }

    private mutating func take(_ local: LocalDocument) {
        guard let document = local.document else { return }
        let index = documents.position(of: document, by: ordering.compare)
        precondition(index < documents.count && documents[index].key == local.key, "the view has lost \(local.key.path)")
        documents.remove(at: index)
        byKey[local.key] = nil
        unlisted.remove(local.key)
        unexplained.remove(local.key)
    }
}
