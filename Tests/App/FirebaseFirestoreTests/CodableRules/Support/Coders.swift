// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

/// One property of any type.
struct Box<Value> {
    var v: Value
}
extension Box: Encodable where Value: Encodable {}
extension Box: Decodable where Value: Decodable {}
extension Box: Equatable where Value: Equatable {}

/// What `Firestore.Encoder` makes of a value.
func encoded<Value: Encodable>(_ value: Value, _ configure: (Firestore.Encoder) -> Void = { _ in }) throws -> [String: Any] {
    let encoder = Firestore.Encoder()
    configure(encoder)
    return try encoder.encode(value)
}

/// The text of what `Firestore.Encoder` makes of a value.
func encodedText<Value: Encodable>(_ value: Value, _ configure: (Firestore.Encoder) -> Void = { _ in }) throws -> String {
    fieldText(try encoded(value, configure))
}

/// The text of what a property of this value becomes.
func fieldText<Value: Encodable>(encoding value: Value, _ configure: (Firestore.Encoder) -> Void = { _ in }) throws -> String {
    fieldText(try encoded(Box(v: value), configure)["v"])
}

/// What `Firestore.Decoder` makes of a dictionary.
func decoded<Value: Decodable>(
    _ type: Value.Type, from data: Any, in reference: DocumentReference? = nil,
    _ configure: (Firestore.Decoder) -> Void = { _ in }
) throws -> Value {
    let decoder = Firestore.Decoder()
    configure(decoder)
    guard let reference else { return try decoder.decode(type, from: data) }
    return try decoder.decode(type, from: data, in: reference)
}

/// What a property of a type makes of this value.
func decoded<Value: Decodable>(
    property type: Value.Type, from value: Any, _ configure: (Firestore.Decoder) -> Void = { _ in }
) throws -> Value {
    try decoded(Box<Value>.self, from: ["v": value], configure).v
}

/// How reading a property from a value fails: `typeMismatch at v`.
func failure<Value: Decodable>(
    property type: Value.Type, from value: Any, _ configure: (Firestore.Decoder) -> Void = { _ in }
) -> String {
    failureSummary { try decoded(property: type, from: value, configure) }
}

/// A key of any name.
struct AnyKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, Int(stringValue)) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
    init(stringLiteral value: String) { self.init(stringValue: value) }
}

/// An error of a user's own making.
struct UserError: Error, Equatable {
    var code = 1
}

/// Encodes whatever a closure writes.
struct Writing: Encodable {
    let body: (any Encoder) throws -> Void
    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }
    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// Decodes by a closure found in `userInfo`, so that a test can write its reading code in place.
struct Reading: Decodable {
    static let key = CodingUserInfoKey(rawValue: "reading")
    init(from decoder: any Decoder) throws {
        guard let key = Self.key, let body = decoder.userInfo[key] as? (any Decoder) throws -> Void else { return }
        try body(decoder)
    }
}

/// Runs a body with the decoder of a dictionary.
func reading(
    _ data: Any, with configure: (Firestore.Decoder) -> Void = { _ in }, _ body: @escaping (any Decoder) throws -> Void
) throws {
    _ = try decoded(Reading.self, from: data) { decoder in
        configure(decoder)
        if let key = Reading.key { decoder.userInfo[key] = body }
    }
}
