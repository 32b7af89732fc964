// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreWire
import Foundation
import TestSupport
import Testing

@testable import FirestoreServer

/// Clients that follow official rules, over a real engine, while everything happens concurrently: what a client shows equals a
/// fresh query at every global snapshot (LS-11, LS-17), with nothing missed and nothing left over.
@Suite struct ListenModelTests {
    /// Small pools, so that values meet and windows are crossed.
    struct Chance {
        var generator: SeededGenerator
        init(_ seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }
        mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
        mutating func of(_ percent: Int) -> Bool { number(0...99) < percent }
        mutating func pick<T>(_ values: [T]) -> T { values[number(0...(values.count - 1))] }

        mutating func key() -> DocumentKey {
            DocumentKey(trusted: pick(["c", "c", "c", "d", "d/x/c"]) + "/" + pick(["1", "2", "3", "4", "5", "6", "7", "8", "9", "\u{E9}", "e\u{301}", "__id7__"]))
        }

        mutating func fields() -> FieldBytes {
            FieldBytes(FieldMap([("a", .integer(Int64(number(0...4)))), ("b", .integer(Int64(number(0...9)))), ("n", .integer(Int64(number(0...1_000_000))))]))
        }

        mutating func commit() -> [Write] {
            (0..<pick([1, 1, 1, 2, 5])).map { _ in
                Write(key: key(), operation: of(30) ? .delete : .set(fields()))
            }
        }

        mutating func target() -> ListenTargetRequest.Target {
            if of(20) { return .documents((0..<number(1...3)).map { _ in key() }) }
            var query = StructuredQuery(scope: of(15) ? .collectionGroup(id: "c", under: nil) : .collection(CollectionPath(trusted: "c")))
            if of(60) {
                let operators: [QueryFilter.FieldOperator] = [.equal, .greaterThan, .notEqual]
                query.filter = .field(FieldPathSegments("a"), pick(operators), ValueBytes(.integer(Int64(number(0...4)))))
            }
            if of(50) { query.orders = [FirestoreCore.SortOrder(path: FieldPathSegments("b"), direction: pick([.ascending, .descending]))] }
            if of(40) { query.limit = number(1...5) }
            if of(15) { query.offset = number(1...3) }
            if of(15) { query.projection = [FieldPathSegments("a")] }
            return .query(query)
        }
    }

    /// What is wrong with what a client has noted.
    private func faults(of client: ModelClient, in engine: Engine) async throws -> [String] {
        let (views, departures) = client.takeViews()
        var faults = client.complaints
        for view in views {
            var expected: [DocumentKey: Document] = [:]
            switch view.target {
            case .documents(let keys):
                for document in try await engine.documents(keys, options: .past(view.time), context: .embedded).documents {
                    if let document { expected[document.key] = document }
                }
            case .query(let query):
                for document in try await engine.run(query, options: .past(view.time), context: .embedded).documents { expected[document.key] = document }
            }
            if expected != view.documents {
                let keys = Set(expected.keys).union(view.documents.keys).filter { expected[$0] != view.documents[$0] }.sorted()
                let differences = keys.map { key in
                    let times = [view.documents[key], expected[key]].map { $0.map { "\($0.updateTime.microseconds)" } ?? "nothing" }
                    return "\(key) of \(times[0]), not \(times[1])"
                }
                faults.append("target \(view.id) at \(view.time.microseconds) shows \(differences.joined(separator: ", ")); \(view.target)")
            }
        }
        for departure in departures {
            // It was so at some moment; later changes outside the targets are not reported. But a delete must not be reported
            // with a time after the document was created again, or its new state would look older than that (LS-34).
            let isDelete = departure.document == nil
            let moment: ReadMoment = isDelete ? .latest : .past(departure.time)
            let now = try await engine.documents([departure.key], options: ReadOptions(moment), context: .embedded).documents[0]
            let isWrong = isDelete ? now.map { $0.updateTime <= departure.time } == true : now?.updateTime != departure.document?.updateTime
            guard isWrong else { continue }
            let (told, then) = (departure.document?.updateTime.microseconds, now?.updateTime.microseconds)
            faults.append("\(departure.key) was told to be of \(told ?? 0) at \(departure.time.microseconds), where it is of \(then ?? 0)")
        }
        return faults
    }

