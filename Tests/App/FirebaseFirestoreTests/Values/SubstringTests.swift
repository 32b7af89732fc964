// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// A substring is a string wherever a value may stand.
@Suite struct SubstringTests {
    let db = Scratch.firestore()
    private let part = "Dune by Herbert".prefix(4)

    @Test func `as a value, in arrays and maps, as a key and as a field`() async throws {
        let document = db.document("books/a")
        try await document.setData([
            "title": part, "list": [part, "x"], "parts": [part], "map": ["inner": part], "named": [part: 1], "none": Substring?.none as Any,
            "some": Substring?.some(part) as Any,
        ])
        try await document.updateData(["union": FieldValue.arrayUnion([part, ["deep": part]]), part: part])
        let data = try #require(try await document.getDocument().data())
        #expect(data["title"] as? String == "Dune")
        #expect(data["list"] as? [String] == ["Dune", "x"] && data["parts"] as? [String] == ["Dune"])
        #expect((data["map"] as? [String: Any])?["inner"] as? String == "Dune")
        #expect((data["named"] as? [String: Any])?["Dune"] as? Int == 1)
        #expect(data["none"] is NSNull && data["some"] as? String == "Dune" && data["Dune"] as? String == "Dune")
        let union = try #require(data["union"] as? [Any])
        #expect(union.first as? String == "Dune" && (union.last as? [String: Any])?["deep"] as? String == "Dune")
    }

    @Test func `in filters, cursors and what is decoded`() async throws {
        let books = db.collection("books")
        for title in ["Alba", "Dune", "Emma"] { try await books.document(title).setData(["title": title, "tags": [title]]) }
        #expect(try await books.whereField("title", isEqualTo: part).getDocuments().count == 1)
        #expect(try await books.whereField("title", in: [part, "Emma"]).getDocuments().count == 2)
        #expect(try await books.whereField("tags", arrayContains: part).getDocuments().count == 1)
        #expect(try await books.whereFilter(.whereField("title", isGreaterThan: part)).getDocuments().documents.map(\.documentID) == ["Emma"])
        #expect(try await books.order(by: "title").start(at: [part]).getDocuments().count == 2)
        #expect(try await books.whereField(FieldPath.documentID(), isEqualTo: part).getDocuments().count == 1)
        struct Book: Codable { var title: String }
        #expect(try Firestore.Decoder().decode(Book.self, from: ["title": part]).title == "Dune")
    }
}
