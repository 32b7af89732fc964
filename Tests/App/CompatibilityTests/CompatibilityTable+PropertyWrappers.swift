// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

private let date = Date(timeIntervalSince1970: 5)

extension CompatibilityTable {
    /// api.md 13.3.
    static func propertyWrappers() -> CompatibilitySection {
        var section = CompatibilitySection("13.3", "Property wrappers and their protocols")
        section.row(
            .core,
            "@propertyWrapper struct DocumentID<Value: DocumentIDWrappable & Codable> : StructureCodingUncodedUnkeyed",
            differs: "also set if `CodingKeys` omit it; a plain value in other coders"
        ) { here in
            let letter = try await here.letters.document("a").getDocument(as: NamedLetter.self)
            let text = try JSONDecoder().decode(NamedLetter.self, from: JSONEncoder().encode(letter))
            let stored = try Firestore.Encoder().encode(letter)
            return letter.id == "a" && text == letter && stored["id"] == nil
        }
        section.row(.core, "DocumentID.init(wrappedValue value: Value?)") { _ in
            DocumentID(wrappedValue: "x").wrappedValue == "x" && NamedLetter(n: 1).id == nil
        }
        section.row(.core, "DocumentID.wrappedValue: Value? { get set }") { _ in
            var id = DocumentID<String>(wrappedValue: nil)
            id.wrappedValue = "x"
            let value: String? = id.wrappedValue
            return value == "x"
        }
        section.row(.core, "protocol DocumentIDWrappable { static func wrap(_ documentReference: DocumentReference) throws -> Self }") { here in
            struct Entry: Codable {
                @DocumentID var path: PathText?
            }
            let entry = try await here.letters.document("a").getDocument(as: Entry.self)
            return try entry.path == PathText(text: "letters/a") && String.wrap(here.letters.document("a")) == "a"
        }
        section.row(
            .core,
            "@propertyWrapper struct ServerTimestamp<Value> : Codable where Value : ServerTimestampWrappable & Codable",
            differs: "a missing field is nil instead of an error"
        ) { here in
            let ref = here.fresh()
            try ref.setData(from: Stamped())
            try await here.db.waitForPendingWrites()
            let stamped = try await ref.getDocument(as: Stamped.self)
            let missing = try await here.letters.document("a").getDocument(as: Stamped.self)
            return stamped.at != nil && stamped.time != nil && missing.at == nil
        }
        section.row(.core, "ServerTimestamp.init(wrappedValue value: Value?)") { here in
            let ref = here.fresh()
            try ref.setData(from: Stamped(at: date))
            let stamped = try await ref.getDocument(as: Stamped.self)
            return ServerTimestamp(wrappedValue: date).wrappedValue == date && stamped.at == date
        }
        section.row(.core, "ServerTimestamp.wrappedValue: Value? { get set }") { _ in
            var property = ServerTimestamp<Date>(wrappedValue: nil)
            property.wrappedValue = date
            let value: Date? = property.wrappedValue
            return value == date
        }
        section.row(
            .core,
            "protocol ServerTimestampWrappable { static func wrap(_ timestamp: Timestamp) throws -> Self; static func unwrap(_ value: Self) throws -> Timestamp }"
        ) { here in
            struct Entry: Codable {
                @ServerTimestamp var at: Seconds?
            }
            let ref = here.fresh()
            try ref.setData(from: Entry(at: Seconds(number: 5)))
            let stored = try await ref.getDocument(as: Entry.self)
            return try stored.at == Seconds(number: 5) && Date.wrap(Date.unwrap(date)) == date && Timestamp.unwrap(Timestamp(date: date)).seconds == 5
        }
        section.row(.core, "@propertyWrapper struct ExplicitNull<Value>", differs: "a missing field is nil instead of an error") { _ in
            let stored = try Firestore.Encoder().encode(Explicit())
            let present = try Firestore.Decoder().decode(Explicit.self, from: ["name": "x"])
            let missing = try Firestore.Decoder().decode(Explicit.self, from: [String: Any]())
            return stored["name"] is NSNull && present == Explicit(name: "x") && missing.name == nil
        }
        section.row(.core, "ExplicitNull.init(wrappedValue value: Value?)") { _ in
            ExplicitNull(wrappedValue: 1).wrappedValue == 1 && ExplicitNull<Int>(wrappedValue: nil).wrappedValue == nil
        }
        section.row(.core, "ExplicitNull.wrappedValue: Value? { get set }") { _ in
            var property = ExplicitNull<Int>(wrappedValue: nil)
            property.wrappedValue = 7
            let value: Int? = property.wrappedValue
            return value == 7
        }
        return section
    }
}
