// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Times of snapshots, and conditions of writes: MP-77.
@Suite struct PreconditionTests {
    struct Letter: Codable { var n: Int }

    let db = Scratch.firestore()
    var ref: DocumentReference { db.document("c/a") }

    private func number() async throws -> Int? { try await ref.getDocument()["n"] as? Int }

    @Test func `a snapshot says when its document was created and changed`() async throws {
        let missing = try await ref.getDocument()
        #expect(missing.createTime == nil && missing.updateTime == nil)
        try await ref.setData(["n": 1])
        let first = try await ref.getDocument()
        let (created, updated) = (try #require(first.createTime), try #require(first.updateTime))
        #expect(created == updated)
        #expect(abs(created.dateValue().timeIntervalSinceNow) < 3_600)
        // A write that changes nothing preserves the time.
        try await ref.setData(["n": 1])
        #expect(try await ref.getDocument().updateTime == updated)
        try await ref.setData(["n": 2])
        let second = try await ref.getDocument()
        #expect(second.createTime == created)
        #expect(try #require(second.updateTime).compare(updated) == .orderedDescending)
        let queried = try #require(try await db.collection("c").getDocuments().documents.first)
        #expect(queried.updateTime == second.updateTime && queried.createTime == created)
        var heard: Timestamp?
        for try await snapshot in ref.snapshots {
            heard = snapshot.updateTime
            if heard != nil { break }
        }
        #expect(heard == second.updateTime)
    }

    @Test func `writes are made if their conditions hold, and only then`() async throws {
        let old = Timestamp(seconds: 1_000, nanoseconds: 0)
        for refused in [Precondition.exists, .updatedAt(old)] {
            let code: FirestoreErrorCode.Code = refused == .exists ? .notFound : .failedPrecondition
            #expect(isFailure(await failure { try await ref.setData(["n": 1], precondition: refused) }, code))
            #expect(isFailure(await failure { try await ref.updateData(["n": 1], precondition: refused) }, code))
            #expect(isFailure(await failure { try await ref.delete(precondition: refused) }, code))
            #expect(isFailure(await failure { try await ref.setData(from: Letter(n: 1), precondition: refused).acknowledged }, code))
            #expect(isFailure(await failure { try await ref.updateData(from: Letter(n: 1), precondition: refused).acknowledged }, code))
        }
        #expect(try await number() == nil)
        try await ref.setData(["n": 1], precondition: .missing)
        #expect(isFailure(await failure { try await ref.setData(["n": 2], precondition: .missing) }, .alreadyExists))
        #expect(isFailure(await failure { try await ref.setData(from: Letter(n: 2), precondition: .missing).saved }, .alreadyExists))
        #expect(try await number() == 1)
        var time = try #require(try await ref.getDocument().updateTime)
        try await ref.setData(["n": 3, "m": 1], precondition: .updatedAt(time))
        #expect(isFailure(await failure { try await ref.setData(["n": 4], precondition: .updatedAt(time)) }, .failedPrecondition))
        time = try #require(try await ref.getDocument().updateTime)
        try await ref.setData(["n": 5], merge: true, precondition: .updatedAt(time))
        #expect(try await ref.getDocument().data() as? [String: Int] == ["n": 5, "m": 1])
        try await ref.updateData(["n": 6], precondition: .exists)
        try await ref.updateData(from: Letter(n: 7), precondition: .exists).acknowledged
        try await ref.setData(from: Letter(n: 8), merge: true, precondition: .exists).acknowledged
        #expect(try await ref.getDocument().data() as? [String: Int] == ["n": 8, "m": 1])
        time = try #require(try await ref.getDocument().updateTime)
        try await ref.delete(precondition: .updatedAt(time))
        #expect(try await number() == nil)
    }

    @Test func `a time that no document can have is rejected`() async throws {
        for time in [Timestamp(seconds: 1, nanoseconds: 1), Timestamp(seconds: .max, nanoseconds: 0)] {
            let error = await failure { try await ref.delete(precondition: .updatedAt(time)) }
            #expect(isFailure(error, .invalidArgument, naming: "c/a"))
        }
        let future = Timestamp(date: Date(timeIntervalSinceNow: 86_400))
        let error = await failure { try await ref.setData([:], precondition: .updatedAt(future)) }
        #expect(isFailure(error, .invalidArgument) || isFailure(error, .failedPrecondition))
    }

    @Test func `completion handlers and receipts receive the outcome`() async throws {
        let told: (any Error)? = await completion { done in ref.setData(["n": 1], precondition: .exists) { done($0) } }
        #expect(isFailure(told, .notFound))
        let made: (any Error)? = await completion { done in ref.setData(["n": 1], precondition: .missing) { done($0) } }
        #expect(made == nil)
        let updated: (any Error)? = await completion { done in ref.updateData(["n": 2], precondition: .exists) { done($0) } }
        #expect(updated == nil)
        #expect(try await number() == 2)
        let deleted: (any Error)? = await completion { done in ref.delete(precondition: .exists) { done($0) } }
        #expect(deleted == nil)
        let receipt = ref.delete(precondition: .exists, completion: nil)
        #expect(isFailure(await failure { try await receipt.acknowledged }, .notFound))
    }

    @Test func `one condition that does not hold stops a whole batch`() async throws {
        try await ref.setData(["n": 1])
        let time = try #require(try await ref.getDocument().updateTime)
        let other = db.document("c/b")
        func batch(_ condition: Precondition) throws -> WriteBatch {
            try db.batch().setData(["n": 2], forDocument: other, precondition: .missing)
                .updateData(["n": 2], forDocument: ref, precondition: condition)
                .updateData(from: Letter(n: 3), forDocument: ref, precondition: .exists)
        }
        let refused = await failure { try await batch(.updatedAt(Timestamp(seconds: 1_000, nanoseconds: 0))).commit() }
        #expect(isFailure(refused, .failedPrecondition))
        #expect(try await !other.getDocument().exists)
        try await batch(.updatedAt(time)).commit()
        #expect(try await number() == 3)
        try await db.batch().deleteDocument(other, precondition: .exists)
            .setData(from: Letter(n: 9), forDocument: ref, precondition: .exists).commit()
        #expect(try await !other.getDocument().exists)
        #expect(try await number() == 9)
    }

    @Test func `conditions see the writes made before them`() async throws {
        // With a cache: also those that are still queued.
        ref.setData(["n": 1], completion: nil)
        try await ref.updateData(["n": 2], precondition: .exists)
        #expect(try await number() == 2)
    }
}
