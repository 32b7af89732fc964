// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

// A file of an app that imports nothing else: Foundation comes with it, as on Apple systems.

struct Visit: Codable {
    @DocumentID var id: String?
    var place: String
    var at: Date
    var photo: Data?
    var page: URL?
}

func encodedVisit(at date: Date) throws -> [String: Any] {
    let visit = Visit(place: "Rome", at: date, photo: Data([1, 2]), page: URL(string: "https://example.com"))
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    let fields = try Firestore.Encoder().encode(visit)
    let year = Calendar(identifier: .gregorian).component(.year, from: date)
    return fields.merging(["text": String(format: "%04d", year)]) { $1 }
}

func describe(_ error: any Error) -> String {
    let error = error as NSError
    return error.domain + " " + error.localizedDescription
}
