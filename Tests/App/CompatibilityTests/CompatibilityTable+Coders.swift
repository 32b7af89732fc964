// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

private let date = Date(timeIntervalSince1970: 5)
private let bytes = Data([1, 2, 3])

extension CompatibilityTable {
    /// api.md 13.1.
    static func firestoreCoders() -> CompatibilitySection {
        var section = CompatibilitySection("13.1", "Firestore.Encoder, Firestore.Decoder")
        section.row(.core, "Firestore.Encoder.init()") { _ in
            try Firestore.Encoder().encode(Letter(n: 1)).count == 1
        }
        section.row(.core, "Firestore.Encoder.encode<T: Encodable>(_ value: T) throws -> [String : Any]") { _ in
            let data: [String: Any] = try Firestore.Encoder().encode(Letter(n: 1))
            let refused = await failure { _ = try Firestore.Encoder().encode(5) }
            return data["n"] as? Int == 1 && refused is EncodingError
        }
        section.row(.core, "Firestore.Encoder.dateEncodingStrategy: FirebaseDataEncoder.DateEncodingStrategy") { _ in
            let encoder = Firestore.Encoder()
            let stamped = try encoder.encode(["at": date])["at"]
            let strategy: FirebaseDataEncoder.DateEncodingStrategy = .secondsSince1970
            encoder.dateEncodingStrategy = strategy
            return try stamped as? Timestamp == Timestamp(date: date) && encoder.encode(["at": date])["at"] as? Double == 5
        }
        section.row(.core, "Firestore.Encoder.dataEncodingStrategy: FirebaseDataEncoder.DataEncodingStrategy") { _ in
            let encoder = Firestore.Encoder()
            let blob = try encoder.encode(["data": bytes])["data"]
            let strategy: FirebaseDataEncoder.DataEncodingStrategy = .base64
            encoder.dataEncodingStrategy = strategy
            return try blob as? Data == bytes && encoder.encode(["data": bytes])["data"] as? String == "AQID"
        }
        section.row(.core, "Firestore.Encoder.nonConformingFloatEncodingStrategy: FirebaseDataEncoder.NonConformingFloatEncodingStrategy") { _ in
            let encoder = Firestore.Encoder()
            let refused = await failure { _ = try encoder.encode(["x": Double.nan]) }
            let strategy: FirebaseDataEncoder.NonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            encoder.nonConformingFloatEncodingStrategy = strategy
            return try refused is EncodingError && encoder.encode(["x": Double.nan])["x"] as? String == "?"
        }
        section.row(.core, "Firestore.Encoder.keyEncodingStrategy: FirebaseDataEncoder.KeyEncodingStrategy") { here in
            let encoder = Firestore.Encoder()
            let plain = try encoder.encode(Home(homeAddress: "here"))
            let strategy: FirebaseDataEncoder.KeyEncodingStrategy = .convertToSnakeCase
            encoder.keyEncodingStrategy = strategy
            return try plain["homeAddress"] as? String == "here" && encoder.encode(Home(homeAddress: "here"))["home_address"] as? String == "here"
        }
        section.row(.core, "Firestore.Encoder.userInfo: [CodingUserInfoKey : Any]") { _ in
            let encoder = Firestore.Encoder()
            let before: [CodingUserInfoKey: Any] = encoder.userInfo
            encoder.userInfo[FromUserInfo.key] = 7
            return try before.isEmpty && encoder.encode(["x": FromUserInfo()])["x"] as? Int == 7
        }
        section.row(.core, "Firestore.Decoder.init()") { _ in
            try Firestore.Decoder().decode(Letter.self, from: ["n": 1]).n == 1
        }
        section.row(.core, "Firestore.Decoder.decode<T: Decodable>(_ t: T.Type, from data: Any) throws -> T") { _ in
            let letter: Letter = try Firestore.Decoder().decode(Letter.self, from: ["n": 1])
            let refused = await failure { try Firestore.Decoder().decode(Letter.self, from: ["n": "one"]) }
            return letter.n == 1 && refused is DecodingError
        }
        section.row(
            .core,
            "Firestore.Decoder.decode<T: Decodable>(_ t: T.Type, from data: Any, in reference: DocumentReference?) throws -> T",
            differs: "the reference applies to this call only"
        ) { here in
            let decoder = Firestore.Decoder()
            let letter: NamedLetter = try decoder.decode(NamedLetter.self, from: ["n": 1], in: here.letters.document("a"))
            return letter.id == "a" && decoder.userInfo.isEmpty
        }
        section.row(.core, "Firestore.Decoder.dateDecodingStrategy: FirebaseDataDecoder.DateDecodingStrategy") { _ in
            let decoder = Firestore.Decoder()
            let stamped = try decoder.decode([String: Date].self, from: ["at": Timestamp(date: date)])
            let strategy: FirebaseDataDecoder.DateDecodingStrategy = .secondsSince1970
            decoder.dateDecodingStrategy = strategy
            return try stamped == ["at": date] && decoder.decode([String: Date].self, from: ["at": 5]) == ["at": date]
        }
        section.row(.core, "Firestore.Decoder.dataDecodingStrategy: FirebaseDataDecoder.DataDecodingStrategy") { _ in
            let decoder = Firestore.Decoder()
            let blob = try decoder.decode([String: Data].self, from: ["data": bytes])
            let strategy: FirebaseDataDecoder.DataDecodingStrategy = .base64
            decoder.dataDecodingStrategy = strategy
            return try blob == ["data": bytes] && decoder.decode([String: Data].self, from: ["data": "AQID"]) == ["data": bytes]
        }
        section.row(.core, "Firestore.Decoder.nonConformingFloatDecodingStrategy: FirebaseDataDecoder.NonConformingFloatDecodingStrategy") { _ in
            let decoder = Firestore.Decoder()
            let refused = await failure { try decoder.decode([String: Double].self, from: ["x": "?"]) }
            let strategy: FirebaseDataDecoder.NonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            decoder.nonConformingFloatDecodingStrategy = strategy
            return try refused is DecodingError && decoder.decode([String: Double].self, from: ["x": "?"])["x"]?.isNaN == true
        }
        section.row(.core, "Firestore.Decoder.keyDecodingStrategy: FirebaseDataDecoder.KeyDecodingStrategy") { here in
            let decoder = Firestore.Decoder()
            let plain = try decoder.decode(Home.self, from: ["homeAddress": "here"])
            let strategy: FirebaseDataDecoder.KeyDecodingStrategy = .convertFromSnakeCase
            decoder.keyDecodingStrategy = strategy
            return try plain.homeAddress == "here" && decoder.decode(Home.self, from: ["home_address": "there"]).homeAddress == "there"
        }
        section.row(.core, "Firestore.Decoder.userInfo: [CodingUserInfoKey : Any]") { _ in
            let decoder = Firestore.Decoder()
            let before: [CodingUserInfoKey: Any] = decoder.userInfo
            decoder.userInfo[FromUserInfo.key] = 7
            return try before.isEmpty && decoder.decode([String: FromUserInfo].self, from: ["x": 1])["x"]?.number == 7
        }
        return section
    }
}
