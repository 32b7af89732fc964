// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `setData`, `updateData`, `delete` and `addDocument` (WR-40 … WR-44).
@Suite struct SetDataTests {
    let db = Scratch.firestore()
    var city: DocumentReference { db.document("cities/SF") }

    private func fields() async throws -> NSDictionary {
        NSDictionary(dictionary: try await city.getDocument().data() ?? ["missing": true])
    }

    @Test func `setData replaces the whole document`() async throws {
        try await city.setData(["a": 1, "b": 2])
        try await city.setData(["c": 3])
        #expect(try await fields() == ["c": 3])
    }

    @Test func `merging writes the leaves and replaces arrays and empty maps`() async throws {
        try await city.setData(["a": ["x": 1, "y": 2], "l": [1, 2], "m": ["k": 1], "keep": true])
        try await city.setData(["a": ["x": 9], "l": [3], "m": [String: Any]()], merge: true)  // WR-41
        #expect(
            try await fields() == ["a": ["x": 9, "y": 2], "l": [3], "m": [String: Any](), "keep": true])
        try await city.setData(["only": 1], merge: false)
        #expect(try await fields() == ["only": 1])
    }

    @Test func `merging creates a missing document`() async throws {
        try await city.setData([:], merge: true)
        #expect(try await city.getDocument().exists)
    }

    @Test func `merging deletes the fields with a delete, and stores maps without values`() async throws {
        try await city.setData(["a": ["x": 1, "y": 2], "b": 1])
        try await city.setData(["a": ["x": FieldValue.delete()], "b": FieldValue.delete()], merge: true)
        #expect(try await fields() == ["a": ["y": 2]])
    }

    @Test func `mergeFields writes the listed fields as a whole and nothing else`() async throws {
        try await city.setData(["a": ["x": 1, "y": 2], "b": 1, "c": 1, "n": 5])
        try await city.setData(
            ["a": ["x": 9], "b": 2, "c": FieldValue.increment(Int64(1)), "n": FieldValue.increment(Int64(1))],
            mergeFields: ["a", FieldPath(["b"]), "n"])  // WR-42
        #expect(try await fields() == ["a": ["x": 9], "b": 2, "c": 1, "n": 6])
        try await city.setData(["a": 1], mergeFields: [])
        #expect(try await fields() == ["a": ["x": 9], "b": 2, "c": 1, "n": 6])
    }

    @Test func `mergeFields may name a field twice, and a field and one inside it: the outer one wins`() async throws {  // WR-9
        for fields in [["a", "a.x", "a"], ["a.x", "a"], ["a", "a"]] {
            try await city.setData(["a": ["x": 1, "y": 2], "b": 1])
            try await city.setData(["a": ["x": 9, "z": 3], "b": 2], mergeFields: fields)
            #expect(try await self.fields() == ["a": ["x": 9, "z": 3], "b": 1], "\(fields)")
        }
        try await city.setData(["a": ["x": 1, "y": 2]])
        try await city.setData(["a": ["x": FieldValue.increment(Int64(1)), "z": 3]], mergeFields: ["a", "a.x", FieldPath(["a", "x"])])
        #expect(try await fields() == ["a": ["x": 1, "z": 3]])
        let batch = db.batch().setData(["a": ["x": 5]], forDocument: city, mergeFields: ["a.x", "a.x"])
        try await batch.commit()
        #expect(try await fields() == ["a": ["x": 5, "z": 3]])
    }

    @Test func `a listed field that is not in the data is rejected`() async {
        let error = await failure { try await city.setData(["a": 1], mergeFields: ["a", "b.c"]) }
        #expect(isFailure(error, .invalidArgument, naming: "cities/SF", "b.c"))
        #expect(isFailure(await failure { try await city.setData([:], mergeFields: [1]) }, .invalidArgument))
    }

    @Test func `updateData changes paths and preserves the rest`() async throws {
        try await city.setData(["a": ["b": 1, "c": 2], "x": 1, "dotted.name": 1])
        try await city.updateData(["a.b": 9, "x": FieldValue.delete(), FieldPath(["dotted.name"]): 2])  // WR-43
        #expect(try await fields() == ["a": ["b": 9, "c": 2], "dotted.name": 2])
        try await city.updateData(["a": ["b": 1]])
        #expect(try await fields() == ["a": ["b": 1], "dotted.name": 2])
        try await city.updateData([:])
    }

    @Test func `updating a missing document is notFound`() async {
        let error = await failure { try await city.updateData(["a": 1]) }
        #expect(isFailure(error, .notFound, naming: "cities/SF"))
        let told: (any Error)? = await completion { done in city.updateData(["a": 1]) { done($0) } }
        #expect(isFailure(told, .notFound))
    }

    @Test func `an update cannot name a field and a field inside it`() async throws {
        try await city.setData([:])
        for fields: [AnyHashable: Any] in [
            ["a": 1, "a.b": 2], ["a": ["c": 1], "a.b": FieldValue.serverTimestamp()],
            ["a": FieldValue.delete(), "a.b": 1], ["a": 1, FieldPath(["a"]): 2],
        ] {
            #expect(isFailure(await failure { try await city.updateData(fields) }, .invalidArgument))
        }
    }

    @Test func `deleting removes, and succeeds on a missing document`() async throws {
        try await city.setData(["a": 1])
        try await city.delete()
        #expect(try await city.getDocument().exists == false)
        try await city.delete()
        let error: (any Error)? = await completion { done in city.delete { done($0) } }
        #expect(error == nil)
    }

    @Test func `adding gives the reference immediately and the completion when it is durable`() async throws {
        let cities = db.collection("cities")
        let added = Collector<DocumentReference>()
        let error: (any Error)? = await completion { done in
            added.append(cities.addDocument(data: ["a": 1]) { done($0) })
        }
        #expect(error == nil)
        let reference = try #require(added.elements.first)
        #expect(try await reference.getDocument().get("a") as? Int == 1)
        let awaited = try await cities.addDocument(data: ["a": 2])
        #expect(try await awaited.getDocument().get("a") as? Int == 2)
        #expect(try await cities.getDocuments().count == 2)
    }

    @Test func `reads see writes that were not awaited`() async throws {
        func write() {
            city.setData(["n": 0])
            for number in 1...50 { city.updateData(["n": number]) }
        }
        write()
        #expect(try await city.getDocument().get("n") as? Int == 50)
    }

    @Test func `a receipt returns the outcome as often as it is asked`() async throws {
        let good: WriteReceipt = city.setData(["a": 1], completion: nil)
        try await good.saved
        try await good.acknowledged
        let bad: WriteReceipt = db.document("cities/none").updateData(["a": 1], completion: nil)
        if Mode.can(.oneAuthority) { #expect(isFailure(await failure { try await bad.saved }, .notFound)) }
        #expect(isFailure(await failure { try await bad.acknowledged }, .notFound))
    }
}
