// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// Tables against what the types decode (MP-55, MP row F17).
struct FieldTableTests {
    struct Wrong: FirestoreModel {
        @DocumentID var id: String?
        var population: Int
        var name: String
        var nickname: String?
        @ExplicitNull var mayor: String?
        var added: Date
        var rank: Rank?

        struct Fields: Sendable {
            let id = ModelField<Wrong, DocumentReference, FieldKind.DocumentID>.documentID
            let population = ModelField<Wrong, String, FieldKind.Required>(CodingKeys.population)
            let nickname = ModelField<Wrong, String, FieldKind.Required>(CodingKeys.nickname)
            let mayor = ModelField<Wrong, String, FieldKind.Optional>(CodingKeys.mayor)
            let added = ModelField<Wrong, Date, FieldKind.Required>(CodingKeys.added)
            let rank = ModelField<Wrong, Rank, FieldKind.Optional>(CodingKeys.rank)
            let gone = ModelField<Wrong, Int, FieldKind.Required>(Other.gone)
        }
        static let fields = Fields()
        enum Other: String, CodingKey { case gone }
    }

    @Test func `every difference is named with its field`() {
        #expect {
            try Wrong.verifyFields()
        } throws: { error in
            let findings = (error as? FieldTableError)?.findings ?? []
            let expected = [
                "id: is ModelField<…, DocumentReference, FieldKind.DocumentID>, but the type decodes String, FieldKind.DocumentID",
                "population: is ModelField<…, String, FieldKind.Required>, but the type decodes Int, FieldKind.Required",
                "name: missing; add ModelField<…, String, FieldKind.Required>",
                "nickname: is ModelField<…, String, FieldKind.Required>, but the type decodes String, FieldKind.Optional",
                "mayor: is ModelField<…, String, FieldKind.Optional>, but the type decodes String, FieldKind.ExplicitNull",
                "gone: the type does not decode the field gone",
            ]
            #expect(findings == expected)
            return "\(error)".contains("Wrong")
        }
    }

    @Test func `tables that fit pass`() throws {
        try City.verifyFields(standIns: [Status.open, Rank.low])
        try expectFields(Address.self)
        try expectFields(Landmark.self)
        try expectFields(Wrapped.self)
        try expectFields(Everything.self)
    }

    @Test func `values are made up for enums and for types with rules`() throws {
        try City.verifyFields()
        try expectFields(City.self)
        try Ruled.verifyFields()
    }

    @Test func `a value that cannot be generated is requested, and later members are listed as not verified`() throws {
        #expect { try Landmark.verifyFields() } throws: { "\($0)".contains("city: no value of ModelReference<City>") }
        #expect {
            try Guarded.verifyFields()
        } throws: { error in
            let expected = [
                "name: is ModelField<…, Int, FieldKind.Required>, but the type decodes String, FieldKind.Required",
                "count: not verified, because decoding ended before it", "last: not verified, because decoding ended before it",
                "seal.seal: no value of Seal can be made without data; pass one in standIns",
            ]
            #expect((error as? FieldTableError)?.findings == expected)
            return true
        }
        #expect { try expectFields(Guarded.self) } throws: { "\($0)".contains("FieldTableTests.swift:") }
        #expect {
            try Guarded.verifyFields(standIns: [Seal(word: "open")])
        } throws: { error in
            let findings = (error as? FieldTableError)?.findings ?? []
            #expect(findings.map { $0.prefix { $0 != ":" } } == ["name", "count", "last"])
            return findings.allSatisfy { $0.contains("but the type decodes") }
        }
    }

    /// A type that decodes one value only.
    struct Seal: Codable {
        var word: String

        init(word: String) { self.word = word }
        init(from decoder: any Decoder) throws {
            word = try decoder.singleValueContainer().decode(String.self)
            guard word == "open" else { throw CocoaError(.coderInvalidValue) }
        }
        func encode(to encoder: any Encoder) throws { try word.encode(to: encoder) }
    }

    /// A table that is wrong before and after a value that cannot be made up.
    struct Guarded: FirestoreModel {
        struct Envelope: Codable { var seal: Seal }
        var name: String
        var seal: Envelope
        var count: Int
        var last: String

        struct Fields: Sendable {
            let name = ModelField<Guarded, Int, FieldKind.Required>(CodingKeys.name)
            let seal = ModelField<Guarded, Envelope, FieldKind.Required>(CodingKeys.seal)
            let count = ModelField<Guarded, Double, FieldKind.Required>(CodingKeys.count)
            let last = ModelField<Guarded, Double, FieldKind.Required>(CodingKeys.last)
        }
        static let fields = Fields()
    }

    struct Percent: RawRepresentable, Codable {
        var rawValue: Int
        init?(rawValue: Int) {
            guard 1...100 ~= rawValue else { return nil }
            self.rawValue = rawValue
        }
    }

    enum Shape: Codable {
        case circle(radius: Double)
        case square(side: Double)
    }

    enum Level: OpenEnum {
        case low
        case unknown(String)
        init?(rawValue: String) {
            guard rawValue == "low" else { return nil }
            self = .low
        }
        var rawValue: String { if case .unknown(let raw) = self { raw } else { "low" } }
    }

    /// Types that reject zero or an empty string, enums of each kind, and wrappers that accept a missing field.
    struct Ruled: FirestoreModel {
        struct Mail: Codable {
            var address: String
            init(from decoder: any Decoder) throws {
                address = try decoder.singleValueContainer().decode(String.self)
                guard address.contains("@") else { throw CocoaError(.coderInvalidValue) }
            }
        }
        var percent: Percent
        var mail: Mail
        var mails: [Mail]
        var shape: Shape
        var level: Level
        @DefaultZero var zero: Int
        @DefaultEmpty var empty: [String]
        @LossyArray var lossy: [Percent]
        @LossyOptional var maybe: Percent?
        var last: String

        struct Fields: Sendable {
            let percent = ModelField<Ruled, Percent, FieldKind.Required>(CodingKeys.percent)
            let mail = ModelField<Ruled, Mail, FieldKind.Required>(CodingKeys.mail)
            let mails = ModelField<Ruled, [Mail], FieldKind.Required>(CodingKeys.mails)
            let shape = ModelField<Ruled, Shape, FieldKind.Required>(CodingKeys.shape)
            let level = ModelField<Ruled, Level, FieldKind.Required>(CodingKeys.level)
            let zero = ModelField<Ruled, Int, FieldKind.Required>(CodingKeys.zero)
            let empty = ModelField<Ruled, [String], FieldKind.Required>(CodingKeys.empty)
            let lossy = ModelField<Ruled, [Percent], FieldKind.Required>(CodingKeys.lossy)
            let maybe = ModelField<Ruled, Percent?, FieldKind.Required>(CodingKeys.maybe)
            let last = ModelField<Ruled, String, FieldKind.Required>(CodingKeys.last)
        }
        static let fields = Fields()
    }

    /// A wrapper that is not known, as `@DefaultZero` of an app.
    @propertyWrapper
    struct Counted: Codable {
        var wrappedValue: Int
    }

    struct Wrapped: FirestoreModel {
        @Counted var number: Int

        struct Fields: Sendable { let number = ModelField<Wrapped, Int, FieldKind.Required>(CodingKeys.number) }
        static let fields = Fields()
    }

    enum Color: String, Codable, CaseIterable { case red, green }

    struct Everything: FirestoreModel {
        var color: Color
        var url: URL
        var uuid: UUID
        var data: Data
        var point: GeoPoint
        var reference: DocumentReference
        var list: [Address]
        var map: [String: Color]
        var set: Set<String>
        var inner: Address
        var byte: UInt8
        var real: Float
        var flag: Bool?
        @ServerTimestamp var at: Timestamp?

        struct Fields: Sendable {
            let color = ModelField<Everything, Color, FieldKind.Required>(CodingKeys.color)
            let url = ModelField<Everything, URL, FieldKind.Required>(CodingKeys.url)
            let uuid = ModelField<Everything, UUID, FieldKind.Required>(CodingKeys.uuid)
            let data = ModelField<Everything, Data, FieldKind.Required>(CodingKeys.data)
            let point = ModelField<Everything, GeoPoint, FieldKind.Required>(CodingKeys.point)
            let reference = ModelField<Everything, DocumentReference, FieldKind.Required>(CodingKeys.reference)
            let list = ModelField<Everything, [Address], FieldKind.Required>(CodingKeys.list)
            let map = ModelField<Everything, [String: Color], FieldKind.Required>(CodingKeys.map)
            let set = ModelField<Everything, Set<String>, FieldKind.Required>(CodingKeys.set)
            let inner = ModelField<Everything, Address, FieldKind.Required>(CodingKeys.inner)
            let byte = ModelField<Everything, UInt8, FieldKind.Required>(CodingKeys.byte)
            let real = ModelField<Everything, Float, FieldKind.Required>(CodingKeys.real)
            let flag = ModelField<Everything, Bool, FieldKind.Optional>(CodingKeys.flag)
            let at = ModelField<Everything, Timestamp, FieldKind.ServerTimestamp>(CodingKeys.at)
        }
        static let fields = Fields()
    }
}
