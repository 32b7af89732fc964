// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// The views by number, query and target, and the routes of documents to them.
@Suite struct ViewTableTests {
    private static let database = DatabaseID(projectID: "demo")

    private func table() -> ViewTable {
        var table = ViewTable(database: Self.database)
        let targets: [(ClientTarget, TargetID)] = [(.query("c"), 2), (.document("c/a"), 4), (.query("d"), 6)]
        for (target, id) in targets {
            table.insert(target, id, SyncView(target, database: Self.database, syncedDocuments: [DocumentKey(trusted: "c/s\(id)")]))
        }
        return table
    }

    private func document(_ path: String, _ content: (Document) -> LocalDocument.Content = { .found($0) }) -> LocalDocument {
        let document = Document(
            key: DocumentKey(trusted: path), createTime: .none, updateTime: DocumentVersion(microseconds: 1), fields: .empty)
        return LocalDocument(key: document.key, content: content(document), version: document.updateTime, state: .hasCommittedMutations)
    }

    @Test func `a change concerns the views that show the document or may show it`() {
        let table = table()
        let (none, found) = (document("c/a") { _ in .none }, document("c/a"))
        #expect(table.views(of: LocalChange(old: none, new: found)) == [1, 2])
        #expect(table.views(of: LocalChange(old: found, new: none)) == [1, 2])
        #expect(table.views(of: LocalChange(old: none, new: document("c/a") { _ in .unknown })).contains(1))
    }

    @Test func `a view that is removed is found no more`() {
        var table = table()
        table.remove(1)
        #expect(table.all == [2, 3] && table.number(of: .query("c")) == nil && table.numbers(of: 2).isEmpty)
        #expect(table.targets.sorted() == [4, 6])
        let isCurrent = table.change(1) { $0.isCurrent }
        #expect(isCurrent == nil)
    }

    @Test func `the documents of a target are those that its views know to be synced`() {
        let table = table()
        #expect(table.syncedDocuments(of: 2) == [DocumentKey(trusted: "c/s2")] && table.syncedCount(of: 2) == 1)
        #expect(table.isSynced(DocumentKey(trusted: "c/s4"), in: 4) && !table.isSynced(DocumentKey(trusted: "c/s4"), in: 2))
        #expect(!table.isCurrent(2))
    }
}
