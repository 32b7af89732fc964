// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport
import Testing

@testable import FirestoreEngine

/// TX-3: what concurrent transactions did is what they would have done one after the other, in commit order.
@Suite struct SerializabilityTests {
    @Test(
        "random transactions from many tasks have a serial history",
        arguments: [(seed: UInt64(1), inMemory: true), (2, false), (3, true), (UInt64.random(in: 4..<1_000_000), true)])
    func random(seed: UInt64, inMemory: Bool) async throws {
        print("serializability: seed \(seed)")
        let directory = try ScratchFolder()
        let engine = inMemory ? try Engine.memory() : try Engine.file(directory.file())
        let history = History()
        try await history.fill(engine)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<12 {
                group.addTask {
                    var actor = RandomActor(engine: engine, history: history, seed: seed &* 1_000 &+ UInt64(task))
                    for _ in 0..<120 { try await actor.step() }
                }
            }
            try await group.waitForAll()
        }
        let summary = history.check()
        print("serializability: \(summary)")
        #expect(summary.violations == [], "seed \(seed)")
        // Neither everything nor nothing may have been in conflict, or the test shows nothing.
        #expect(summary.committed > 400 && summary.aborted > 20 && summary.blind > 20, "\(summary)")
        try await engine.checkAndShutDown()
    }

    @Test("the checker finds every violation", arguments: Flaw.allCases)
    func checker(flaw: Flaw) {
        let history = History()
        let key = DocumentKey(trusted: "c/0")
        func document(_ time: Int64, n: Int64) -> Document {
            Document(
                key: key, createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: time),
                fields: FieldBytes(FieldMap([("n", .integer(n))])))
        }
        func record(_ time: Int64, _ reads: [History.Read], n: Int64?) {
            history.add(
                History.Commit(
                    time: DocumentVersion(microseconds: time), isWriting: n != nil, reads: reads,
                    writes: n.map { [key: FieldBytes(FieldMap([("n", .integer($0))]))] } ?? [:]))
        }
        record(1, [], n: 1)
        record(2, [.document(key, document(1, n: 1))], n: 2)
        switch flaw {
        case .none: record(3, [.document(key, document(2, n: 2))], n: 3)
        case .lostUpdate: record(3, [.document(key, document(1, n: 1))], n: 2)
        case .phantom: record(3, [.query(.collection("c").filter("n", .equal, .integer(2)), [])], n: nil)
        case .staleSnapshot: record(2, [.document(key, document(1, n: 1))], n: nil)
        }
        #expect(history.check().violations.isEmpty == (flaw == .none))
    }

    enum Flaw: CaseIterable { case none, lostUpdate, phantom, staleSnapshot }

    @Test("a transaction that only reads always finds the same sum, whatever is moved about", arguments: [true, false])
    func sums(inMemory: Bool) async throws {
        let directory = try ScratchFolder()
        let engine = inMemory ? try Engine.memory() : try Engine.file(directory.file())
        let accounts = (0..<6).map { "accounts/\($0)" }
        _ = try await engine.commit(accounts.map { .set($0, ("balance", .integer(100))) }, context: .embedded)
        let start = try await engine.run(.collection("accounts"), context: .embedded).readTime
        func sum(_ documents: [Document?]) throws -> Int64 {
            try documents.reduce(0) { sum, document in
                guard case .integer(let balance) = try document?.fields.map["balance"] else { return sum }
                return sum + balance
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(task))
                    for _ in 0..<60 {
                        let pair = accounts.shuffled(using: &generator).prefix(2)
                        try await engine.commit(
                            .increment(pair[0], "balance", by: -7), .increment(pair[1], "balance", by: 7))
                    }
                }
            }
            for reader in 0..<4 {
                group.addTask {
                    for round in 0..<30 {
                        let mode = TransactionMode.readOnly(at: reader == 0 && round % 2 == 0 ? start : nil)
                        let id = try await engine.beginTransaction(mode, context: .embedded)
                        var documents: [Document?] = []
                        for account in accounts {
                            documents += try await engine.documents(
                                [DocumentKey(trusted: account)], options: .transaction(id), context: .embedded).documents
                        }
                        #expect(try sum(documents) == 600)
                        let all = try await engine.run(.collection("accounts"), options: .transaction(id), context: .embedded)
                        #expect(all.documents == documents)
                        try await engine.rollback(id, context: .embedded)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await engine.checkAndShutDown()
    }
}

/// Runs random transactions and records in the history what it saw.
private struct RandomActor {
    let engine: Engine
    let history: History
    private var generator: SeededGenerator

    init(engine: Engine, history: History, seed: UInt64) {
        self.engine = engine
        self.history = history
        generator = SeededGenerator(seed: seed)
    }

    private mutating func key() -> DocumentKey {
        // Few documents, some far more in demand than others.
        let number = min(Int.random(in: 0..<12, using: &generator), Int.random(in: 0..<12, using: &generator))
        return DocumentKey(trusted: (Bool.random(using: &generator) ? "c/" : "d/") + String(number))
    }

    private mutating func query() -> StructuredQuery {
        let n = Value.integer(.random(in: 0..<8, using: &generator))
        let collection = StructuredQuery.collection(Bool.random(using: &generator) ? "c" : "d")
        let limit = Int.random(in: 1...4, using: &generator)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return collection
        case 1: return collection.filter("n", .equal, n)
        case 2: return collection.filter("n", .greaterThan, n)
        case 3: return collection.ordered(by: "n", .descending).window(limit: limit)
        case 4: return collection.ordered(by: "n").window(offset: 1, limit: limit)
        case 5: return collection.filter("n", .lessThan, n).window(limit: 1)
        default: return .group("c")
        }
    }

    private mutating func write(of key: DocumentKey, after old: Document?) throws -> Write {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .delete(key.path)
        case 1: return .set(key.path, ("n", .integer(.random(in: 0..<8, using: &generator))), ("by", .string("blind")))
        default:
            // What is written depends on what was read.
            guard case .integer(let n) = try old?.fields.map["n"] else { return .set(key.path, ("n", .integer(0))) }
            return .set(key.path, ("n", .integer((n + 1) % 8)))
        }
    }

    mutating func step() async throws {
        if Int.random(in: 0..<8, using: &generator) == 0 { return try await writeBlindly() }
        let isReadOnly = Int.random(in: 0..<6, using: &generator) == 0
        let mode: TransactionMode = isReadOnly ? .readOnly(at: nil) : .readWrite(retrying: nil)
        let id = try await engine.beginTransaction(mode, context: .embedded)
        var reads: [History.Read] = []
        var known: [DocumentKey: Document?] = [:]
        var time = DocumentVersion.none
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            if Bool.random(using: &generator) {
                let key = key()
                let response = try await engine.documents([key], options: .transaction(id), context: .embedded)
                reads.append(.document(key, response.documents[0]))
                known.updateValue(response.documents[0], forKey: key)
                time = response.readTime
            } else {
                let query = query()
                let response = try await engine.run(query, options: .transaction(id), context: .embedded)
                reads.append(.query(query, response.documents))
                for document in response.documents { known[document.key] = document }
                time = response.readTime
            }
            if Bool.random(using: &generator) { await Task.yield() }
        }
        if isReadOnly {
            try await engine.rollback(id, context: .embedded)
            return history.add(History.Commit(time: time, isWriting: false, reads: reads, writes: [:]))
        }
        var writes: [Write] = []
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let key = known.keys.sorted().randomElement(using: &generator) ?? key()
            if writes.contains(where: { $0.key == key }) { continue }
            writes.append(try write(of: key, after: known[key] ?? nil))
        }
        do throws(FirestoreError) {
            let response = try await engine.commit(writes, in: id, context: .embedded)
            history.add(
                History.Commit(
                    time: response.commitTime, isWriting: !writes.isEmpty, reads: reads, writes: History.outcome(writes)))
        } catch {
            guard error.code == .aborted else { throw error }
            history.countAborted()
        }
    }

    private mutating func writeBlindly() async throws {
        let writes = [try write(of: key(), after: nil)]
        let response = try await engine.commit(writes, context: .embedded)
        history.add(
            History.Commit(
                time: response.commitTime, isWriting: true, reads: [], writes: History.outcome(writes)))
        history.countBlind()
    }
}
