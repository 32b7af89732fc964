// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRules

/// The documents that conditions of listeners have read: each is watched once, however many listeners rely on it.
final class WatchedDocuments: Sendable {
    private struct State {
        var documents: [DocumentKey: WatchedDocument] = [:]
        /// The caller that watches; open while something is watched.
        var session: (any DocumentService)?
        var closing: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// The state of a document at a moment, if it is known without reading; else nil.
    func document(_ key: DocumentKey, at time: DocumentVersion) -> Document?? {
        state.withLock { $0.documents[key] }?.document(at: time)
    }

    /// Records the state of a document that was read at a moment.
    func learn(_ document: Document?, of key: DocumentKey, at time: DocumentVersion) {
        state.withLock { $0.documents[key] }?.learn(document, at: time)
    }

    /// Notifies a listener when the document changes from a version that its judgement relies on.
    func add(_ watch: RuledWatch, to key: DocumentKey, relyingOn version: DocumentVersion, via service: any DocumentService) {
        var failure: FirestoreError?
        let (document, start) = state.withLock { state -> (WatchedDocument?, (any DocumentService)?) in
            if let known = state.documents[key] {
                known.add(watch)
                return (known, nil)
            }
            do throws(FirestoreError) {
                let session = if let session = state.session { session } else { try service.session() }
                state.session = session
                let document = WatchedDocument(key)
                document.add(watch)
                state.documents[key] = document
                return (document, session)
            } catch {
                failure = error
                return (nil, nil)
            }
        }
        if let failure { return watch.fail(failure) }
        guard let document else { return }
        if let start {
            document.watch.attach(start.watch(.document(key), context: RequestContext(caller: .administrator), sink: document))
        } else if let current = document.version, current != version {
            watch.documentChanged(key, to: current)
        }
    }

    func remove(_ watch: RuledWatch, from keys: some Sequence<DocumentKey>) {
        var unused: [WatchedDocument] = []
        state.withLock { state in
            for key in keys {
                guard let document = state.documents[key], document.remove(watch) else { continue }
                state.documents[key] = nil
                unused.append(document)
            }
            guard state.documents.isEmpty, let session = state.session else { return }
            state.session = nil
            let earlier = state.closing
            state.closing = Task {
                await earlier?.value
                await session.shutdown()
            }
        }
        for document in unused { document.watch.cancel() }
    }

    /// Returns when the database is no longer held open for documents that no listener relies on.
    func close() async { await state.withLock { $0.closing }?.value }

    /// How many documents are watched.
    var count: Int { state.withLock { $0.documents.count } }
}

/// A document that conditions of listeners have read, and its known states.
final class WatchedDocument: WatchSink {
    fileprivate struct State {
        /// The state from `from` to `through`, both included; unknown before the first batch.
        var document: Document?
        var from = DocumentVersion.none
        var through: DocumentVersion?
        var watches: [ObjectIdentifier: RuledWatch] = [:]
    }

    let key: DocumentKey
    let watch = DeferredWatchHandle()
    private let state = Mutex(State())

    init(_ key: DocumentKey) { self.key = key }

    /// Of the last known state; `.none` if the document was missing, nil if it is not known.
    var version: DocumentVersion? {
        state.withLock { state in state.through == nil ? nil : state.document.version }
    }

    func document(at time: DocumentVersion) -> Document?? {
        state.withLock { state -> Document?? in
            guard let through = state.through, state.from <= time, time <= through else { return nil }
            return .some(state.document)
        }
    }

    func learn(_ document: Document?, at time: DocumentVersion) { state.withLock { $0.learn(document, at: time) } }

    func add(_ watch: RuledWatch) { state.withLock { $0.watches[ObjectIdentifier(watch)] = watch } }

    /// Returns whether no listener is left.
    func remove(_ watch: RuledWatch) -> Bool {
        state.withLock { state in
            state.watches[ObjectIdentifier(watch)] = nil
            return state.watches.isEmpty
        }
    }

    // MARK: WatchSink

    func receive(_ batch: WatchBatch) {
        let (version, watches) = state.withLock { state -> (DocumentVersion?, [RuledWatch]) in
            var document: Document?
            switch batch.changes.last {
            case .update(let now)?: document = now
            case .remove?: document = nil
            case nil where batch.isReset: document = nil
            case nil: return (nil, [])
            }
            state.learn(document, at: batch.readTime)
            return (document.version, Array(state.watches.values))
        }
        guard let version, !watches.isEmpty else { return }
        // There may be thousands, and this is the thread that every watch waits for. Batches that overtake this are judged before they
        // are delivered.
        RuleEnforcement.queue.async { [key] in
            for watch in watches { watch.documentChanged(key, to: version) }
        }
    }

    func fail(_ error: FirestoreError) {
        for watch in state.withLock({ Array($0.watches.values) }) { watch.fail(error) }
    }
}

extension WatchedDocument.State {
    /// An existing document has been as it is since its last change.
    fileprivate mutating func learn(_ document: Document?, at time: DocumentVersion) {
        if let through, time < through { return }
        if document == nil, self.document == nil, through == time { return }
        if let document, document.updateTime == self.document?.updateTime {
            through = time
            return
        }
        self.document = document
        from = document?.updateTime ?? time
        through = time
    }
}

extension Document? {
    /// Distinguishes the states of a document.
    var version: DocumentVersion { self?.updateTime ?? .none }
}
