// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Snapshots as asynchronous sequences.
@Suite struct SnapshotsSequenceTests {
    let db = Scratch.firestore()

    @Test func `a document's states arrive one after the other`() async throws {
        let city = db.document("cities/SF")
        var states: [Int?] = []
        for try await snapshot in city.snapshots {
            states.append(snapshot["n"] as? Int)
            if states.count == 3 { break }
            try await city.setData(["n": states.count])
        }
        #expect(states == [nil, 1, 2])
    }

    @Test func `a slow loop gets the newest state and all changes in one`() async throws {
        let cities = db.collection("cities")
        var iterator = cities.snapshots(includeMetadataChanges: false).makeAsyncIterator()
        #expect(try await iterator.next()?.count == 0)
        for number in 0..<20 { try await cities.document("\(number)").setData(["n": number]) }
        var added = 0
        var count = 0
        while count < 20 {
            let snapshot = try #require(try await iterator.next())
            added += snapshot.documentChanges.count
            count = snapshot.count
        }
        #expect(added == 20)
    }

    @Test func `cancelling the task ends the sequence`() async throws {
        let city = db.document("cities/SF")
        let started = Collector<Bool>()
        let task = Task {
            var count = 0
            for try await _ in city.snapshots {
                count += 1
                started.append(true)
            }
            return count
        }
        _ = await started.first(1)
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test func `terminating throws into a loop that waits`() async throws {
        let city = db.document("cities/SF")
        let started = Collector<Bool>()
        let task = Task {
            for try await _ in city.snapshots { started.append(true) }
        }
        _ = await started.first(1)
        try await db.terminate()
        let error = await failure { try await task.value }
        #expect(isFailure(error, .failedPrecondition))
    }

    @Test func `a query that cannot be asked throws into the loop`() async throws {
        let error = await failure { for try await _ in db.collection("cities").limit(to: -1).snapshots {} }
        #expect(isFailure(error, .invalidArgument))
        let other = await failure { for try await _ in db.document("cities").snapshots {} }
        #expect(isFailure(other, .invalidArgument))
        let typed = await failure {
            for try await _ in db.collection("cities").limit(to: -1).snapshots(as: [String: Int].self) {}
        }
        #expect(isFailure(typed, .invalidArgument))
    }

    @Test func `typed states of a document continue after one that does not decode`() async throws {
        let city = db.document("cities/SF")
        try await city.setData(["n": 1])
        var iterator = city.snapshots(as: [String: Int].self).makeAsyncIterator()
        #expect(try await iterator.next()?.get() == ["n": 1])
        try await city.setData(["n": "one"])
        let bad = try #require(try await iterator.next())
        #expect(throws: DecodingError.self) { try bad.get() }
        try await city.setData(["n": 2])
        #expect(try await iterator.next()?.get() == ["n": 2])
        try await city.delete()
        let gone = try #require(try await iterator.next())
        #expect(throws: DecodingError.self) { try gone.get() }
    }

    @Test func `a loop that never asks holds one state, and its listener ends with the iterator`() async throws {
        let cities = db.collection("cities")
        func start() -> Query.QuerySnapshotsSequence.Iterator { cities.snapshots.makeAsyncIterator() }
        var idle: Query.QuerySnapshotsSequence.Iterator? = start()
        for number in 0..<50 { try await cities.document("\(number)").setData(["n": number]) }
        let snapshot = try #require(try await idle?.next())
        #expect(snapshot.documentChanges.count == snapshot.count)
        idle = nil
        try await cities.document("50").setData(["n": 50])
    }

    @Test func `terminating throws into the loop`() async throws {
        let sequence = db.collection("cities").snapshots
        var iterator = sequence.makeAsyncIterator()
        _ = try await iterator.next()
        try await db.terminate()
        let error = await failure { for try await _ in sequence {} }
        #expect(isFailure(error, .failedPrecondition))
    }
}
