// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

struct NextSnapshotTests {
    let db: TestFirestore
    var cities: CollectionReference { db.firestore.collection("cities") }

    init() throws { db = try TestFirestore() }

    @Test func `the first is the present result, the next ones follow the changes`() async throws {
        try await cities.document("SF").setData(["population": 8])
        #expect(try await db.nextSnapshot(of: cities).count == 1)
        try await cities.document("LA").setData(["population": 39])
        let second = try await db.nextSnapshot(of: cities)
        #expect(second.count == 2)
        #expect(second.documentChanges.map(\.document.documentID) == ["LA"])
    }

    @Test func `waits for a change that comes later`() async throws {
        let document = cities.document("SF")
        #expect(try await db.nextSnapshot(of: document).exists == false)
        async let next = db.nextSnapshot(of: document)
        try await document.setData(["population": 8])
        #expect(try await next["population"] as? Int == 8)
    }

    @Test func `a condition skips snapshots that do not meet it`() async throws {
        let document = cities.document("SF")
        async let reached = db.nextSnapshot(of: document) { $0["n"] as? Int == 5 }
        for n in 0...5 { try await document.setData(["n": n]) }
        #expect(try await reached["n"] as? Int == 5)
    }

    @Test func `equal queries share the sequence, others have their own`() async throws {
        let small = cities.whereField("population", isLessThan: 10)
        try await cities.document("SF").setData(["population": 8])
        _ = try await db.nextSnapshot(of: small)
        _ = try await db.nextSnapshot(of: cities)
        try await cities.document("LA").setData(["population": 39])
        #expect(try await db.nextSnapshot(of: cities).count == 2)
        try await cities.document("X").setData(["population": 1])
        #expect(try await db.nextSnapshot(of: cities.whereField("population", isLessThan: 10)).count == 2)
    }

    @Test func `without a snapshot in time the wait fails with the reason`() async throws {
        _ = try await db.nextSnapshot(of: cities)
        await #expect {
            try await db.nextSnapshot(of: cities, within: .milliseconds(1))
        } throws: { error in
            FirestoreErrorCode.deadlineExceeded ~= error && "\(error)".contains("cities") && "\(error)".contains("no snapshot")
        }
        var passedOver = 0
        do {
            try await db.nextSnapshot(of: cities.document("SF"), within: .milliseconds(20)) { snapshot in
                passedOver += 1
                return snapshot.exists
            }
            Issue.record("there is no such document")
        } catch {
            // Whether the first snapshot came in time is not for a test to say.
            #expect(FirestoreErrorCode.deadlineExceeded ~= error)
            #expect("\(error)".contains(passedOver == 0 ? "no snapshot" : "snapshots seen: 1"))
        }
        // A cancelled waiter does not consume a snapshot.
        try await cities.document("SF").setData([:])
        #expect(try await db.nextSnapshot(of: cities).count == 1)
        #expect(try await db.nextSnapshot(of: cities.document("SF"), where: \.exists).exists)
    }

    @Test func `a cancelled wait ends immediately`() async throws {
        _ = try await db.nextSnapshot(of: cities)
        let (db, cities) = (db, cities)
        let waiting = Task { try await db.nextSnapshot(of: cities, within: .seconds(600)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `several waiting calls get one snapshot each, in turn`() async throws {
        _ = try await db.nextSnapshot(of: cities)
        let (db, cities) = (db, cities)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 { group.addTask { try await db.nextSnapshot(of: cities).count } }
            try await cities.document("SF").setData([:])
            let first = try await group.next()
            try await cities.document("LA").setData([:])
            return [first, try await group.next()]
        }
        #expect(counts == [1, 2])
    }

    @Test func `a query that cannot be asked fails`() async throws {
        await #expect { try await db.nextSnapshot(of: cities.limit(to: 0)) } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
        await #expect { try await db.nextSnapshot(of: db.firestore.document("a")) } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
    }

    @Test func `completion handlers come on the queue that was asked for`() async throws {
        let queue = DispatchQueue(label: "mine")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let db = try TestFirestore(callbackQueue: queue)
        let isMine = await withCheckedContinuation { continuation in
            db.firestore.document("a/b").setData([:]) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) ?? false)
            }
        }
        #expect(isMine)
    }
}
