// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Writing values of types: R103 … R107 and R109 … R111.
@Suite struct EncodedWritesTests {
    struct City: Codable, Equatable {
        @DocumentID var id: String?
        var name: String?
        var info: Info?
        @ExplicitNull var mayor: String?
        @ServerTimestamp var changed: Timestamp?

        struct Info: Codable, Equatable {
            var hills: Int?
            var tags: [String]?
            var extra: [String: Int]?
        }
    }

    struct Broken: Encodable { var a = [[1]] }

    let db = Scratch.firestore()
    var city: DocumentReference { db.document("cities/SF") }

    private func names(_ reference: DocumentReference) async throws -> [String] {
        try await reference.getDocument().data()?.keys.sorted() ?? []
    }

    @Test func `setData replaces, with and without completion`() async throws {
        // R103
        try await city.setData(["old": 1])
        let error: (any Error)? = await completion { done in
            do {
                try city.setData(from: City(name: "SF")) { done($0) }
            } catch {
                done(error)
            }
        }
        #expect(error == nil)
        // The id is not a field; nil is left out; explicit nulls and server timestamps are written.
        #expect(try await names(city) == ["changed", "mayor", "name"])
        #expect(try await city.getDocument()["mayor"] is NSNull)
        #expect(try await city.getDocument()["changed"] is Timestamp)
    }

    @Test func `merging writes leaf values and preserves what is nil`() async throws {
        // R107
        try await city.setData([
            "name": "SF", "info": ["hills": 43, "tags": ["a", "b"], "extra": ["x": 1]], "mayor": "M", "keep": 1,
        ])
        let receipt = try city.setData(
            from: City(info: City.Info(tags: ["c"], extra: [:])), merge: true)
        try await receipt.acknowledged
        let snapshot = try await city.getDocument()
        #expect(snapshot["name"] as? String == "SF")
        #expect(snapshot["info.hills"] as? Int == 43)
        #expect(snapshot["info.tags"] as? [String] == ["c"])
        #expect((snapshot["info.extra"] as? [String: Any])?.isEmpty == true)
        #expect(snapshot["mayor"] is NSNull)
        #expect(snapshot["changed"] is Timestamp)
        #expect(snapshot["keep"] as? Int == 1)
    }

    @Test func `mergeFields writes the listed fields, and rejects one that encodes to nothing`() async throws {
        // R107; the original ends the process.
        try await city.setData(["name": "old", "info": ["hills": 1, "gone": 2]])
        let value = City(name: "new", info: City.Info(hills: 43))
        try await city.setData(from: value, mergeFields: ["info", FieldPath(["mayor"])]).acknowledged
        let snapshot = try await city.getDocument()
        #expect(snapshot["name"] as? String == "old")
        #expect((snapshot["info"] as? [String: Any])?.count == 1)
        #expect(snapshot["mayor"] is NSNull)
        #expect(snapshot["changed"] == nil)
        for field in ["info.tags", "id", "unknown"] {
            let error = await failure { try await city.setData(from: value, mergeFields: [field]).saved }
            #expect(isFailure(error, .invalidArgument, naming: "cities/SF", field))
        }
    }

    @Test func `encoding errors are thrown before anything is written, and the completion is not called`() async throws {
        // R104
        #expect(throws: EncodingError.self) { try city.setData(from: Broken()) { _ in Issue.record("called") } }
        #expect(throws: EncodingError.self) { try city.parent.addDocument(from: Broken()) }
        #expect(throws: EncodingError.self) { try city.updateData(from: Broken()) }
        #expect(try await city.parent.getDocuments().isEmpty)
    }

    @Test func `reads see encoded writes that were not awaited`() async throws {
        // R105
        try city.setData(from: City(name: "SF"))
        #expect(try await city.getDocument(as: City.self).name == "SF")
        try await city.setData(try Firestore.Encoder().encode(City(name: "awaited")))
        #expect(try await city.getDocument(as: City.self).name == "awaited")
    }

