// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

enum CustomizingChapter: Chapter {
    static let title = "CodingKeys, excluded properties, explicit null"

    static func tell(on page: Page) async throws {
        let languages = Firestore.firestore().collection("programming-languages")
        let year = Date(timeIntervalSince1970: 1_401_667_200)

        var swift = ExcludingProperties.ProgrammingLanguage(name: "Swift", year: year)
        swift.reasonWhyILoveThis = "It tells me what I forgot."
        try languages.document("swift").setData(from: swift)
        page.value(swift)
        let fields = try await page.show(languages.document("swift"))
        page.claim(
            "name is stored as language_name, reasonWhyILoveThis is not stored",
            fields?["language_name"] as? String == "Swift" && fields?.count == 2)

        let renamed = try await languages.document("swift").getDocument(as: CustomizingTheMapping.ProgrammingLanguage.self)
        let excluded = try await languages.document("swift").getDocument(as: ExcludingProperties.ProgrammingLanguage.self)
        page.claim(
            "reading maps it back and leaves the excluded property at its default",
            renamed.name == "Swift" && excluded.id == "swift" && excluded.reasonWhyILoveThis.isEmpty)

        let readers = Firestore.firestore().collection("readers")
        try readers.document("grace").setData(
            from: CustomizingTheMapping.Reader(name: "Grace", nickname: nil, favouriteLanguage: nil))
        let stored = try await page.show(readers.document("grace"))
        let reader = try await readers.document("grace").getDocument(as: CustomizingTheMapping.Reader.self)
        page.claim(
            "a nil optional is left out, a nil @ExplicitNull is null",
            stored?["favouriteLanguage"] is NSNull && stored?["nickname"] == nil && reader.favouriteLanguage == nil)

        let withNull = try await readers.whereField("favouriteLanguage", isEqualTo: NSNull()).getDocuments()
        page.claim("and null can be asked for in a query", withNull.documents.map(\.documentID) == ["grace"])
    }
}
