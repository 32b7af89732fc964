// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The listeners by query, and the observers of the moments at which all of them are in sync (SY-91, SY-145).
struct ListenerTable {
    private var entries: [ClientTarget: [SyncListener]] = [:]
    private var inSyncObservers: [(number: Int, body: () -> Void)] = []
    private var lastObserver = 0

    var all: [SyncListener] { entries.values.flatMap { $0 } }

    func listeners(of target: ClientTarget) -> [SyncListener] { entries[target] ?? [] }

    /// Whether a listener of the query wants the authority's result.
    func hasRemoteListeners(_ target: ClientTarget) -> Bool { listeners(of: target).contains(where: \.isRemote) }

    mutating func insert(_ listener: SyncListener) { entries[listener.target, default: []].append(listener) }

    /// Returns whether it was there.
    mutating func remove(_ listener: SyncListener) -> Bool {
        guard let index = entries[listener.target]?.firstIndex(where: { $0 === listener }) else { return false }
        entries[listener.target]?.remove(at: index)
        if entries[listener.target]?.isEmpty == true { entries[listener.target] = nil }
        return true
    }

    /// Removes all listeners of a query and returns them.
    mutating func removeAll(of target: ClientTarget) -> [SyncListener] { entries.removeValue(forKey: target) ?? [] }

    mutating func removeAll() { self = ListenerTable() }

    // MARK: In sync

    /// Returns the number of the observer.
    mutating func addInSyncObserver(_ body: @escaping () -> Void) -> Int {
        lastObserver += 1
        inSyncObservers.append((lastObserver, body))
        return lastObserver
    }

    mutating func removeInSyncObserver(_ number: Int) { inSyncObservers.removeAll { $0.number == number } }

    var bodiesOfInSyncObservers: [() -> Void] { inSyncObservers.map(\.body) }
}

extension SyncListener {
    var isRemote: Bool { options.source != .cache }

    /// Takes a new state of the view, of which `added` lists every document as added. Returns whether an event was raised.
    func take(_ snapshot: SyncSnapshot, _ online: OnlineState, added: () -> [SyncChange]) -> Bool {
        guard !hasEnded else { return false }
        if lastSnapshot == nil { beganEmpty = snapshot.documents.isEmpty }
        var event = snapshot
        if !options.includeMetadataChanges { event.changes.removeAll { $0.kind == .metadata } }
        let isRaised: Bool
        if !hasRaisedFirst {
            isRaised = mayRaiseFirst(snapshot, online)
            if isRaised { raiseFirst(snapshot, added()) }
        } else {
            isRaised = mayRaise(event)
            if isRaised { onEvent(.success(event)) }
        }
        lastSnapshot = snapshot
        return isRaised
    }

    /// Whether the first event waits for nothing but the confirmation of writes.
    var awaitsConfirmation: Bool {
        !hasEnded && !hasRaisedFirst && !isConfirmationOverdue && options.confirmsWrites && isRemote
            && lastSnapshot.map { !$0.isFromCache && $0.isUnconfirmed } == true
    }

    /// What the first event waits for may have changed: the online state, or that it waits for confirmation. Returns whether an event
    /// was raised.
    func conditionsChanged(_ online: OnlineState, added: () -> [SyncChange]) -> Bool {
        guard !hasEnded, !hasRaisedFirst, let lastSnapshot, mayRaiseFirst(lastSnapshot, online) else { return false }
        raiseFirst(lastSnapshot, added())
        return true
    }

    /// The gate of the first event (SY-92).
    private func mayRaiseFirst(_ snapshot: SyncSnapshot, _ online: OnlineState) -> Bool {
        if !isRemote { return true }
        if !snapshot.isFromCache { return !options.confirmsWrites || isConfirmationOverdue || !snapshot.isUnconfirmed }
        if options.waitsForSync, online != .offline { return options.prefersCache && isKnown(snapshot) && !isWrittenLater(snapshot) }
        return !snapshot.documents.isEmpty || snapshot.hasCachedResults || online == .offline
    }

    /// Whether a write that was made while a read has waited gives the document of the read: unless the server has answered, that is not
    /// the answer.
    private func isWrittenLater(_ snapshot: SyncSnapshot) -> Bool {
        guard case .document(let key) = target, options.waitsForSync, beganEmpty, snapshot.isFromCache else { return false }
        return snapshot.pendingKeys.contains(key)
    }

    /// Whether the cache can answer. That a document is missing is the server's to say.
    private func isKnown(_ snapshot: SyncSnapshot) -> Bool {
        if case .document = target { return !snapshot.documents.isEmpty }
        if snapshot.hasCachedResults { return true }
        // Documents that were written while the read has waited are not all there are.
        return beganEmpty ? snapshot.documents.contains { !snapshot.pendingKeys.contains($0.key) } : !snapshot.documents.isEmpty
    }

    private func mayRaise(_ snapshot: SyncSnapshot) -> Bool {
        if !snapshot.changes.isEmpty { return true }
        guard options.includeMetadataChanges else { return false }
        return snapshot.syncStateChanged || lastSnapshot?.hasPendingWrites != snapshot.hasPendingWrites
    }

    /// The first event lists every document as added, whatever was folded into it.
    private func raiseFirst(_ snapshot: SyncSnapshot, _ added: [SyncChange]) {
        hasRaisedFirst = true
        var first = snapshot
        first.changes = added
        first.documentsBefore = DocumentList()
        if isWrittenLater(snapshot) { (first.documents, first.changes, first.pendingKeys) = (DocumentList(), [], KeySet()) }
        first.syncStateChanged = true
        onEvent(.success(first))
    }
}
