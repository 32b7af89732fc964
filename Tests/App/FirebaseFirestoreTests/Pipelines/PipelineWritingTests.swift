// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Pipelines that write, as an app runs them, on a database.
@Suite(.only(.pipelines)) struct PipelineWritingTests {
    let db = Scratch.firestore()

    private func modified(_ pipeline: Pipeline) async throws -> Int? {
        let results = try await pipeline.execute().results
        return results.count == 1 && results[0].ref == nil ? results[0].get("documents_modified") as? Int : nil
    }

    private func fields(_ path: String) async throws -> NSDictionary? { try await db.document(path).getDocument().data() as NSDictionary? }

    // PT-196, PT-197
    @Test func `update replaces the fields of the documents by those of the rows`() async throws {
        let shop = db.pipeline().collection(try await Shop.fill(db))
        #expect(try await modified(shop.where(Field("k").equal("tea")).update([Constant(5).as("c")])) == 2)
        #expect(try await fields("shop/p1") == ["k": "tea", "c": 5, "g": ["h": 1]])
        #expect(try await fields("shop/p2") == ["k": "tea", "c": 5])
        #expect(try await modified(shop.where(Field("g").exists()).removeFields(["g"]).update()) == 1)
        #expect(try await fields("shop/p1") == ["k": "tea", "c": 5])
        #expect(try await modified(shop.where(Field("k").equal("none")).update()) == 0)
    }

    // PT-198
    @Test func `delete deletes the documents of the rows`() async throws {
        let shop = db.pipeline().collection(try await Shop.fill(db))
        #expect(try await modified(shop.where(Field("k").isAbsent()).delete()) == 1)
        #expect(try await db.collection("shop").getDocuments().documents.map(\.documentID) == ["p1", "p2", "p3", "p4"])
    }

    // PT-199, PT-200
    @Test func `rows without documents are not updated, and nothing follows a stage that writes`() async throws {
        let shop = db.pipeline().collection(try await Shop.fill(db))
        let unnamed = await failure { try await shop.select(["c"]).update().execute() }
        let followed = await failure { try await shop.delete().limit(1).execute() }
        #expect(isFailure(unnamed, .invalidArgument) && isFailure(followed, .invalidArgument))
        #expect(try await db.collection("shop").getDocuments().count == 5)
    }

    // PT-211, PT-212, PT-213
    @Test func `insert makes documents, and only new ones`() async throws {
        let row = db.pipeline().literals([["id": "n1", "v": 1]])
        let insert = row.insert(collection: "made", documentId: Field("id"))
        #expect(try await modified(insert) == 1)
        #expect(try await fields("made/n1") == ["id": "n1", "v": 1])
        #expect(isFailure(await failure { try await insert.execute() }, .alreadyExists))
        #expect(try await modified(row.insert(collection: db.collection("random"))) == 1)
        #expect(try await db.collection("random").getDocuments().documents.map(\.documentID.count) == [20])
        #expect(isFailure(await failure { try await row.insert().execute() }, .invalidArgument))
    }

    // PT-214, PT-215
    @Test func `upsert makes documents or replaces them`() async throws {
        let shop = db.pipeline().collection(try await Shop.fill(db))
        let copy = shop.where(Field("k").equal("tea")).upsert([Constant(1).as("seen")], collection: "copy")
        #expect(try await modified(copy) == 2)
        #expect(try await modified(copy) == 2)
        #expect(try await fields("copy/p1") == ["k": "tea", "c": 3, "g": ["h": 1], "seen": 1])
        #expect(try await fields("shop/p1") == ["k": "tea", "c": 3, "g": ["h": 1]])
        #expect(try await modified(shop.select([Field(FieldPath.documentID()), Field("k")]).upsert()) == 5)
        #expect(try await fields("shop/p1") == ["k": "tea"])
    }

    @Test func `a few documents are written all or none in any case`() async throws {
        let shop = try await Shop.fill(db)
        try await db.document("copy/p3").setData(["v": 1])
        for atomic in [true, false] {
            let insert = db.pipeline().collection(shop).insert(collection: "copy")
            #expect(isFailure(await failure { try await insert.execute(atomic: atomic) }, .alreadyExists))
            #expect(try await db.collection("copy").getDocuments().count == 1)
        }
    }

    // PT-218
    @Test func `in a transaction the commit writes`() async throws {
        let shop = try await Shop.fill(db)
        let counts = Collector<Int>()
        try await db.runTransaction { transaction, errorPointer in
            do {
                let found = try transaction.execute(self.db.pipeline().collection(shop).where(Field("k").equal("tea")).delete())
                counts.append(found.results.first?.get("documents_modified") as? Int ?? -1)
                transaction.setData(["done": true], forDocument: self.db.document("log/l1"))
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
        #expect(counts.elements == [2])
        #expect(try await shop.getDocuments().documents.map(\.documentID) == ["p3", "p4", "p5"])
        #expect(try await fields("log/l1") == ["done": true])
    }

    @Test func `a transaction that only reads does not run them`() async throws {
        let shop = try await Shop.fill(db)
        let options = TransactionOptions()
        options.isReadOnly = true
        let error = await failure {
            try await db.runTransaction(with: options) { transaction, errorPointer in
                do {
                    try transaction.execute(self.db.pipeline().collection(shop).delete())
                } catch {
                    errorPointer?.pointee = error as NSError
                }
                return nil
            }
        }
        #expect(isFailure(error, .invalidArgument))
        #expect(try await shop.getDocuments().count == 5)
    }
}