    @Test func `a throwing call leaves batch and transaction unchanged`() async throws {
        // R106
        let batch = db.batch()
        #expect(throws: EncodingError.self) { try batch.setData(from: Broken(), forDocument: city) }
        let other = db.document("cities/LA")
        #expect(try batch.setData(from: City(name: "LA"), forDocument: other) === batch)
        try batch.setData(from: City(name: "L.A."), forDocument: other, merge: true)
        try batch.setData(from: City(name: "ignored", info: City.Info(hills: 1)), forDocument: other, mergeFields: ["info"])
        try batch.updateData(from: City(info: City.Info(tags: ["x"])), forDocument: other)
        try await batch.commit()
        #expect(try await city.getDocument().exists == false)
        let stored = try await other.getDocument(as: City.self)
        #expect(stored.name == "L.A." && stored.info == City.Info(hills: 1, tags: ["x"]))

        try await db.runTransaction { transaction, errorPointer in
            #expect(throws: EncodingError.self) { try transaction.setData(from: Broken(), forDocument: city) }
            do {
                try transaction.setData(from: City(name: "a"), forDocument: city)
                    .setData(from: City(info: City.Info(hills: 2)), forDocument: city, merge: true)
                    .setData(from: City(name: "b"), forDocument: city, mergeFields: ["name"])
                    .updateData(from: City(info: City.Info(tags: ["t"])), forDocument: city)
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
        let written = try await city.getDocument(as: City.self)
        #expect(written.name == "b" && written.info == City.Info(hills: 2, tags: ["t"]))
    }

    @Test func `updateData changes the fields of the value, in a document that exists`() async throws {
        // R103
        let missing = await failure { try await city.updateData(from: City(name: "x")).acknowledged }
        #expect(isFailure(missing, .notFound, naming: "cities/SF"))
        let told: (any Error)? = await completion { done in
            do {
                try city.updateData(from: City(name: "x")) { done($0) }
            } catch {
                Issue.record("\(error)")
                done(nil)
            }
        }
        #expect(isFailure(told, .notFound))
        try await city.setData(["name": "SF", "info": ["hills": 43], "keep": 1])
        try await city.updateData(from: City(info: City.Info(tags: ["a"]))).acknowledged
        let snapshot = try await city.getDocument()
        #expect(snapshot["name"] as? String == "SF")
        #expect(snapshot["info.hills"] as? Int == 43)
        #expect(snapshot["info.tags"] as? [String] == ["a"])
        #expect(snapshot["keep"] as? Int == 1)
    }

    @Test func `adding gives a reference immediately`() async throws {
        let reference = try city.parent.addDocument(from: City(name: "new"))
        #expect(reference.documentID.count == 20)
        #expect(try await reference.getDocument(as: City.self).id == reference.documentID)
        let error: (any Error)? = await completion { done in
            do {
                try city.parent.addDocument(from: City(name: "new"), encoder: Firestore.Encoder()) { done($0) }
            } catch {
                done(error)
            }
        }
        #expect(error == nil)
    }

    @Test func `kinds of numbers and microseconds survive`() async throws {
        struct Numbers: Codable {
            var double: Double
            var integer: Int
            var time: Timestamp
        }
        try city.setData(
            from: Numbers(double: 3, integer: 3, time: Timestamp(seconds: 1, nanoseconds: 100_000_023)))
        let snapshot = try await city.getDocument()
        #expect(snapshot["time"] as? Timestamp == Timestamp(seconds: 1, nanoseconds: 100_000_000))  // R110
        let decoded = try snapshot.data(as: Numbers.self)
        #expect(decoded.double == 3 && decoded.integer == 3)  // R111
        struct Swapped: Codable {
            var double: Int
            var integer: Double
        }
        let swapped = try snapshot.data(as: Swapped.self)
        #expect(swapped.double == 3 && swapped.integer == 3)
    }
}
