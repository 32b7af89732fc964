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
            let id = ModelField<Wrong, DocumentReference, Identity>.documentID
            let population = ModelField<Wrong, String, Required>(CodingKeys.population)
            let nickname = ModelField<Wrong, String, Required>(CodingKeys.nickname)
            let mayor = ModelField<Wrong, String, Maybe>(CodingKeys.mayor)
            let added = ModelField<Wrong, Date, Required>(CodingKeys.added)
            let rank = ModelField<Wrong, Rank, Maybe>(CodingKeys.rank)
            let gone = ModelField<Wrong, Int, Required>(Other.gone)
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
                "id: is ModelField<…, DocumentReference, Identity>, but the type decodes String, Identity",
                "population: is ModelField<…, String, Required>, but the type decodes Int, Required",
                "name: missing; add ModelField<…, String, Required>",
                "nickname: is ModelField<…, String, Required>, but the type decodes String, Maybe",
                "mayor: is ModelField<…, String, Maybe>, but the type decodes String, Nullable",
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

    @Test func `a value that cannot be made up is asked for`() {
        #expect { try City.verifyFields() } throws: { "\($0)".contains("status: no value of Status can be made up") }
        #expect { try Landmark.verifyFields() } throws: { "\($0)".contains("city: no value of Reference<City>") }
        #expect { try expectFields(City.self) } throws: { "\($0)".contains("FieldTableTests.swift:") && "\($0)".contains("pass one in standIns") }
    }

    /// A wrapper that is not known, as `@DefaultZero` of an app.
    @propertyWrapper
    struct Counted: Codable {
        var wrappedValue: Int
    }

    struct Wrapped: FirestoreModel {
        @Counted var number: Int

        struct Fields: Sendable { let number = ModelField<Wrapped, Int, Required>(CodingKeys.number) }
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
            let color = ModelField<Everything, Color, Required>(CodingKeys.color)
            let url = ModelField<Everything, URL, Required>(CodingKeys.url)
            let uuid = ModelField<Everything, UUID, Required>(CodingKeys.uuid)
            let data = ModelField<Everything, Data, Required>(CodingKeys.data)
            let point = ModelField<Everything, GeoPoint, Required>(CodingKeys.point)
            let reference = ModelField<Everything, DocumentReference, Required>(CodingKeys.reference)
            let list = ModelField<Everything, [Address], Required>(CodingKeys.list)
            let map = ModelField<Everything, [String: Color], Required>(CodingKeys.map)
            let set = ModelField<Everything, Set<String>, Required>(CodingKeys.set)
            let inner = ModelField<Everything, Address, Required>(CodingKeys.inner)
            let byte = ModelField<Everything, UInt8, Required>(CodingKeys.byte)
            let real = ModelField<Everything, Float, Required>(CodingKeys.real)
            let flag = ModelField<Everything, Bool, Maybe>(CodingKeys.flag)
            let at = ModelField<Everything, Timestamp, Stamped>(CodingKeys.at)
        }
        static let fields = Fields()
    }
}
