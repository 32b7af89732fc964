// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `WriteBatch`.
@Suite struct WriteBatchTests {
    let db = Scratch.firestore()

    @Test func `all writes happen together`() async throws {
        let (a, b, c) = (db.document("x/a"), db.document("x/b"), db.document("x/c"))
        try await c.setData(["gone": true])
        try await db.batch()
            .setData(["n": 1], forDocument: a)
            .setData(["m": 1], forDocument: a, merge: true)
            .setData(["n": 1, "ignored": 1], forDocument: b, mergeFields: ["n"])
            .updateData(["n": FieldValue.increment(Int64(1))], forDocument: b)
            .deleteDocument(c)
            .commit()
        #expect(try await a.getDocument().data()?.count == 2)
        #expect(try await b.getDocument()["n"] as? Int == 2)
        #expect(try await b.getDocument()["ignored"] == nil)
        #expect(try await c.getDocument().exists == false)
    }

    @Test func `one rejected write fails the whole batch`() async throws {
        let (a, b) = (db.document("x/a"), db.document("x/b"))
        let batch = db.batch()
        batch.setData(["n": 1], forDocument: a)
        batch.updateData(["n": 1], forDocument: b)
        let error: (any Error)? = await completion { done in batch.commit { done($0) } }
        #expect(isFailure(error, .notFound, naming: "x/b"))
        #expect(try await a.getDocument().exists == false)
    }

    @Test func `an empty batch is fine and a foreign reference is not`() async throws {
        try await db.batch().commit()
        let foreign = Scratch.firestore().document("x/a")
        let error = await failure { try await db.batch().deleteDocument(foreign).commit() }
        #expect(isFailure(error, .invalidArgument, naming: "x/a"))
    }
}
