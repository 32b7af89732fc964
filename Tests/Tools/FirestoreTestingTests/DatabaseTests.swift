// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

struct DatabaseTests {
    struct Book: Codable, Equatable {
        @DocumentID var id: String?
        var title: String
        @ServerTimestamp var addedAt: Date?
    }

    @Test func `a new database is empty and an ordinary Firestore`() async throws {
        let db = try TestFirestore()
        let books = db.firestore.collection("books")
        #expect(try await books.getDocuments().isEmpty)
        try books.document("dune").setData(from: Book(title: "Dune"))
        let book = try await books.document("dune").getDocument(as: Book.self)
        #expect(book.id == "dune" && book.title == "Dune" && book.addedAt == db.clock.now)
    }

    @Test(arguments: 0..<64)
    func `databases in parallel see nothing of each other`(number: Int) async throws {
        let db = try TestFirestore()
        let numbers = db.firestore.collection("numbers")
        for other in 0..<5 { try await numbers.document("\(other)").setData(["number": number]) }
        let found = try await numbers.getDocuments().documents.compactMap { $0["number"] as? Int }
        #expect(found == Array(repeating: number, count: 5))
    }

    @Test func `hundreds live side by side in one test`() async throws {
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let db = try TestFirestore()
                    let batch = db.firestore.batch()
                    for document in 0...(number % 7) { batch.setData(["n": number], forDocument: db.firestore.document("c/\(document)")) }
                    try await batch.commit()
                    let count = try await db.nextSnapshot(of: db.firestore.collection("c")).count
                    try await db.close()
                    return count - number % 7
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 300))
    }

    @Test func `the Firestore continues when the test releases its wrapper`() async throws {
        let firestore = try TestFirestore(projectID: "demo-mine").firestore
        try await firestore.document("a/b").setData(["c": firestore.document("d/e")])
        #expect(try await firestore.document("a/b").getDocument()["c"] as? DocumentReference == firestore.document("d/e"))
        #expect(firestore.description.contains("demo-mine"))
    }

    @Test func `after close every operation fails`() async throws {
        let db = try TestFirestore()
        try await db.close()
        await #expect { try await db.firestore.document("a/b").getDocument() } throws: { FirestoreErrorCode.failedPrecondition ~= $0 }
    }

    @Test func `a test database is not the one that firestore() returns`() throws {
        let db = try TestFirestore()
        #expect(Firestore.firestore() !== db.firestore)
    }
}
