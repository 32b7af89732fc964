// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Source compatibility of the writing calls in synchronous and `async` code: each of these must compile without a warning,
/// and do what it says. Warnings are errors in this target.
@Suite struct OverloadTests {
    let db = Scratch.firestore()

    /// A synchronous function selects the forms that do not wait; their results need not be used.
    private func synchronousCalls(_ ref: DocumentReference) throws {
        ref.setData(["a": 1])
        ref.setData(["a": 2], merge: true)
        ref.setData(["a": 3], mergeFields: ["a"])
        ref.setData(["a": 4]) { error in #expect(error == nil) }
        ref.setData(["a": 5], merge: true) { error in #expect(error == nil) }
        ref.setData(["a": 6], completion: nil)
        ref.updateData(["a": 7])
        ref.updateData(["a": 8]) { error in #expect(error == nil) }
        ref.delete()
        ref.delete { error in #expect(error == nil) }
        let collection = ref.parent
        collection.addDocument(data: ["b": 1])
        let added = collection.addDocument(data: ["b": 2]) { error in #expect(error == nil) }
        #expect(added.documentID.count == 20)
        let batch = ref.firestore.batch()
        batch.setData(["c": 1], forDocument: ref)
        batch.commit()
        ref.firestore.batch().commit { error in #expect(error == nil) }
        ref.firestore.enableNetwork()
    }

    /// Closures that return nothing may consist of one writing call.
    private func closures(_ ref: DocumentReference) {
        let save: () -> Void = { ref.setData(["closure": true]) }
        save()
        func run(_ body: () -> Void) { body() }
        run { ref.delete() }
    }

    /// Methods as values, whichever form is meant.
    private func references(_ ref: DocumentReference) async throws {
        let set: ([String: Any]) -> WriteReceipt = ref.setData
        let told: ([String: Any], (((any Error)?) -> Void)?) -> WriteReceipt = ref.setData(_:completion:)
        let waiting: ([String: Any]) async throws -> Void = ref.setData
        let deleting: () async throws -> Void = ref.delete
        let commit: (WriteBatch) -> () -> WriteReceipt = WriteBatch.commit
        try await set(["a": 1]).acknowledged
        try await told(["a": 2], nil).acknowledged
        try await waiting(["a": 3])
        try await deleting()
        try await commit(ref.firestore.batch())().acknowledged
        let added = [["m": 1], ["m": 2]].map { ref.parent.addDocument(data: $0).path }
        #expect(added.count == 2)
        let task = Task { try await ref.setData(["a": 4]) }
        try await task.value
        async let written: Void = ref.setData(["a": 5])
        try await written
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await ref.updateData(["a": 6]) }
            try await group.waitForAll()
        }
    }

    /// An `async` function picks the forms that wait.
    private func asynchronousCalls(_ ref: DocumentReference) async throws {
        try await ref.setData(["a": 1])
        try await ref.setData(["a": 2], merge: true)
        try await ref.setData(["a": 3], mergeFields: ["a"])
        try await ref.updateData(["a": 4])
        try await ref.getDocument()
        try await ref.parent.getDocuments()
        try await ref.delete()
        try await ref.parent.addDocument(data: ["b": 3])
        let added = try await ref.parent.addDocument(data: ["b": 4])
        #expect(added.path.hasPrefix("overloads/"))
        try await ref.firestore.batch().commit()
        try await ref.firestore.disableNetwork()
        try await ref.firestore.enableNetwork()
        try await ref.firestore.waitForPendingWrites()
        let receipt: WriteReceipt = ref.setData(["a": 9], completion: nil)
        try await receipt.saved
        try await receipt.acknowledged
    }

    @Test func `all forms of the writing calls work side by side`() async throws {
        let ref = db.collection("overloads").document("one")
        try synchronousCalls(ref)
        closures(ref)
        try await references(ref)
        try await asynchronousCalls(ref)
        #expect(try await ref.getDocument().get("a") as? Int == 9)
    }

    @MainActor @Test func `dictionaries cross from the main actor without a warning`() async throws {
        let ref = db.document("overloads/main")
        var data: [String: Any] = ["a": 1]
        try await ref.setData(data)
        data["b"] = 2
        try await ref.updateData(data)
        let snapshot = try await ref.getDocument()
        #expect(snapshot.data()?.count == 2)
        let value = try await db.runTransaction { transaction, _ in
            transaction.setData(["c": 3], forDocument: ref)
            return "done"
        }
        #expect(value as? String == "done")
    }
}

/// The forms that encode: synchronous only, and legal inside `async` functions without `await` (R105).
@Suite struct EncodingOverloadTests {
    struct City: Codable, Equatable {
        var name: String
        var population: Int?
    }

    let db = Scratch.firestore()

    private func synchronousCalls(_ ref: DocumentReference) throws {
        try ref.setData(from: City(name: "a"))
        try ref.setData(from: City(name: "b"), merge: true)
        try ref.setData(from: City(name: "c"), mergeFields: ["name"])
        try ref.setData(from: City(name: "d")) { error in #expect(error == nil) }
        try ref.updateData(from: City(name: "e"))
        try ref.parent.addDocument(from: City(name: "f"))
        let added = try ref.parent.addDocument(from: City(name: "g")) { error in #expect(error == nil) }
        #expect(added.documentID.count == 20)
    }

    @Test func `addDocument(from:) gives the reference, or the reference and the receipt`() async throws {
        let cities = db.collection("cities")
        let reference = try cities.addDocument(from: City(name: "a"))
        let same: DocumentReference = reference
        let (second, receipt) = try cities.addDocument(from: City(name: "b"))
        try await receipt.acknowledged
        let both: (reference: DocumentReference, receipt: WriteReceipt) = try cities.addDocument(from: City(name: "c"), encoder: Firestore.Encoder())
        try await both.receipt.saved
        _ = try cities.addDocument(from: City(name: "d"))
        let optional = try? cities.addDocument(from: City(name: "e"))
        let paths = try ["f", "g"].map { try cities.addDocument(from: City(name: $0)).path }
        #expect("\(try cities.addDocument(from: City(name: "h")))".contains("cities/"))
        #expect(same.documentID.count == 20 && second.documentID != both.reference.documentID && optional?.parent == cities && paths.count == 2)
        #expect(try await second.getDocument(as: City.self).name == "b")
        #expect(try await cities.getDocuments().count == 8)
        let (_, refused) = try db.collection("a/b").addDocument(from: City(name: "i"))
        #expect(isFailure(await failure { try await refused.acknowledged }, .invalidArgument))
    }

    @Test func `the encoding forms need no await in async functions, and can be awaited`() async throws {
        let ref = db.document("cities/one")
        try synchronousCalls(ref)
        try ref.setData(from: City(name: "h"))
        try ref.setData(from: City(name: "i"), encoder: Firestore.Encoder())
        let receipt = try ref.setData(from: City(name: "j", population: 1))
        try await receipt.acknowledged
        try await ref.updateData(from: City(name: "k")).acknowledged
        #expect(try await ref.getDocument(as: City.self) == City(name: "k", population: 1))
        let batch = db.batch()
        try batch.setData(from: City(name: "l"), forDocument: ref)
        try await batch.commit()
        try ref.parent.addDocument(from: City(name: "m"))
        #expect(try await ref.parent.getDocuments().count == 4)
    }
}
