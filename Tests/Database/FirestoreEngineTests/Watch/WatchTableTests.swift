// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct WatchTableTests {
    private func registration(_ id: Int, _ target: WatchTarget) -> WatchRegistration {
        WatchRegistration(id: id, target: target, owner: 1, sink: RecordingSink()) { _ in }
    }

    /// Every document is new, with a field `n`.
    private func commit(_ time: Int64, _ paths: String..., n: Int64 = 0) -> CommittedChanges {
        let time = DocumentVersion(microseconds: time)
        return CommittedChanges(
            time: time,
            changes: paths.map { path in
                let key = DocumentKey(trusted: path)
                let fields = FieldBytes(FieldMap([("n", .integer(n))]))
                return CommittedChange(
                    key: key, old: nil, new: Document(key: key, createTime: time, updateTime: time, fields: fields))
            })
    }

    /// A table whose targets are numbered from 1 in this order.
    private func table(_ targets: WatchTarget...) -> WatchTable {
        var table = WatchTable(database: testDatabase)
        table.admit(1)
        for (id, target) in targets.enumerated() { _ = table.add(registration(id + 1, target)) }
        return table
    }

    /// Begins with a whole state.
    private func begin(
        _ table: inout WatchTable, _ start: WatchStart, with documents: [Document], at time: DocumentVersion
    ) -> Bool {
        if case .ready = table.begin(start, with: WatchStartState(content: .whole(documents), time: time)) { true } else { false }
    }

    private func targets(_ commit: WatchTable.RoutedCommit?) -> [Int] { (commit?.parts ?? []).map(\.target) }

    @Test("a commit reaches the watches of its documents, collections and groups, and no others")
    func routing() {
        var table = table(
            .document(DocumentKey(trusted: "c/a")), .query(.collection("c")), .query(.group("c")),
            .query(.collection("d")), .document(DocumentKey(trusted: "c/b")), .query(.group("d")),
            .query(.collection("e\u{301}")), .query(.collection("\u{E9}")), .query(.group("e\u{301}")),
            .query(.group("\u{E9}")))
        #expect(targets(table.route(commit(1, "c/a"))) == [1, 2, 3])
        #expect(targets(table.route(commit(1, "x/y/c/a", "d/1"))) == [3, 4, 6])
        #expect(targets(table.route(commit(1, "e\u{301}/a"))) == [7, 9])
        #expect(targets(table.route(commit(1, "zzz/a"))).isEmpty)
        for id in [1, 2, 3] { table.remove(id) }
        #expect(targets(table.route(commit(1, "c/a"))).isEmpty)
        for id in 4...10 { table.remove(id) }
        #expect(table.isEmpty)
    }

    @Test("ten thousand listeners with other filters in the same collection are not asked")
    func otherFilters() {
        var table = WatchTable(database: testDatabase)
        table.admit(1)
        for number in 0..<10_000 {
            let op: QueryFilter.FieldOperator = number % 2 == 0 ? .equal : .greaterThan
            let query = StructuredQuery.collection("c").filter("n", op, .integer(Int64(number)))
            _ = table.add(registration(number, .query(query)))
        }
        #expect(targets(table.route(commit(1, "c/a", n: -1))).isEmpty)
        #expect(targets(table.route(commit(1, "c/a", n: 4))).count == 1 + 2)
        #expect(targets(table.route(commit(1, "c/a", n: 20_000))).count == 5_000)
    }

    @Test("a commit of many documents gives each target its part of them, in order")
    func parts() throws {
        let table = table(.query(.collection("c")), .query(.collection("d")), .document(DocumentKey(trusted: "c/2")))
        let routed = try #require(table.route(commit(7, "c/1", "d/1", "c/2", "e/1", "d/2")))
        #expect(routed.parts.map { $0.part.changes.map(\.key.path) } == [["c/1", "c/2"], ["d/1", "d/2"], ["c/2"]])
        #expect(routed.parts.allSatisfy { $0.part.time.microseconds == 7 })
    }

    @Test("watches of one target share it: one query runs, all are notified, and a late one gets the state immediately") // LS-59
    func sharing() throws {
        var table = WatchTable(database: testDatabase)
        table.admit(1)
        let query = StructuredQuery.collection("c").filter("n", .equal, .integer(0))
        guard case .start(let start) = table.add(registration(1, .query(query))) else { Issue.record("not first"); return }
        let target = start.target
        for id in 2...1_000 {
            guard case .waiting = table.add(registration(id, .query(query))) else { Issue.record("\(id)"); return }
        }
        let begun = begin(&table, start, with: [], at: DocumentVersion(microseconds: 2))
        #expect(begun)
        let opened = table.open(start)
        let first = try #require(opened)
        #expect(first.registrations.count == 1_000 && first.batch.isReset)

        #expect(targets(table.route(commit(3, "c/a"))) == [target])
        guard case .deliver(let delivery) = table.apply(commit(3, "c/a"), to: target) else { Issue.record("none"); return }
        #expect(delivery.registrations.map(\.id) == Array(1...1_000))

        guard case .joined(let batch) = table.add(registration(1_001, .query(query))) else { Issue.record("late"); return }
        #expect(batch.isReset && batch.readTime.microseconds == 3 && batch.changes.count == 1)
        for id in 1...1_001 { table.remove(id) }
        #expect(table.isEmpty)
    }

    @Test("a commit during the first read is in the first batch, and its documents are not doubled")
    func starting() throws {
        var table = table(.query(.collection("c")))
        for time in 1...3 {
            guard case .none = table.apply(commit(Int64(time), "c/\(time)"), to: 1) else { Issue.record("early"); return }
        }
        let known = try #require(commit(2, "c/2").changes[0].new)
        let start = WatchStart(target: 1, number: 1)
        let begun = begin(&table, start, with: [known], at: DocumentVersion(microseconds: 2))
        #expect(begun)
        let opened = table.open(start)
        let batch = try #require(opened?.batch)
        #expect(batch.isReset && batch.readTime.microseconds == 3)
        let paths = batch.changes.map { if case .update(let document) = $0 { document.key.path } else { "-" } }
        #expect(paths.sorted() == ["c/2", "c/3"])
        guard case .none = table.apply(commit(3, "c/3"), to: 1) else { Issue.record("twice"); return }
    }

    @Test("a watch that comes after its handle has shut down does not start")
    func ended() {
        var table = table(.query(.collection("c")))
        let ended = table.end(1).map(\.id)
        #expect(ended == [1])
        guard case .rejected = table.add(registration(2, .query(.collection("d")))) else { Issue.record("let in"); return }
        #expect(targets(table.route(commit(1, "c/a", "d/a"))) == [1])
    }

    @Test("when too much is committed during the first read, it has to be read again")
    func overflow() {
        var table = table(.query(.collection("c")))
        let large = CommittedChanges(
            time: DocumentVersion(microseconds: 1), changes: Array(repeating: commit(1, "c/a").changes[0], count: 6_000))
        _ = table.apply(large, to: 1)
        _ = table.apply(large, to: 1)
        let start = WatchStart(target: 1, number: 1)
        let first = begin(&table, start, with: [], at: .none)
        let second = begin(&table, start, with: [], at: .none)
        #expect(!first && second)
        let opened = table.open(start)
        #expect(opened?.batch.changes.isEmpty == true)
    }
}
