// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

/// What each event of a Listen stream means for a target in every state (LS-29, LS-31 … LS-37).
struct TargetProgressTests {
    enum State: String, CaseIterable {
        /// No request was sent.
        case initial
        case requested
        /// A request was answered, another one was not.
        case requestedAgain
        /// The target was removed and added again, and neither is answered.
        case exchanged
        case active, current
    }

    enum Event: String, CaseIterable {
        case match, knownMatch, leaving, knownLeaving
        case noChange, add, remove, failure, current, reset
        case rightCount, wrongCount
    }

    private static let database = DatabaseID(projectID: "p")
    private static let (a, b) = (DocumentKey(trusted: "c/a"), DocumentKey(trusted: "c/b"))
    private static let token = ByteSlice([9])

    private static func progress(_ state: State) -> TargetProgress {
        var progress = TargetProgress()
        if state == .initial { return progress }
        progress.requested()
        if state == .requested { return progress }
        _ = progress.changed(TargetChange(.add, targets: [2]))
        if state == .current { _ = progress.changed(TargetChange(.current, targets: [2])) }
        // Later news belong to the event.
        _ = progress.takeChanges()
        if state == .requestedAgain || state == .exchanged { progress.requested() }
        if state == .exchanged { progress.requested() }
        return progress
    }

    /// Sends an event for a target of which b is known. Returns its meaning.
    private static func send(_ event: Event, to progress: inout TargetProgress) -> String {
        func change(_ kind: TargetChange.Kind, cause: FirestoreError? = nil) -> String {
            switch progress.changed(TargetChange(kind, targets: [2], cause: cause, resumeToken: token)) {
            case .failed(let error): "failed \(error.code)"
            case let meaning: "\(meaning)"
            }
        }
        switch event {
        case .match: progress.matched(a, isKnown: false)
        case .knownMatch: progress.matched(b, isKnown: true)
        case .leaving: progress.left(a, isKnown: false)
        case .knownLeaving: progress.left(b, isKnown: true)
        case .noChange: return change(.noChange)
        case .add: return change(.add)
        case .remove: return change(.remove)
        case .failure: return change(.remove, cause: FirestoreError(.notFound, "gone"))
        case .current: return change(.current)
        case .reset: return change(.reset)
        case .rightCount: return count(1, in: &progress)
        case .wrongCount: return count(3, in: &progress)
        }
        return "-"
    }

    private static func count(_ count: Int, names: BloomFilter? = nil, in progress: inout TargetProgress) -> String {
        let filter = ExistenceFilter(target: 2, count: count, names: names)
        switch progress.filtered(by: filter, known: [b], in: database) {
        case .agrees: return "agrees"
        case .removes(let keys): return "removes " + keys.map(\.id).sorted().joined()
        case .mismatches(let usesNames): return usesNames ? "mismatches despite names" : "mismatches"
        }
    }

    /// `+a ~b -b current token`, `news` if there is nothing else, or `nothing`.
    private static func news(_ progress: inout TargetProgress) -> String {
        guard let changes = progress.takeChanges() else { return "nothing" }
        let signs: [TargetProgress.Change: String] = [.added: "+", .modified: "~", .removed: "-"]
        var words = changes.map { (signs[$0.value] ?? "?") + $0.key.id }.sorted()
        if progress.isCurrent { words.append("current") }
        if !progress.token.isEmpty { words.append("token") }
        return words.isEmpty ? "news" : words.joined(separator: " ")
    }

    /// The meaning of each event for an active target, and what follows from it.
    private static let active: [Event: String] = [
        .match: "-: +a", .knownMatch: "-: ~b", .leaving: "-: news", .knownLeaving: "-: -b",
        .noChange: "noted: token", .add: "unexpected: nothing", .remove: "dropped: nothing", .failure: "failed notFound: nothing",
        .current: "noted: current token", .reset: "reset: token", .rightCount: "agrees: nothing", .wrongCount: "mismatches: news",
    ]

