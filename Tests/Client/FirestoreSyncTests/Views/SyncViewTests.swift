// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing
import TestSupport

@testable import FirestoreSync

struct SyncViewTests {
    private let database = DatabaseID(projectID: "p")

    private func local(
        _ id: String, _ n: Int64, version: Int64 = 1, _ state: LocalDocument.State = .synced
    ) -> LocalDocument {
        let key = DocumentKey(trusted: "c/\(id)")
        let version = DocumentVersion(microseconds: version)
        let document = Document(key: key, createTime: version, updateTime: version, fields: FieldBytes(FieldMap([("n", .integer(n))])))
        return LocalDocument(key: key, content: .found(document), version: version, state: state)
    }

    private func gone(_ id: String) -> LocalDocument {
        LocalDocument(key: DocumentKey(trusted: "c/\(id)"), content: .missing, version: DocumentVersion(microseconds: 9), state: .synced)
    }

    private func view(limit: Int? = nil, toLast: Bool = false) -> SyncView {
        let query = StructuredQuery(
            scope: .collection(CollectionPath(trusted: "c")), orders: [SortOrder(path: FieldPathSegments("n"))], limit: limit)
        return SyncView(.query(ClientQuery(query, limitsToLast: toLast)), database: database, syncedDocuments: [])
    }

    private func keys(_ documents: LocalDocument...) -> Set<DocumentKey> { Set(documents.map(\.key)) }

    private func told(_ snapshot: SyncSnapshot?) -> [String]? {
        snapshot?.changes.map { change in
            let sign =
                switch change.kind {
                case .added: "+"
                case .modified: "~"
                case .removed: "-"
                case .metadata: "µ"
                }
            return sign + change.document.key.id
        }
    }

    /// A view that is synced with these documents.
    private func synced(_ documents: LocalDocument..., limit: Int? = nil) -> SyncView {
        var view = view(limit: limit)
        view.fill(documents)
        _ = view.finish(TargetDelta(isCurrent: true, added: Set(documents.map(\.key))), readTime: .none)
        return view
    }

    @Test func `a document that is missing is neither shown nor pending`() {
        var view = view()
        let key = DocumentKey(trusted: "c/b")
        view.fill([
            local("a", 1, .hasLocalMutations), LocalDocument(key: key, content: .missing, version: .none, state: .hasLocalMutations),
        ])
        let step = view.finish(TargetDelta(isCurrent: true, added: keys(local("a", 1))), readTime: .none)
        #expect(told(step.snapshot) == ["+a"])
        #expect(view.pendingKeys == KeySet(keys(local("a", 1))))
        #expect(step.addedLimboDocuments.isEmpty)
        view.apply([LocalDocument(key: DocumentKey(trusted: "c/a"), content: .missing, version: .none, state: .hasLocalMutations)])
        #expect(view.finish(nil, readTime: .none).snapshot?.pendingKeys == [])
    }

    @Test func `a new view is from the cache until its target is current`() {
        var view = view()
        view.fill([local("a", 1)])
        #expect(view.finish(nil, readTime: .none).snapshot?.isFromCache == true)
        let step = view.finish(TargetDelta(isCurrent: true, added: keys(local("a", 1))), readTime: .none)
        #expect(step.snapshot?.isFromCache == false)
        #expect(told(step.snapshot) == [])
    }

    // SY-72
    @Test func `the pending flag falls when the watch confirms the write`() {
        var view = synced(local("a", 1))
        view.apply([local("a", 2, .hasLocalMutations)])
        let written = view.finish(nil, readTime: .none).snapshot
        #expect(told(written) == ["~a"])
        #expect(written?.hasPendingWrites == true)
        // The acknowledgement changes nothing visible.
        view.apply([local("a", 2, version: 2, .hasCommittedMutations)])
        #expect(view.finish(nil, readTime: .none).snapshot == nil)
        view.apply([local("a", 2, version: 2)])
        let confirmed = view.finish(nil, readTime: .none).snapshot
        #expect(told(confirmed) == ["µa"])
        #expect(confirmed?.hasPendingWrites == false)
    }

    // SY-73, T46, T47
    @Test func `an acknowledged server timestamp waits for the watch`() {
        var view = synced(local("a", 1))
        view.apply([local("a", 5, .hasLocalMutations)])
        _ = view.finish(nil, readTime: .none)
        view.apply([local("a", 6, version: 2, .hasCommittedMutations)])
        #expect(view.finish(nil, readTime: .none).snapshot == nil)
        view.apply([local("a", 6, version: 2)])
        let snapshot = view.finish(nil, readTime: .none).snapshot
        #expect(told(snapshot) == ["~a"])
        #expect(snapshot?.hasPendingWrites == false)
    }

