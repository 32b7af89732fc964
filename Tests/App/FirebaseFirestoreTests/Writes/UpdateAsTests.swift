// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// Read, change, write: MP-70, MP-74, MP-75, rows W7 … W10.
///
/// The closure submits others' changes without waiting, so between read and write: commits of one client are applied in order.
@Suite struct UpdateAsTests {
    struct Counter: Codable, Equatable {
        @DocumentID var id: String?
        var n: Int
    }

    final class Shared: Codable {
        var n: Int
        init(n: Int) { self.n = n }
    }

    struct Mistake: Error {}

    let db = Scratch.firestore()
    var ref: DocumentReference { db.document("c/a") }

    @Test func `the closure's change is written, the rest stays`() async throws {
        try await ref.setData(["n": 1, "x": 9])
        let written = try await ref.update(as: Counter.self) { $0.n += 1 }
        #expect(written.n == 2 && written.id == "a")
        #expect(try await ref.getDocument().data() as? [String: Int] == ["n": 2, "x": 9])
        // A class has one object only, whose old state is encoded before it changes.
        try await ref.update(as: Shared.self) { $0.n += 1 }
        #expect(try await ref.getDocument()["n"] as? Int == 3)
    }

    @Test func `twenty tasks count to twenty`() async throws {
        // MP row W7
        try await ref.setData(["n": 0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { [ref] in try await ref.update(as: Counter.self) { $0.n += 1 } } }
            try await group.waitForAll()
        }
        #expect(try await ref.getDocument()["n"] as? Int == 20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { [ref] in try await ref.update(as: Counter.self, conflict: .lastWriterWins) { $0.n += 1 } } }
            try await group.waitForAll()
        }
        #expect(try await ref.getDocument()["n"] as? Int == 40)
    }

    @Test func `after a conflict the closure runs on fresh data`() async throws {
        try await ref.setData(["n": 1])
        var runs = 0
        try await ref.update(as: Counter.self) { [ref] counter in
            runs += 1
            if runs == 1 { ref.updateData(["n": 10, "x": 1], completion: nil) }
            counter.n += 1
        }
        #expect(runs == 2)
        #expect(try await ref.getDocument().data() as? [String: Int] == ["n": 11, "x": 1])
    }

    @Test func `when others change the document each time, the call fails with the number of attempts`() async throws {
        // MP-75
        try await ref.setData(["n": 0])
        var runs = 0
        let error = await failure {
            try await ref.update(as: Counter.self, conflict: .retry(2)) { [ref] counter in
                runs += 1
                ref.updateData(["x": FieldValue.increment(Int64(1))], completion: nil)
                counter.n += 1
            }
        }
        #expect(isFailure(error, .aborted, naming: "c/a", "3 attempts"))
        #expect(runs == 3)
        #expect(try await ref.getDocument().data() as? [String: Int] == ["n": 0, "x": 3])
    }

    @Test func `fail leaves the first conflict to the caller, the last writer wins field by field`() async throws {
        // MP-75
        for conflict in [UpdateConflict.fail, .lastWriterWins] {
            try await ref.setData(["n": 1, "x": 1])
            let error = await failure {
                try await ref.update(as: Counter.self, conflict: conflict) { [ref] counter in
                    ref.setData(["n": 5, "x": 5], completion: nil)
                    counter.n += 1
                }
            }
            let expected = conflict == .fail ? ["n": 5, "x": 5] : ["n": 2, "x": 5]
            #expect(conflict == .fail ? isFailure(error, .failedPrecondition) : error == nil)
            #expect(try await ref.getDocument().data() as? [String: Int] == expected)
        }
    }

    @Test func `nothing is written if the closure changes nothing, or throws`() async throws {
        // MP-74, MP row W9
        try await ref.setData(["n": 1])
        let time = try await ref.getDocument().updateTime
        try await ref.update(as: Counter.self) { _ in }
        try await ref.update(as: Counter.self, unchanged: .checked) { _ in }
        let error = await failure {
            try await ref.update(as: Counter.self) { counter in
                counter.n = 7
                throw Mistake()
            }
        }
        #expect(error is Mistake)
        #expect(try await ref.getDocument().updateTime == time)
        // The line of the document is free again.
        try await ref.update(as: Counter.self) { $0.n += 1 }
        // Checked: another client's change is noticed although there is nothing to write.
        let noticed = await failure {
            try await ref.update(as: Counter.self, conflict: .fail, unchanged: .checked) { [ref] _ in
                ref.setData(["n": 50], completion: nil)
            }
        }
        #expect(isFailure(noticed, .failedPrecondition))
    }

    @Test func `a missing document is not created, and a document that does not decode is not changed`() async throws {
        let missing = await failure { try await ref.update(as: Counter.self) { $0.n = 1 } }
        #expect(isFailure(missing, .notFound, naming: "c/a"))
        let last = await failure { try await ref.update(as: Counter.self, conflict: .lastWriterWins) { $0.n = 1 } }
        #expect(isFailure(last, .notFound))
        try await ref.setData(["n": "x"])
        await #expect(throws: DecodingError.self) { try await ref.update(as: Counter.self) { $0.n = 1 } }
        let bad = await failure { try await db.document("c").update(as: Counter.self) { $0.n = 1 } }
        #expect(isFailure(bad, .invalidArgument))
    }

    @Test func `a document deleted between read and write is not found`() async throws {
        // MP row W10
        try await ref.setData(["n": 1])
        let error = await failure {
            try await ref.update(as: Counter.self) { [ref] counter in
                ref.delete(completion: nil)
                counter.n += 1
            }
        }
        #expect(isFailure(error, .notFound))
        try await ref.setData(["n": 1])
        let snapshot = try await ref.getDocument()
        try await ref.delete()
        let late = await failure { try await snapshot.update(as: Counter.self) { $0.n += 1 } }
        #expect(isFailure(late, .failedPrecondition))
        #expect(try await !ref.getDocument().exists)
    }

    @Test func `a snapshot is updated if it is still true`() async throws {
        // MP row W8
        try await ref.setData(["n": 1, "x": 9])
        let snapshot = try await ref.getDocument()
        let written = try await snapshot.update(as: Counter.self) { $0.n += 1 }
        #expect(written.n == 2)
        #expect(try await ref.getDocument().data() as? [String: Int] == ["n": 2, "x": 9])
        let error = await failure { try await snapshot.update(as: Counter.self) { $0.n += 1 } }
        #expect(isFailure(error, .failedPrecondition))
        let unchanged = await failure { try await snapshot.update(as: Counter.self, unchanged: .checked) { _ in } }
        #expect(isFailure(unchanged, .failedPrecondition))
        try await snapshot.update(as: Counter.self) { _ in }
        #expect(try await ref.getDocument()["n"] as? Int == 2)
        let missing = try await db.document("c/none").getDocument()
        #expect(isFailure(await failure { try await missing.update(as: Counter.self) { $0.n += 1 } }, .notFound))
        let queried = try #require(try await db.collection("c").getDocuments().documents.first)
        try await queried.update(as: Counter.self) { $0.n = 40 }
        #expect(try await ref.getDocument()["n"] as? Int == 40)
    }

    @Test func `a canceled task writes nothing`() async throws {
        try await ref.setData(["n": 0])
        let task = Task { [ref] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await ref.update(as: Counter.self) { $0.n += 100 }
        }
        #expect(isFailure(await failure { try await task.value }, .cancelled))
        try await ref.update(as: Counter.self) { $0.n += 1 }
        #expect(try await ref.getDocument()["n"] as? Int == 1)
    }
}
