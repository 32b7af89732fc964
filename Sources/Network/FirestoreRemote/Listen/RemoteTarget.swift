// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// What the client knows about one target of a Listen stream (LS-31 … LS-37).
///
/// Changes are kept until a global snapshot completes them, and then delivered as one batch. Changes lost with a connection were
/// not delivered, so the token of the last delivered snapshot is where to resume.
struct RemoteTarget {
    let target: WatchTarget
    /// Where the caller asked to resume; discarded once a first batch is delivered.
    var resumption: WatchResumption?
    /// Requests that the server has not answered: until then, messages are about an earlier incarnation (LS-31).
    private(set) var pendingAnswers = 0
    private(set) var isCurrent = false
    /// As of the last delivered batch.
    private(set) var token = ByteSlice.empty
    private var nextToken = ByteSlice.empty
    /// The delivered documents that still match, each with its delivered state…
    private(set) var known: [DocumentKey: DocumentVersion] = [:]
    /// …and whether these are all. Otherwise only the caller knows the rest.
    private var knowsAll: Bool
    private var isToldFirst = false
    /// Whether the next batch starts from nothing.
    private var isReset: Bool
    private var changes: [DocumentKey: Document?] = [:]
    private var departed: [DocumentKey: Document] = [:]
    /// Whether the server's count did not match: everything must be requested again.
    private(set) var isMismatched = false

    init(_ target: WatchTarget, from resumption: WatchResumption?) {
        self.target = target
        // A watcher that wants all keys gets all documents.
        let usable = resumption.flatMap { $0.wantsKeys || $0.token == .time(.none) ? nil : $0 }
        self.resumption = usable
        wantsKeys = resumption?.wantsKeys == true
        isReset = usable == nil
        knowsAll = usable == nil
    }

    private let wantsKeys: Bool

    /// The request for the target, from its current position.
    mutating func request(_ id: Int32) -> ListenTargetRequest {
        let wanted: ListenTargetRequest.Target =
            switch target {
            case .document(let key): .documents([key])
            case .query(let query): .query(query)
            }
        pendingAnswers += 1
        isMismatched = false
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

    /// Its removal has been requested, which will be answered, too.
    mutating func removing() { pendingAnswers += 1 }

    /// The connection is lost, together with incomplete changes (LS-32).
    mutating func disconnected() {
        pendingAnswers = 0
        isCurrent = false
        forgetChanges()
        isReset = token.isEmpty && resumption == nil
    }

    private mutating func forgetChanges() {
        changes = [:]
        departed = [:]
        nextToken = .empty
    }

    /// The known state is wrong: starts again without a token (LS-29).
    mutating func restart() {
        forgetChanges()
        token = .empty
        resumption = nil
        isCurrent = false
        isReset = true
    }

    // MARK: What the server says

    mutating func answered() { pendingAnswers = max(0, pendingAnswers - 1) }

    mutating func changed(_ document: Document) {
        guard pendingAnswers == 0 else { return }
        changes.updateValue(document, forKey: document.key)
        departed[document.key] = nil
    }

    /// `document`: its current state, if it still exists.
    mutating func left(_ key: DocumentKey, _ document: Document?) {
        guard pendingAnswers == 0 else { return }
        changes.updateValue(nil, forKey: key)
        departed[key] = document
    }

    mutating func reset() {
        guard pendingAnswers == 0 else { return }
        forgetChanges()
        isReset = true
    }

    mutating func current() {
        guard pendingAnswers == 0 else { return }
        isCurrent = true
    }

    mutating func hasToken(_ token: ByteSlice) {
        guard pendingAnswers == 0, !token.isEmpty else { return }
        nextToken = token
    }

    /// LS-29: with a usable filter, documents that are certainly gone are removed; if the counts still differ, or there are no known
    /// documents to compare with, everything is requested again.
    mutating func filtered(by filter: ExistenceFilter, in database: DatabaseID) {
        guard pendingAnswers == 0 else { return }
        guard let members else {
            isMismatched = true
            return
        }
        guard members.count != filter.count else { return }
        if let names = filter.names, names.isValid, !names.bits.isEmpty || filter.count == 0 {
            let kept = Set(names.filter(members, in: database))
            let gone = members.subtracting(kept)
            if members.count - gone.count == filter.count {
                for key in gone { left(key, nil) }
                return
            }
        }
        isMismatched = true
    }

    /// The known documents, with the undelivered changes applied.
    private var members: Set<DocumentKey>? {
        guard isReset || knowsAll else { return nil }
        var members: Set<DocumentKey> = isReset ? [] : Set(known.keys)
        for (key, document) in changes { if document == nil { members.remove(key) } else { members.insert(key) } }
        return members
    }

    // MARK: Telling

    /// At a global snapshot: the batch for the watcher; nil if nothing is new, or because it is not complete.
    mutating func batch(at time: DocumentVersion) -> WatchBatch? {
        guard pendingAnswers == 0, isCurrent else { return nil }
        if !nextToken.isEmpty { token = nextToken }
        defer { forgetChanges() }
        let isFirst = !isToldFirst
        if isReset { (known, knowsAll) = ([:], true) }
        var told: [WatchBatch.Change] = []
        for (key, document) in changes {
            if let document {
                // A document that left a window and came back while the server merged several commits is delivered again unchanged.
                let before = known.updateValue(document.updateTime, forKey: key)
                if before != document.updateTime { told.append(.update(document)) }
            } else if known.removeValue(forKey: key) != nil || !knowsAll {
                told.append(.remove(key))
            }
        }
        guard isFirst || isReset || !told.isEmpty else { return nil }
        var batch = WatchBatch(
            readTime: time, token: token.isEmpty ? nil : .opaque(token), basis: isReset ? .nothing : .known, changes: told)
        batch.departed = told.compactMap { if case .remove(let key) = $0 { departed[key] } else { nil } }
        if isFirst, wantsKeys { batch.keys = known.keys.sorted() }
        isToldFirst = true
        resumption = nil
        isReset = false
        return batch
    }
}