    @Test func `a document that was committed before the view knew it is not pending`() {
        var view = view()
        view.fill([local("a", 1, .hasCommittedMutations)])
        #expect(view.finish(nil, readTime: .none).snapshot?.hasPendingWrites == false)
    }

    // SY-101, T100
    @Test func `a full window that loses a document is read again`() {
        var view = synced(local("a", 1), local("b", 2), limit: 2)
        view.apply([local("b", 9, .hasLocalMutations)])
        #expect(view.needsRefill)
        view.refilled([local("a", 1), local("c", 3)])
        let step = view.finish(nil, readTime: .none)
        #expect(told(step.snapshot) == ["-b", "+c"])
        #expect(step.addedLimboDocuments == [DocumentKey(trusted: "c/c")])
        #expect(step.snapshot?.isFromCache == true)
    }

    // T106
    @Test func `a change inside a full window needs no second reading`() {
        var view = synced(local("a", 1), local("b", 3), limit: 2)
        view.apply([local("a", 2, version: 2)])
        #expect(!view.needsRefill)
        #expect(told(view.finish(nil, readTime: .none).snapshot) == ["~a"])
    }

    // T101
    @Test func `a document that sorts first pushes the last one out`() {
        var view = synced(local("a", 1), local("b", 2), limit: 2)
        view.apply([local("0", 0, .hasLocalMutations)])
        let snapshot = view.finish(nil, readTime: .none).snapshot
        #expect(told(snapshot) == ["-b", "+0"])
        #expect(snapshot?.hasPendingWrites == true)
    }

    // SY-108
    @Test func `a document that the authority does not list is in limbo, unless a write explains it`() {
        var view = synced(local("a", 1), local("b", 2))
        let step = view.finish(TargetDelta(isCurrent: true, removed: keys(local("a", 1), local("b", 2))), readTime: .none)
        #expect(step.addedLimboDocuments.map(\.id) == ["a", "b"])
        #expect(step.snapshot?.isFromCache == true)
        view.apply([local("b", 3, .hasLocalMutations)])
        let written = view.finish(nil, readTime: .none)
        #expect(written.removedLimboDocuments.map(\.id) == ["b"])
        view.apply([gone("a")])
        let found = view.finish(nil, readTime: .none)
        #expect(told(found.snapshot) == ["-a"])
        #expect(found.snapshot?.isFromCache == false)
    }

    @Test func `while a target is asked anew nothing is in limbo`() {
        var view = synced(local("a", 1))
        let step = view.finish(TargetDelta(removed: keys(local("a", 1))), isPendingReset: true, readTime: .none)
        #expect(step.addedLimboDocuments.isEmpty)
        #expect(step.snapshot?.isFromCache == true)
        #expect(told(step.snapshot) == [])
    }

    // SY-114
    @Test func `going offline makes a current view a cached one, once`() {
        var view = synced(local("a", 1))
        #expect(view.onlineStateChanged(isOffline: false, readTime: .none) == nil)
        #expect(view.onlineStateChanged(isOffline: true, readTime: .none)?.isFromCache == true)
        #expect(view.onlineStateChanged(isOffline: true, readTime: .none) == nil)
    }

    /// Any sequence of changes reports the same as the difference of the states.
    @Test(arguments: 0..<TestScale.pick(quick: 60, full: 2_000))
    func `changes lead from each state to the next`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = view(limit: Int.random(in: 0..<3, using: &random) == 0 ? nil : Int.random(in: 1...5, using: &random))
        view.fill([])
        var shown = try #require(view.finish(nil, readTime: .none).snapshot).documents.map(\.key)
        var all: [String: LocalDocument] = [:]
        for _ in 0..<40 {
            let id = String(Int.random(in: 0..<8, using: &random))
            let state = Bool.random(using: &random) ? local(id, .random(in: 0..<9, using: &random)) : gone(id)
            all[id] = state.document == nil ? nil : state
            view.apply([state])
            if view.needsRefill { view.refilled(all.values.sorted { $0.key < $1.key }) }
            guard let snapshot = view.finish(nil, readTime: .none).snapshot else { continue }
            var replayed = shown
            for change in snapshot.viewSnapshot(view.ordering, isFirst: false).changes {
                if let old = change.oldIndex { #expect(replayed.remove(at: old) == change.document.key) }
                if let new = change.newIndex { replayed.insert(change.document.key, at: new) }
            }
            shown = snapshot.documents.map(\.key)
            #expect(replayed == shown)
        }
    }
}
