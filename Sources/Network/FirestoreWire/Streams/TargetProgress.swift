// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What a Listen stream has reported about one target, on the client: whether its requests are answered, whether it is current, and
/// what has changed since the last snapshot (LS-29, LS-31 … LS-37). Pure: an event returns its meaning, and the owner acts on it.
///
/// The owner knows the documents that the target had at the last snapshot, and passes to each event what it needs of them.
package struct TargetProgress: Sendable {
    /// How a document differs from the last snapshot.
    package enum Change: Sendable, Hashable {
        case added, modified, removed
    }

    /// The meaning of a target change.
    package enum Meaning: Sendable {
        /// It concerns an earlier use of the id.
        case ignored
        case noted
        /// The documents of the last snapshot are no longer valid; the server sends the target again.
        case reset
        /// It answers the last request, which removed the target.
        case removed
        /// It answers a request that was not sent.
        case unexpected
        /// The server has removed the target without being asked, and without a reason.
        case dropped
        /// The server has removed the target for a reason.
        case failed(FirestoreError)
    }

    /// The meaning of an existence filter.
    package enum FilterMeaning: Sendable, Hashable {
        case agrees
        /// These documents are gone; with that, the count agrees.
        case removes(Set<DocumentKey>)
        /// The target must be requested again, from the beginning. `usesNames`: whether the filter had a usable set of names.
        case mismatches(usesNames: Bool)
    }

    /// The number of requests that the server has not answered: until then, messages concern an earlier use of the id (LS-31).
    private var outstanding = 0
    package private(set) var isCurrent = false
    /// The newest since the target was requested; empty if there is none.
    package private(set) var token = ByteSlice.empty
    private var changes: [DocumentKey: Change] = [:]
    /// Initially true, so that the first snapshot includes the target even if it has no documents.
    package private(set) var hasNews = true

    package init() {}

    /// Whether messages concern the present use of the id.
    package var isAnswered: Bool { outstanding == 0 }

    /// A request to add or to remove the target was sent.
    package mutating func requested() { outstanding += 1 }

    /// Discards the state of the target. Requests remain unanswered.
    package mutating func restart() {
        let outstanding = outstanding
        self = TargetProgress()
        self.outstanding = outstanding
    }

    // MARK: Documents

    /// A document matches. `isKnown`: whether it was in the last snapshot.
    package mutating func matched(_ key: DocumentKey, isKnown: Bool) {
        guard isAnswered else { return }
        changes[key] = isKnown ? .modified : .added
        hasNews = true
    }

    /// A document no longer matches, or is deleted.
    package mutating func left(_ key: DocumentKey, isKnown: Bool) {
        guard isAnswered else { return }
        changes[key] = isKnown ? .removed : nil
        hasNews = true
    }

    // MARK: Changes of the target

    package mutating func changed(_ change: TargetChange) -> Meaning {
        switch change.kind {
        case .add: return added(change.resumeToken)
        case .remove: return removed(change.cause)
        case _ where !isAnswered: return .ignored
        case .current: (isCurrent, hasNews) = (true, true)
        case .reset: restart()
        case .noChange: break
        }
        note(change.resumeToken)
        return change.kind == .reset ? .reset : .noted
    }

    private mutating func added(_ token: ByteSlice) -> Meaning {
        guard !isAnswered else { return .unexpected }
        outstanding -= 1
        guard isAnswered else { return .ignored }
        restart()
        hasNews = false
        note(token)
        return .noted
    }

    private mutating func removed(_ cause: FirestoreError?) -> Meaning {
        if let cause { return endsEarlierUse() ? .ignored : .failed(cause) }
        guard !isAnswered else { return .dropped }
        outstanding -= 1
        return isAnswered ? .removed : .ignored
    }

    /// The server has removed the target for a reason. Returns whether that concerns an earlier use: the target was removed and added again
    /// since, and the server has answered neither.
    package mutating func endsEarlierUse() -> Bool {
        guard outstanding > 1 else { return false }
        outstanding -= 1
        return true
    }

    private mutating func note(_ token: ByteSlice) {
        guard !token.isEmpty else { return }
        self.token = token
        hasNews = true
    }

    // MARK: Existence filters

    /// The server has counted the target's documents (LS-29). `known`: those of the last snapshot; nil if the owner does not know them all.
    package mutating func filtered(by filter: ExistenceFilter, known: Set<DocumentKey>?, in database: DatabaseID) -> FilterMeaning {
        guard isAnswered else { return .agrees }
        guard let known else { return mismatches(usesNames: false) }
        var members = known
        for (key, change) in changes {
            if change == .removed { members.remove(key) } else { members.insert(key) }
        }
        guard members.count != filter.count else { return .agrees }
        // A set without bits means that the server has none, except for a target without documents.
        guard let names = filter.names, names.isValid, !names.bits.isEmpty || filter.count == 0 else { return mismatches(usesNames: false) }
        let gone = members.subtracting(names.filter(members, in: database))
        guard members.count - gone.count == filter.count else { return mismatches(usesNames: true) }
        for key in gone { left(key, isKnown: known.contains(key)) }
        return .removes(gone)
    }

    private mutating func mismatches(usesNames: Bool) -> FilterMeaning {
        restart()
        return .mismatches(usesNames: usesNames)
    }

    // MARK: Snapshots

    /// Takes the changes since the last snapshot; nil if nothing is new, or if a request is unanswered.
    package mutating func takeChanges() -> [DocumentKey: Change]? {
        guard isAnswered, hasNews else { return nil }
        defer { (changes, hasNews) = ([:], false) }
        return changes
    }
}

extension TargetChange {
    /// The time of a global snapshot: all targets are complete up to it (LS-11).
    package var snapshotTime: DocumentVersion? {
        guard targets.isEmpty, let readTime, readTime > .none else { return nil }
        return readTime
    }
}
