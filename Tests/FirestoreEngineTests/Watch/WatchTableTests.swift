import FirestoreCore
import FirestoreStorage
import Testing

@testable import FirestoreEngine

@Suite struct WatchTableTests {
    private func registration(_ id: Int, _ target: WatchTarget) -> WatchRegistration {
        WatchRegistration(id: id, target: target, owner: 1, sink: RecordingSink()) { _ in }
    }

    private func commit(_ time: Int64, _ paths: String...) -> CommittedChanges {
        let time = DocumentVersion(microseconds: time)
        return CommittedChanges(
            time: time,
            changes: paths.map { path in
                let key = DocumentKey(trusted: path)
                return DocumentChange(
                    key: key, old: nil, new: Document(key: key, createTime: time, updateTime: time, fields: .empty))
            })
    }

    @Test("a commit reaches the watches of its documents, collections and groups, and no others")
    func routing() {
        var table = WatchTable()
        let targets: [WatchTarget] = [
            .document(DocumentKey(trusted: "c/a")), .query(.collection("c")), .query(.group("c")),
            .query(.collection("d")), .document(DocumentKey(trusted: "c/b")), .query(.group("d")),
            .query(.collection("e\u{301}")), .query(.collection("\u{E9}")),
        ]
        for (id, target) in targets.enumerated() { table.add(registration(id, target), database: testDatabase) }
        #expect(table.route(commit(1, "c/a")).map(\.id) == [0, 1, 2])
        #expect(table.route(commit(1, "x/y/c/a", "d/1")).map(\.id) == [2, 3, 5])
        #expect(table.route(commit(1, "e\u{301}/a")).map(\.id) == [6])
        #expect(table.route(commit(1, "zzz/a")).isEmpty)
        for id in [0, 1, 2] { table.remove(id) }
        #expect(table.route(commit(1, "c/a")).isEmpty)
        for id in 3..<8 { table.remove(id) }
        #expect(table.isEmpty)
    }

    @Test("what is committed during the first read is kept, and what the read already has is skipped")
    func starting() throws {
        var table = WatchTable()
        table.add(registration(1, .query(.collection("c"))), database: testDatabase)
        for time in 1...3 {
            guard case .none = table.apply(commit(Int64(time), "c/\(time)"), to: 1) else { Issue.record("early"); return }
        }
        let begun = table.begin(1, with: [], at: DocumentVersion(microseconds: 2))
        let start = try #require(begun)
        #expect(start.missed.count == 3)
        var delivered: [Int64] = []
        for part in start.missed {
            if case .deliver(let batch) = table.apply(part, to: 1) { delivered.append(batch.readTime.microseconds) }
        }
        #expect(delivered == [3])
    }

    @Test("a watch that comes after its handle has shut down does not start")
    func ended() {
        var table = WatchTable()
        table.add(registration(1, .query(.collection("c"))), database: testDatabase)
        let ended = table.end(1).map(\.id)
        let isIn = table.add(registration(2, .query(.collection("c"))), database: testDatabase)
        #expect(ended == [1])
        #expect(!isIn)
        #expect(table.route(commit(1, "c/a")).map(\.id) == [1])
    }

    @Test("when too much is committed during the first read, it has to be read again")
    func overflow() {
        var table = WatchTable()
        table.add(registration(1, .query(.collection("c"))), database: testDatabase)
        let large = CommittedChanges(
            time: DocumentVersion(microseconds: 1), changes: Array(repeating: commit(1, "c/a").changes[0], count: 6_000))
        _ = table.apply(large, to: 1)
        _ = table.apply(large, to: 1)
        #expect(table.begin(1, with: [], at: .none) == nil)
        table.restart(1)
        #expect(table.begin(1, with: [], at: .none)?.missed.isEmpty == true)
    }
}
