// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirebaseSharedSwift
import Foundation

/// The types that rows of the compatibility table store and read.
struct Letter: Codable, Equatable {
    var n: Int
}

struct NamedLetter: Codable, Equatable {
    @DocumentID var id: String?
    var n: Int
}

struct Home: Codable {
    var homeAddress: String
}

struct Stamped: Codable {
    @ServerTimestamp var at: Date?
    @ServerTimestamp var time: Timestamp?
}

struct Explicit: Codable, Equatable {
    @ExplicitNull var name: String?
}

/// Goes in and out as the number its coder was given.
struct FromUserInfo: Codable {
    static let key = CodingUserInfoKey(rawValue: "compatibility")!

    let number: Int

    init() { number = 0 }

    init(from decoder: any Decoder) throws { number = decoder.userInfo[Self.key] as? Int ?? 0 }

    func encode(to encoder: any Encoder) throws { try (encoder.userInfo[Self.key] as? Int ?? 0).encode(to: encoder) }
}

/// An id that is the whole path.
struct PathText: Codable, Equatable, DocumentIDWrappable {
    var text: String

    static func wrap(_ documentReference: DocumentReference) throws -> PathText { PathText(text: documentReference.path) }
}

/// A time of one's own.
struct Seconds: Codable, Equatable, ServerTimestampWrappable {
    var number: Int64

    static func wrap(_ timestamp: Timestamp) throws -> Seconds { Seconds(number: timestamp.seconds) }

    static func unwrap(_ value: Seconds) throws -> Timestamp { Timestamp(seconds: value.number, nanoseconds: 0) }
}

struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

enum PointsPassThrough: StructureCodingPassthroughTypeResolver {
    static func isPassthroughType<T>(_ t: T) -> Bool { t is GeoPoint || T.self == GeoPoint.self }
}

struct ConfiguredNumber: FirebaseRemoteConfigValueDecoding {
    func numberValue() -> NSNumber { 7 }
    func boolValue() -> Bool { true }
    func stringValue() -> String { "7" }
    func dataValue() -> Data { Data() }
    func arrayValue() -> [AnyHashable]? { nil }
    func dictionaryValue() -> [String: AnyHashable]? { ["n": 7] }
}