    private static func expected(_ event: Event, _ state: State) -> String {
        let active = active[event] ?? ""
        switch state {
        case .active: return active
        // A target that was never reported is news.
        case .initial: return active.replacing(": nothing", with: ": news")
        case .current:
            switch event {
            case .match, .knownMatch, .knownLeaving: return active + " current"
            case .leaving: return "-: current"
            case .noChange: return "noted: current token"
            case .add, .remove, .failure, .current, .rightCount: return active
            // The server says again when it is current.
            case .reset, .wrongCount: return active
            }
        case .requested, .requestedAgain:
            switch event {
            case .add: return "noted: token"
            case .remove: return state == .requested ? "removed: news" : "removed: nothing"
            case .failure: return "failed notFound: nothing"
            case .rightCount, .wrongCount: return "agrees: nothing"
            case .noChange, .current, .reset: return "ignored: nothing"
            case .match, .knownMatch, .leaving, .knownLeaving: return "-: nothing"
            }
        case .exchanged:
            switch event {
            case .add, .remove, .failure, .noChange, .current, .reset: return "ignored: nothing"
            case .rightCount, .wrongCount: return "agrees: nothing"
            case .match, .knownMatch, .leaving, .knownLeaving: return "-: nothing"
            }
        }
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `an event has one meaning in each state of a target`(_ state: State, _ event: Event) {
        var progress = Self.progress(state)
        let meaning = Self.send(event, to: &progress)
        #expect("\(meaning): \(Self.news(&progress))" == Self.expected(event, state))
        // News are taken once.
        #expect(progress.takeChanges() == nil)
    }

    // MARK: Sequences

    @Test func `a target that was removed and added again begins anew with its last answer`() {
        var progress = Self.progress(.current)
        for _ in 0..<2 { progress.requested() }
        #expect(Self.send(.remove, to: &progress) == "ignored")
        #expect(Self.send(.match, to: &progress) == "-" && progress.takeChanges() == nil)
        #expect(Self.send(.add, to: &progress) == "noted")
        #expect(!progress.isCurrent && progress.isAnswered)
        #expect(Self.send(.knownMatch, to: &progress) == "-")
        #expect(Self.news(&progress) == "~b token")
    }

    @Test func `an error for an earlier use replaces one answer`() {
        var progress = Self.progress(.exchanged)
        #expect(Self.send(.failure, to: &progress) == "ignored" && !progress.isAnswered)
        #expect(Self.send(.failure, to: &progress) == "failed notFound")
    }

    @Test func `a restart preserves the count of unanswered requests`() {
        var progress = Self.progress(.exchanged)
        progress.restart()
        #expect(!progress.isAnswered)
        for _ in 0..<2 { _ = Self.send(.add, to: &progress) }
        #expect(progress.isAnswered)
    }

    @Test func `a document that enters and leaves between two snapshots is not a change`() {
        var progress = Self.progress(.active)
        _ = Self.send(.match, to: &progress)
        _ = Self.send(.leaving, to: &progress)
        #expect(Self.news(&progress) == "news")
    }

    @Test func `an empty token replaces no token`() {
        var progress = Self.progress(.active)
        _ = Self.send(.noChange, to: &progress)
        _ = progress.changed(TargetChange(.noChange, targets: [2]))
        #expect(progress.token == Self.token)
    }

    // MARK: Existence filters

    private static func names(_ ids: String...) -> BloomFilter {
        BloomFilter(ids.map { DocumentKey(trusted: "c/\($0)") }, in: database)
    }

    @Test func `a filter counts the documents with the changes since the last snapshot`() {
        var progress = Self.progress(.active)
        _ = Self.send(.match, to: &progress)
        #expect(Self.count(2, in: &progress) == "agrees")
        _ = Self.send(.knownLeaving, to: &progress)
        #expect(Self.count(1, in: &progress) == "agrees")
        #expect(Self.count(2, in: &progress) == "mismatches")
        #expect(Self.news(&progress) == "news")
    }

    @Test func `names say which documents have left, if the count agrees then`() {
        var progress = Self.progress(.active)
        _ = Self.send(.match, to: &progress)
        #expect(Self.count(1, names: Self.names("a"), in: &progress) == "removes b")
        #expect(Self.news(&progress) == "+a -b")
        #expect(Self.count(0, names: Self.names("x"), in: &progress) == "removes b")
        #expect(Self.count(2, names: Self.names("b"), in: &progress) == "mismatches despite names")
    }

    @Test func `a filter without usable names mismatches, unless no document is left`() {
        let empty = BloomFilter(bits: [], padding: 0, hashCount: 0)
        for unusable in [empty, BloomFilter(bits: [1], padding: 8, hashCount: 1), BloomFilter(bits: [1], padding: 0, hashCount: 0)] {
            var progress = Self.progress(.active)
            #expect(Self.count(2, names: unusable, in: &progress) == "mismatches", "\(unusable)")
        }
        var progress = Self.progress(.active)
        #expect(Self.count(0, in: &progress) == "mismatches")
        #expect(Self.count(0, names: empty, in: &progress) == "removes b")
    }

    @Test func `nothing is counted while the owner does not know all documents`() {
        var progress = Self.progress(.current)
        let filter = ExistenceFilter(target: 2, count: 1, names: Self.names("b"))
        guard case .mismatches(usesNames: false) = progress.filtered(by: filter, known: nil, in: Self.database) else {
            Issue.record("a filter for unknown documents must mismatch")
            return
        }
        #expect(!progress.isCurrent)
    }

    // MARK: Snapshots

    @Test func `only a change of all targets with a time is a snapshot`() {
        let time = DocumentVersion(microseconds: 7)
        #expect(TargetChange(.noChange, readTime: time).snapshotTime == time)
        #expect(TargetChange(.noChange, targets: [2], readTime: time).snapshotTime == nil)
        #expect(TargetChange(.noChange).snapshotTime == nil)
        #expect(TargetChange(.noChange, readTime: DocumentVersion.none).snapshotTime == nil)
    }
}
