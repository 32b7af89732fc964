// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct ChangeLogTests {
    private func log(_ store: SQLiteStore, after time: DocumentVersion = .none) throws -> [String] {
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            var entries: [String] = []
            try view.changes(after: time) { time, key, previous in
                entries.append("\(time.microseconds) \(key.path) \(previous.map { "\($0.updateTime.microseconds)" } ?? "-")")
            }
            return entries
        }
    }

    @Test("every change is recorded with the replaced state, oldest first")
    func entries() throws {
        let store = try SQLiteStore.memory()
        try store.put(["c/a", "c/b"])
        try store.put(["c/b"])
        try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            let key = DocumentKey(trusted: "c/b")
            let time = DocumentVersion(microseconds: 3)
            try transaction.store(CommittedChange(key: key, old: transaction.document(key), new: nil), at: time)
            try transaction.setLastCommitTime(time)
        }
        #expect(try log(store) == ["1 c/a -", "1 c/b -", "2 c/b 1", "3 c/b 2"])
        #expect(try log(store, after: DocumentVersion(microseconds: 2)) == ["3 c/b 2"])
        try store.checkAndClose()
    }

    @Test("pruning proceeds in bounded steps, oldest first, and returns where the log begins")
    func pruning() throws {
        let store = try SQLiteStore.memory()
        for number in 1...10 { try store.put(["c/\(number)"]) }
        let horizon = DocumentVersion(microseconds: 8)
        func prune(_ limit: Int) throws -> Int {
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                try transaction.pruneLog(before: horizon, limit: limit)
            }
        }
        #expect(try prune(3) == 3)
        #expect(try log(store).first == "4 c/4 -")
        #expect(try prune(100) == 4)
        #expect(try log(store) == ["8 c/8 -", "9 c/9 -", "10 c/10 -"])
        #expect(try store.read { (view: ReadTransaction) throws(FirestoreError) in try view.logFloor() } == horizon)
        #expect(try prune(100) == 0)
        try store.checkAndClose()
    }
}
