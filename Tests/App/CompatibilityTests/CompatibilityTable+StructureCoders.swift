// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirebaseSharedSwift
import Foundation
import ModeSupport

private let date = Date(timeIntervalSince1970: 5)
private let bytes = Data([1, 2, 3])

private func isUncodedUnkeyed<Value: StructureCodingUncodedUnkeyed>(_: Value.Type) -> Bool { true }

extension CompatibilityTable {
    /// api.md 13.2.
    static func structureCoders() -> CompatibilitySection {
        var section = CompatibilitySection("13.2", "FirebaseDataEncoder, FirebaseDataDecoder")
        section.row(.full, "FirebaseDataEncoder.init()") { _ in
            try FirebaseDataEncoder().encode("text") as? String == "text"
        }
        section.row(.full, "FirebaseDataEncoder.encode<T: Encodable>(_ value: T) throws -> sending Any") { _ in
            let structure: Any = try FirebaseDataEncoder().encode([1, 2])
            return structure as? [Int] == [1, 2]
        }
        section.row(.full, "FirebaseDataDecoder.init()") { _ in
            try FirebaseDataDecoder().decode(String.self, from: "text") == "text"
        }
        section.row(.full, "FirebaseDataDecoder.decode<T: Decodable>(_ type: T.Type, from structure: Any) throws -> T") { _ in
            let letter: Letter = try FirebaseDataDecoder().decode(Letter.self, from: ["n": 1])
            let refused = await failure { try FirebaseDataDecoder().decode(Int.self, from: NSNull()) }
            return letter.n == 1 && refused is DecodingError
        }
        section.row(.full, "var dateEncodingStrategy, dataEncodingStrategy, nonConformingFloatEncodingStrategy, keyEncodingStrategy, userInfo (and …Decoding… twins)") { _ in
            let (encoder, decoder) = (FirebaseDataEncoder(), FirebaseDataDecoder())
            guard case .deferredToDate = encoder.dateEncodingStrategy, case .deferredToDate = decoder.dateDecodingStrategy else { return false }
            guard case .base64 = encoder.dataEncodingStrategy, case .base64 = decoder.dataDecodingStrategy else { return false }
            guard case .throw = encoder.nonConformingFloatEncodingStrategy, case .throw = decoder.nonConformingFloatDecodingStrategy else { return false }
            guard case .useDefaultKeys = encoder.keyEncodingStrategy, case .useDefaultKeys = decoder.keyDecodingStrategy else { return false }
            return encoder.userInfo.isEmpty && decoder.userInfo.isEmpty
        }
        section.row(.full, "var passthroughTypeResolver: StructureCodingPassthroughTypeResolver.Type") { _ in
            let (encoder, decoder) = (FirebaseDataEncoder(), FirebaseDataDecoder())
            let resolver: any StructureCodingPassthroughTypeResolver.Type = PointsPassThrough.self
            encoder.passthroughTypeResolver = resolver
            decoder.passthroughTypeResolver = resolver
            let point = GeoPoint(latitude: 1, longitude: 2)
            let structure = try encoder.encode(["at": point])
            return try (structure as? [String: Any])?["at"] as? GeoPoint === point && decoder.decode([String: GeoPoint].self, from: structure)["at"] === point
        }
        section.row(.full, "protocol StructureCodingPassthroughTypeResolver { static func isPassthroughType<T>(_ t: T) -> Bool }") { _ in
            PointsPassThrough.isPassthroughType(GeoPoint(latitude: 1, longitude: 2)) && !PointsPassThrough.isPassthroughType(1)
        }
        section.row(.full, "protocol StructureCodingUncodedUnkeyed") { _ in
            isUncodedUnkeyed(DocumentID<String>.self)
        }
        section.row(.full, "protocol FirebaseRemoteConfigValueDecoding", differs: "for your own types: Remote Config is not part of Hearth") { _ in
            let value: any FirebaseRemoteConfigValueDecoding = ConfiguredNumber()
            return try FirebaseDataDecoder().decode(Letter.self, from: value).n == value.numberValue().intValue
        }
        section.row(
            .core,
            "enum FirebaseDataEncoder.DateEncodingStrategy { case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601, formatted(DateFormatter), custom((Date, Encoder) throws -> Void) }"
        ) { _ in
            let formatter = DateFormatter()
            formatter.dateFormat = "yyyy"
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.locale = Locale(identifier: "en_US_POSIX")
            let strategies: [FirebaseDataEncoder.DateEncodingStrategy] = [
                .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .formatted(formatter), .custom { _, encoder in try "mine".encode(to: encoder) },
            ]
            let values = try strategies.map { strategy in
                let encoder = Firestore.Encoder()
                encoder.dateEncodingStrategy = strategy
                return try encoder.encode(["at": date])["at"]
            }
            let numbers: [Double?] = [date.timeIntervalSinceReferenceDate, 5, 5_000, nil, nil, nil]
            let texts: [String?] = [nil, nil, nil, "1970-01-01T00:00:05Z", "1970", "mine"]
            return values.map { $0 as? Double } == numbers && values.map { $0 as? String } == texts
        }
        section.row(.core, "static var FirebaseDataEncoder.DateEncodingStrategy.timestamp { get }") { _ in
            let encoder = FirebaseDataEncoder()
            encoder.dateEncodingStrategy = .timestamp
            let firestoreEncoder = Firestore.Encoder()
            firestoreEncoder.dateEncodingStrategy = FirebaseDataEncoder.DateEncodingStrategy.timestamp
            return try firestoreEncoder.encode(["at": date])["at"] as? Timestamp == Timestamp(date: date)
        }
        section.row(
            .core,
            "enum FirebaseDataDecoder.DateDecodingStrategy { case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601, formatted(DateFormatter), custom((_ decoder: Decoder) throws -> Date) }"
        ) { _ in
            let formatter = DateFormatter()
            formatter.dateFormat = "yyyy-MM-dd"
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.locale = Locale(identifier: "en_US_POSIX")
            let strategies: [(FirebaseDataDecoder.DateDecodingStrategy, Any)] = [
                (.deferredToDate, -978_307_195), (.secondsSince1970, 5), (.millisecondsSince1970, 5_000), (.iso8601, "1970-01-01T00:00:05Z"),
                (.custom { _ in date }, "whatever"), (.formatted(formatter), "1970-01-01"),
            ]
            let dates = try strategies.map { strategy, stored in
                let decoder = Firestore.Decoder()
                decoder.dateDecodingStrategy = strategy
                return try decoder.decode([String: Date].self, from: ["at": stored])["at"]?.timeIntervalSince1970 ?? -1
            }
            return dates == [5, 5, 5, 5, 5, 0]
        }
        section.row(.core, "static var FirebaseDataDecoder.DateDecodingStrategy.timestamp { get }") { _ in
            let decoder = Firestore.Decoder()
            decoder.dateDecodingStrategy = FirebaseDataDecoder.DateDecodingStrategy.timestamp
            return try decoder.decode([String: Date].self, from: ["at": Timestamp(date: date)]) == ["at": date]
        }
        section.row(.core, "enum FirebaseDataEncoder.DataEncodingStrategy { case deferredToData, base64, blob, custom((Data, Encoder) throws -> Void) }") { _ in
            let strategies: [FirebaseDataEncoder.DataEncodingStrategy] = [.deferredToData, .base64, .blob, .custom { _, encoder in try "mine".encode(to: encoder) }]
            let values = try strategies.map { strategy in
                let encoder = Firestore.Encoder()
                encoder.dataEncodingStrategy = strategy
                return try encoder.encode(["data": bytes])["data"]
            }
            return values[0] as? [Int] == [1, 2, 3] && values[1] as? String == "AQID" && values[2] as? Data == bytes && values[3] as? String == "mine"
        }
        section.row(.core, "enum FirebaseDataDecoder.DataDecodingStrategy { case deferredToData, base64, blob, custom((_ decoder: Decoder) throws -> Data) }") { _ in
            let strategies: [(FirebaseDataDecoder.DataDecodingStrategy, Any)] = [(.deferredToData, [1, 2, 3]), (.base64, "AQID"), (.blob, bytes), (.custom { _ in bytes }, "whatever")]
            return try strategies.allSatisfy { strategy, stored in
                let decoder = Firestore.Decoder()
                decoder.dataDecodingStrategy = strategy
                return try decoder.decode([String: Data].self, from: ["data": stored]) == ["data": bytes]
            }
        }
        section.row(
            .core,
            "enum FirebaseDataEncoder.NonConformingFloatEncodingStrategy { case `throw`, convertToString(positiveInfinity: String, negativeInfinity: String, nan: String) }"
        ) { _ in
            let strategies: [FirebaseDataEncoder.NonConformingFloatEncodingStrategy] = [.throw, .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")]
            let texts = strategies.map { strategy in
                let encoder = Firestore.Encoder()
                encoder.nonConformingFloatEncodingStrategy = strategy
                return try? encoder.encode(["x": -Double.infinity])["x"] as? String
            }
            return texts == [nil, "-"]
        }
        section.row(
            .core,
            "enum FirebaseDataDecoder.NonConformingFloatDecodingStrategy { case `throw`, convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String) }"
        ) { _ in
            let strategies: [FirebaseDataDecoder.NonConformingFloatDecodingStrategy] = [.throw, .convertFromString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")]
            let numbers = strategies.map { strategy in
                let decoder = Firestore.Decoder()
                decoder.nonConformingFloatDecodingStrategy = strategy
                return try? decoder.decode([String: Double].self, from: ["x": "-"])["x"]
            }
            return numbers == [nil, -Double.infinity]
        }
        section.row(.core, "enum FirebaseDataEncoder.KeyEncodingStrategy { case useDefaultKeys, convertToSnakeCase, custom((_ codingPath: [CodingKey]) -> CodingKey) }") { here in
            let strategies: [FirebaseDataEncoder.KeyEncodingStrategy] = [.useDefaultKeys, .convertToSnakeCase, .custom { path in TextKey(path.map(\.stringValue).joined().uppercased()) }]
            let keys = try strategies.map { strategy in
                let encoder = Firestore.Encoder()
                encoder.keyEncodingStrategy = strategy
                return try encoder.encode(Home(homeAddress: "here")).keys.first
            }
            return keys == ["homeAddress", "home_address", "HOMEADDRESS"]
        }
        section.row(.core, "enum FirebaseDataDecoder.KeyDecodingStrategy { case useDefaultKeys, convertFromSnakeCase, custom((_ codingPath: [CodingKey]) -> CodingKey) }") { here in
            let strategies: [(FirebaseDataDecoder.KeyDecodingStrategy, String)] = [
                (.useDefaultKeys, "homeAddress"), (.convertFromSnakeCase, "home_address"), (.custom { _ in TextKey("homeAddress") }, "anything"),
            ]
            return try strategies.allSatisfy { strategy, key in
                let decoder = Firestore.Decoder()
                decoder.keyDecodingStrategy = strategy
                return try decoder.decode(Home.self, from: [key: "here"]).homeAddress == "here"
            }
        }
        return section
    }
}
