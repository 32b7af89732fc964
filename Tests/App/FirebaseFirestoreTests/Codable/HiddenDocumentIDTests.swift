// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// A default value of a `@DocumentID` that the `CodingKeys` leave out hides the ids of all documents.
@Suite struct HiddenDocumentIDTests {
    struct Hidden: Codable {
        @DocumentID var id: String? = "new"
        var title: String

        enum CodingKeys: String, CodingKey { case title }
    }

    struct Listed: Codable {
        @DocumentID var id: String? = "new"
        var title: String
    }

    struct Outer: Codable {
        @DocumentID var id: String?
        var inner: Hidden
    }

    struct Reference: Codable {
        @DocumentID var reference: DocumentReference?
        var title: String

        enum CodingKeys: String, CodingKey { case title }
    }

    let db = Scratch.firestore()

    @Test func `the property is found in the value, wherever it is, and only if it hides the id`() async throws {
        let document = db.document("books/dune")
        try await document.setData(["title": "Dune", "inner": ["title": "Part"]])
        let snapshot = try await document.getDocument()
        let hidden = try snapshot.data(as: Hidden.self)
        #expect(hidden.id == "new" && HiddenDocumentID.property(of: hidden, hiding: document) == "id")
        let outer = try snapshot.data(as: Outer.self)
        #expect(outer.id == "dune" && HiddenDocumentID.property(of: outer, hiding: document) == "inner.id")
        let listed = try snapshot.data(as: Listed.self)
        #expect(listed.id == "dune" && HiddenDocumentID.property(of: listed, hiding: document) == nil)
        let reference = try snapshot.data(as: Reference.self)
        #expect(reference.reference == document && HiddenDocumentID.property(of: reference, hiding: document) == nil)
    }

    @Test func `it is looked for once for each type`() async throws {
        struct Once: Codable {
            @DocumentID var id: String? = "new"
            var title: String

            enum CodingKeys: String, CodingKey { case title }
        }
        let document = db.document("books/dune")
        try await document.setData(["title": "Dune"])
        let snapshot = try await document.getDocument()
        #expect(!HiddenDocumentID.hasChecked(Once.self))
        for _ in 0..<3 { _ = try snapshot.data(as: Once.self) }
        #expect(HiddenDocumentID.hasChecked(Once.self))
        // Types without defaults cost nothing.
        struct Plain: Codable {
            @DocumentID var id: String?
            var title: String
        }
        _ = try snapshot.data(as: Plain.self)
        #expect(!HiddenDocumentID.hasChecked(Plain.self))
    }
}