    /// Without targets there is nothing to receive.
    private func isSettled(_ client: ModelClient, _ time: DocumentVersion) -> Bool {
        client.isAllCurrent && (client.lastTime >= time || client.targetIDs.isEmpty)
    }

    private func settle(_ client: ModelClient, behind time: DocumentVersion) async {
        await eventually("everything told") {
            client.wake()
            client.tick()
            return isSettled(client, time)
        }
        let isDone = isSettled(client, time)
        #expect(isDone, "\(client.story), behind \(time.microseconds)")
    }

    @Test(arguments: 0..<TestScale.pick(quick: 4, full: 60))
    func `a client's views equal fresh queries at every snapshot`(seed: Int) async throws {
        var chance = Chance(seed)
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: listenDatabase))
        var limits = ListenLimits()
        if seed % 3 == 1 { limits = ListenLimits(heldChanges: 3, startingWatches: 2, heldFirstStates: 3) }
        let clients = (0..<2).map { _ in ModelClient(engine, limits: limits) }
        var time = DocumentVersion.none
        var nextID: Int32 = 0
        for _ in 0..<400 {
            let client = chance.pick(clients)
            switch chance.number(0...19) {
            case 0, 1:
                guard client.targetIDs.count < 8 else { continue }
                nextID += 2
                client.add(nextID, chance.target())
            case 2:
                if let id = client.targetIDs.first { client.remove(id) }
            case 3:
                client.disconnect()
                if chance.of(50) { time = try await engine.commit(chance.commit(), context: .embedded).commitTime }
                client.connect()
            case 4: client.sleep()
            case 5, 6: client.wake()
            case 7: client.tick()
            default: time = try await engine.commit(chance.commit(), context: .embedded).commitTime
            }
        }
        for client in clients {
            await settle(client, behind: time)
            let faults = try await faults(of: client, in: engine)
            #expect(faults.isEmpty, "seed \(seed): \(faults.count) faults, \(faults.prefix(3).joined(separator: "; "))")
            client.disconnect()
        }
        await engine.shutdown()
    }

    @Test func `a reader that sleeps through many commits costs no memory and wakes to the right state`() async throws {
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: listenDatabase))
        let client = ModelClient(engine, limits: ListenLimits(heldChanges: 500))
        client.add(2, .query(collection("c")))
        client.add(4, .documents([DocumentKey(trusted: "c/1")]))
        var time = try await engine.commit([Write(key: DocumentKey(trusted: "c/first"), operation: .set(.empty))], context: .embedded).commitTime
        await settle(client, behind: time)
        client.sleep()
        let count = TestScale.pick(quick: 5_000, full: 50_000)
        let last = Mutex<CommitResponse?>(nil)
        for n in 0..<count {
            let key = DocumentKey(trusted: "c/\(n % 2_000)")
            let write = Write(key: key, operation: n % 7 == 3 ? .delete : .set(FieldBytes(FieldMap([("n", .integer(Int64(n)))]))))
            engine.submit([write], context: .embedded) { result in
                if n == count - 1 { last.withLock { $0 = try? result.get() } }
            }
        }
        await eventually("all commits") { last.withLock { $0 != nil } }
        time = last.withLock { $0?.commitTime ?? .none }
        let before = client.figures
        await settle(client, behind: time)
        let after = client.figures
        // What was in flight, and then each document once or twice, not each commit.
        #expect(after.received - before.received < 6_000)
        #expect(try await faults(of: client, in: engine) == [])
        client.disconnect()
        await engine.shutdown()
    }
}
