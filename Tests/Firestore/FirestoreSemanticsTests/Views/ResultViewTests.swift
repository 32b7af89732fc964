// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport
import Testing

@Suite("ResultView")
struct ResultViewTests {
    private func document(_ id: String, _ n: Int64, time: Int64 = 1) -> Document {
        Document(
            key: DocumentKey(trusted: "c/\(id)"), createTime: DocumentVersion(microseconds: 1),
            updateTime: DocumentVersion(microseconds: time), fields: FieldBytes(FieldMap([("n", .integer(n))])))
    }

    private func batch(_ changes: [WatchBatch.Change], reset: Bool = false, at time: Int64 = 1) -> WatchBatch {
        WatchBatch(readTime: DocumentVersion(microseconds: time), isReset: reset, changes: changes)
    }

    private let byN = DocumentOrdering([
        SortOrder(path: FieldPathSegments("n")), SortOrder(path: .documentID),
    ])

    private func describe(_ snapshot: ViewSnapshot?) -> [String] {
        (snapshot?.changes ?? []).map {
            "\($0.kind) \($0.document.key.id) \($0.oldIndex.map(String.init) ?? "-")→\($0.newIndex.map(String.init) ?? "-")"
        }
    }

    @Test("lists every document of the first snapshot as added") // LS-50
    func firstSnapshot() {
        var view = ResultView(ordering: byN)
        #expect(!view.hasNews)
        view.apply(batch([.update(document("b", 2)), .update(document("a", 3))], reset: true))
        #expect(view.hasNews)
        #expect(describe(view.nextSnapshot()) == ["added b -→0", "added a -→1"])
        #expect(!view.hasNews)
    }

    @Test("delivers an empty first snapshot")
    func emptyFirstSnapshot() {
        var view = ResultView(ordering: byN)
        view.apply(batch([], reset: true))
        #expect(view.nextSnapshot()?.documents.count == 0)
        #expect(view.nextSnapshot()?.documents.count == nil)
    }

    @Test("gives removed, then added, then modified, with indices of one step after the other") // LS-48, LS-49
    func order() {
        var view = ResultView(ordering: byN)
        view.apply(batch([1, 2, 3, 4].map { .update(document("d\($0)", Int64($0 * 10))) }, reset: true))
        _ = view.nextSnapshot()
        view.apply(
            batch([
                .update(document("d1", 45, time: 2)), .update(document("new", 15, time: 2)),
                .remove(DocumentKey(trusted: "c/d2")),
            ]))
        let snapshot = view.nextSnapshot()
        #expect(describe(snapshot) == ["removed d2 1→-", "added new -→1", "modified d1 0→3"])
        #expect(snapshot?.documents.map(\.key.id) == ["new", "d3", "d4", "d1"])
    }

    @Test("folds the changes that a slow consumer missed into one diff") // LS-47
    func folding() {
        var view = ResultView(ordering: byN)
        view.apply(batch([.update(document("kept", 1)), .update(document("gone", 2))], reset: true))
        _ = view.nextSnapshot()
        view.apply(batch([.update(document("flash", 3, time: 2))]))                    // added …
        view.apply(batch([.remove(DocumentKey(trusted: "c/flash"))]))                  // … and removed: nothing
        view.apply(batch([.remove(DocumentKey(trusted: "c/kept"))]))                   // removed …
        view.apply(batch([.update(document("kept", 9, time: 4))]))                     // … and added: modified
        view.apply(batch([.update(document("gone", 7, time: 3))]))                     // modified …
        view.apply(batch([.remove(DocumentKey(trusted: "c/gone"))]))                   // … and removed: removed, old data
        let snapshot = view.nextSnapshot()
        #expect(describe(snapshot) == ["removed gone 1→-", "modified kept 0→0"])
        #expect(snapshot?.changes.first?.document == document("gone", 2))
    }

    @Test("reports nothing when the changes cancel out")
    func cancelling() {
        var view = ResultView(ordering: byN)
        view.apply(batch([.update(document("a", 1))], reset: true))
        _ = view.nextSnapshot()
        view.apply(batch([.update(document("a", 2, time: 2))]))
        view.apply(batch([.update(document("a", 1, time: 3))]))
        #expect(view.hasNews)
        #expect(view.nextSnapshot()?.documents.count == nil)
    }

    @Test("replaying the changes of every snapshot gives its documents, whatever happens", arguments: [7, 8, 9])
    func replay(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var view = ResultView(ordering: byN)
        var truth: [String: Document] = [:]
        var replayed: [String] = []
        view.apply(batch([], reset: true))
        for time in 2..<800 {
            let id = "d\(Int.random(in: 0..<40, using: &generator))"
            if Bool.random(using: &generator), truth[id] != nil {
                truth[id] = nil
                view.apply(batch([.remove(DocumentKey(trusted: "c/\(id)"))], at: Int64(time)))
            } else {
                let new = document(id, Int64.random(in: 0..<20, using: &generator), time: Int64(time))
                truth[id] = new
                // Now and then the source starts over.
                if Int.random(in: 0..<20, using: &generator) == 0 {
                    view.apply(batch(truth.values.map { .update($0) }, reset: true, at: Int64(time)))
                } else {
                    view.apply(batch([.update(new)], at: Int64(time)))
                }
            }
            guard Int.random(in: 0..<3, using: &generator) == 0, let snapshot = view.nextSnapshot() else { continue }
            for change in snapshot.changes {
                if let old = change.oldIndex { #expect(replayed.remove(at: old) == change.document.key.id) }
                if let new = change.newIndex { replayed.insert(change.document.key.id, at: new) }
            }
            let expected = truth.values.sorted { byN.compare($0, $1) < 0 }
            #expect(replayed == expected.map(\.key.id))
            #expect(snapshot.documents.map(\.fields) == expected.map(\.fields))
        }
    }
}
