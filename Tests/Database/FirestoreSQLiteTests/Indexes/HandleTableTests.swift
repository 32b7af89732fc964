// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// Documents of many index entries, read by one statement (decision 64).
struct HandleTableTests {
    private let store: SQLiteStore

    init() throws {
        store = try SQLiteStore.openInMemory(databaseID: DatabaseID(projectID: "handles"))
        for number in 1...5 { try store.put(["c/d\(number)"]) }
    }

    /// Returns handles of rows, and counts how many were asked for.
    private final class Feed {
        var rows: [Int64]
        var asked = 0

        init(_ rows: [Int64]) { self.rows = rows }

        func next() throws(FirestoreError) -> DocumentHandle? {
            asked += 1
            guard !rows.isEmpty else { return nil }
            let row = rows.removeFirst()
            if row < 0 { throw FirestoreError(.dataLoss, "the walk failed") }
            return DocumentHandle(row)
        }
    }

    private func ids(
        _ feed: Feed, in view: ReadTransaction, until last: String? = nil, _ body: (String) throws(FirestoreError) -> Void = { _ in }
    ) throws(FirestoreError) -> [String] {
        var ids: [String] = []
        try view.visitEach({ () throws(FirestoreError) in try feed.next() }) { (scanned) throws(FirestoreError) in
            ids.append(scanned.key.id)
            try body(scanned.key.id)
            return scanned.key.id == last ? .stop : .next
        }
        return ids
    }

    @Test func `documents come in the order of their handles, as often as these`() throws {
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            let found = try ids(Feed([3, 1, 3, 5]), in: view)
            let none = try ids(Feed([]), in: view)
            #expect(found == ["d3", "d1", "d3", "d5"] && none.isEmpty)
        }
    }

    @Test func `a handle is asked for when the document before it has been passed`() throws {
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            let feed = Feed([1, 2, 3, 4])
            var askedBefore: [Int] = []
            let found = try ids(feed, in: view, until: "d2") { _ in askedBefore.append(feed.asked) }
            #expect(found == ["d1", "d2"] && askedBefore == [1, 2] && feed.asked == 2)
        }
    }

    @Test func `walks inside walks have statements of their own`() throws {
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            var inner: [[String]] = []
            let outer = try ids(Feed([1, 2]), in: view) { (_) throws(FirestoreError) in inner.append(try ids(Feed([4, 5]), in: view)) }
            #expect(outer == ["d1", "d2"] && inner == [["d4", "d5"], ["d4", "d5"]])
        }
    }

    @Test func `the error of a walk, of a caller and of a missing document arrive as they are`() throws {
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            func failure(_ rows: [Int64], _ body: (String) throws(FirestoreError) -> Void = { _ in }) -> FirestoreError? {
                let feed = Feed(rows)
                let result = Result { () throws(FirestoreError) in try ids(feed, in: view, until: nil, body) }
                guard case .failure(let error) = result else { return nil }
                return error
            }
            #expect(failure([1, -1])?.message == "the walk failed")
            let callers = FirestoreError(.cancelled, "enough")
            #expect(failure([1, 2]) { (_) throws(FirestoreError) in throw callers }?.code == .cancelled)
            let missing = failure([1, 77])
            #expect(missing?.code == .dataLoss && missing?.message.contains("row 77, which is missing") == true)
            // The statement that failed can be used again.
            let found = try ids(Feed([2]), in: view)
            #expect(found == ["d2"])
        }
    }
}
