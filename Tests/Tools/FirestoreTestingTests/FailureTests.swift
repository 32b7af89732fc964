// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import TestSupport
import Testing

struct FailureTests {
    let db: TestFirestore
    var document: DocumentReference { db.firestore.document("cities/SF") }
    var cities: CollectionReference { db.firestore.collection("cities") }

    init() throws { db = try TestFirestore() }

    private func code(_ body: () async throws -> Void) async -> FirestoreErrorCode.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? FirestoreErrorCode)?.code
        }
    }

    @Test(arguments: FirestoreErrorCode.Code.allCases.filter { $0 != .OK })
    func `the next write fails with the code and is not applied, the one after succeeds`(code: FirestoreErrorCode.Code) async throws {
        db.failNext(.writes, with: code)
        #expect(await self.code { try await document.setData(["n": 1]) } == code)
        #expect(try await document.getDocument().exists == false)
        try await document.setData(["n": 2])
        #expect(try await document.getDocument()["n"] as? Int == 2)
    }

    @Test func `an injected failure is an NSError in every spelling`() async throws {
        db.failNext(.all, count: 5, with: .unavailable)
        let ways: [() async throws -> Void] = [
            { try await document.setData([:]) }, { try await document.getDocument() }, { try await cities.getDocuments() },
            { _ = try await cities.count.getAggregation(source: .server) }, { _ = try await db.nextSnapshot(of: cities) },
        ]
        for way in ways {
            do {
                try await way()
                Issue.record("nothing failed")
            } catch {
                #expect(ErrorSpellings.missing(error, domain: FirestoreErrorDomain, code: 14).isEmpty, "\(error)")
            }
        }
        #expect(db.pendingFailures == 0)
    }

    @Test func `a failed batch is not applied in any part`() async throws {
        db.failNext(.writes, with: .resourceExhausted, at: "cities/LA")
        let batch = db.firestore.batch()
        batch.setData(["n": 1], forDocument: document)
        batch.setData(["n": 1], forDocument: cities.document("LA"))
        #expect(await code { try await batch.commit() } == .resourceExhausted)
        #expect(try await cities.getDocuments().isEmpty)
    }

    @Test func `so many operations fail, then no more`() async throws {
        db.failNext(.all, count: 3, with: .unavailable)
        #expect(db.pendingFailures == 3)
        #expect(await code { try await document.getDocument() } == .unavailable)
        #expect(await code { try await document.setData([:]) } == .unavailable)
        #expect(await code { try await cities.getDocuments() } == .unavailable)
        #expect(db.pendingFailures == 0)
        #expect(await code { try await cities.getDocuments() } == nil)
    }

    @Test func `failures are injected in the order of requests`() async throws {
        db.failNext(.reads, with: .unavailable)
        db.failNext(.reads, with: .permissionDenied)
        #expect(await code { try await document.getDocument() } == .unavailable)
        #expect(await code { try await document.getDocument() } == .permissionDenied)
    }

    @Test func `kinds that were not asked for go through`() async throws {
        db.failNext(.reads, with: .unavailable)
        try await document.setData(["n": 1])
        db.failNext(.writes, with: .aborted)
        #expect(await code { try await document.getDocument() } == .unavailable)
        #expect(try await document.getDocument().exists)
        #expect(await code { try await document.delete() } == .aborted)
    }

    static let places: [(path: String, fails: Set<String>)] = [
        ("cities/SF", ["document", "below"]),
        ("cities", ["document", "below", "collection", "other"]),
        ("cities/SF/landmarks", ["below", "group"]),
        ("/cities/", ["document", "below", "collection", "other"]),
        ("landmarks", ["group"]),
        ("cit", []),
        ("", ["document", "below", "collection", "other", "group"]),
    ]

    @Test(arguments: places)
    func `only operations at the path fail`(path: String, fails: Set<String>) async throws {
        db.failNext(.reads, count: .max, with: .unavailable, at: path)
        var failed: Set<String> = []
        if await code({ try await document.getDocument() }) != nil { failed.insert("document") }
        if await code({ try await document.collection("landmarks").getDocuments() }) != nil { failed.insert("below") }
        if await code({ try await cities.getDocuments() }) != nil { failed.insert("collection") }
        if await code({ try await cities.document("LA").getDocument() }) != nil { failed.insert("other") }
        if await code({ try await db.firestore.collectionGroup("landmarks").getDocuments() }) != nil { failed.insert("group") }
        #expect(failed == fails)
    }

    @Test func `failures without end stop on request`() async throws {
        db.failNext(.writes, count: .max, with: .unavailable)
        for _ in 0..<5 { #expect(await code { try await document.setData([:]) } == .unavailable) }
        db.stopFailing()
        #expect(db.pendingFailures == 0)
        #expect(await code { try await document.setData([:]) } == nil)
    }

    @Test func `a count below one asks for nothing`() async throws {
        db.failNext(.all, count: 0, with: .unavailable)
        db.failNext(.all, count: -3, with: .unavailable)
        #expect(db.pendingFailures == 0)
    }

    @Test func `a transaction that loses is tried again, as often as in the real thing`() async throws {
        try await document.setData(["n": 0])
        db.failNext(.writes, count: 2, with: .aborted)
        let document = document
        let runs = try await db.firestore.runTransaction { transaction, _ in
            let n = (try? transaction.getDocument(document))?["n"] as? Int ?? -1
            transaction.updateData(["n": n + 1, "runs": FieldValue.increment(Int64(1))], forDocument: document)
            return n
        }
        #expect(runs as? Int == 0)
        #expect(try await document.getDocument()["n"] as? Int == 1)
        #expect(try await document.getDocument()["runs"] as? Int == 1)

        db.failNext(.writes, count: 5, with: .aborted)
        let error = await code {
            try await db.firestore.runTransaction { transaction, _ in
                transaction.updateData(["n": 9], forDocument: document)
                return nil
            }
        }
        #expect(error == .aborted)
        #expect(try await document.getDocument()["n"] as? Int == 1)
    }

    @Test func `a listener that is to fail fails at its start, and a new one works`() async throws {
        db.failNext(.listeners, with: .permissionDenied)
        #expect(await code { try await db.nextSnapshot(of: cities) } == .permissionDenied)
        #expect(try await db.nextSnapshot(of: cities).isEmpty)
    }

    @Test func `the receipt of a synchronous write reports the failure`() async throws {
        db.failNext(.writes, with: .unavailable)
        let receipt = document.setData(["n": 1], completion: nil)
        _ = receipt
        try await db.firestore.waitForPendingWrites()
        #expect(try await document.getDocument().exists == false)
    }
}
