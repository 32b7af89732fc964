// SPDX-License-Identifier: Apache-2.0
// Declarations whose expansion ExpansionTests compares as text.
import FirebaseFirestore
import FirestoreModelMacros
import Foundation

@FirestoreModel
struct City: Codable {
    @DocumentID var id: String?
    var population: Int
    var nickname: String?
    @ServerTimestamp var addedAt: Date?
    @ExplicitNull var mayor: String?
    private var secret: [String: Int]
    var `default`: Optional<Bool>

    enum CodingKeys: String, CodingKey {
        case population = "inhabitants"
        case nickname, addedAt, mayor, secret, `default`
    }
}

@FirestoreModel
public struct Page<Item: Codable>: Codable {
    public var first, last: Int
    public var items: [Item]
}
