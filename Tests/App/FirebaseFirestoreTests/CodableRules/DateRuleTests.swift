// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Dates (R26 … R30).
@Suite struct DateRuleTests {
    /// 2024-01-02T03:04:05Z
    static let moment = Date(timeIntervalSince1970: 1_704_164_645)

    static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd"
        return formatter
    }

    @Test func `dates are timestamps`() throws {
        // R26
        #expect(try fieldText(encoding: Date(timeIntervalSince1970: 1.5)) == "TS(1, 500000000)")
        #expect(try fieldText(encoding: Date(timeIntervalSince1970: 0)) == "TS(0, 0)")
        #expect(try fieldText(encoding: Date(timeIntervalSince1970: -0.5)) == "TS(-1, 500000000)")
        #expect(try fieldText(encoding: [Self.moment]) == "[TS(1704164645, 0)]")
        #expect(try fieldText(encoding: ["d": Self.moment]) == "{d: TS(1704164645, 0)}")
    }

    @Test func `a date is read from a timestamp or from its two parts`() throws {
        // R27
        #expect(try decoded(property: Date.self, from: Timestamp(seconds: 1, nanoseconds: 500_000_000)) == Date(timeIntervalSince1970: 1.5))
        #expect(try decoded(property: Date.self, from: ["seconds": 4, "nanoseconds": 0]) == Date(timeIntervalSince1970: 4))
        #expect(try decoded(property: Date?.self, from: NSNull()) == nil)
        #expect(failure(property: Date.self, from: NSNull()) == "valueNotFound at v")
    }

    @Test func `a date is not read from anything else`() throws {
        // R27, R94
        for other: Any in [1, 1.5, "2024-01-02T03:04:05Z", true, [1], Data([1])] {
            #expect(failure(property: Date.self, from: other) == "typeMismatch at v")
        }
        #expect(failure(property: Date.self, from: ["seconds": 1]) == "typeMismatch at v")
    }

    @Test func `the other ways of storing dates`() throws {
        // R28
        let reference = Self.moment.timeIntervalSinceReferenceDate
        #expect(try fieldText(encoding: Self.moment) { $0.dateEncodingStrategy = .deferredToDate } == "\(reference)")
        #expect(try fieldText(encoding: Self.moment) { $0.dateEncodingStrategy = .secondsSince1970 } == "1704164645.0")
        #expect(try fieldText(encoding: Self.moment) { $0.dateEncodingStrategy = .millisecondsSince1970 } == "1704164645000.0")
        #expect(try fieldText(encoding: Self.moment) { $0.dateEncodingStrategy = .iso8601 } == "\"2024-01-02T03:04:05Z\"")
        #expect(try fieldText(encoding: Self.moment.addingTimeInterval(0.5)) { $0.dateEncodingStrategy = .iso8601 } == "\"2024-01-02T03:04:05Z\"")
        #expect(try fieldText(encoding: Self.moment) { $0.dateEncodingStrategy = .formatted(Self.formatter) } == "\"2024/01/02\"")
        let custom: (Firestore.Encoder) -> Void = { encoder in
            encoder.dateEncodingStrategy = .custom { date, inner in
                var container = inner.container(keyedBy: AnyKey.self)
                try container.encode(date.timeIntervalSince1970, forKey: "unix")
            }
        }
        #expect(try fieldText(encoding: Self.moment, custom) == "{unix: 1704164645.0}")
        #expect(try fieldText(encoding: [Self.moment], custom) == "[{unix: 1704164645.0}]")
        #expect(try fieldText(encoding: Self.moment) { $0.dateEncodingStrategy = .custom { _, _ in } } == "{}")
    }

    @Test func `an error of the closure comes out as it is and leaves the encoder usable`() throws {
        // R28, R96
        let encoder = Firestore.Encoder()
        encoder.dateEncodingStrategy = .custom { _, _ in throw UserError(code: 7) }
        #expect(throws: UserError(code: 7)) { try encoder.encode(["a": Self.moment]) }
        #expect(fieldText(try encoder.encode(["a": 1])) == "{a: 1}")
        let decoder = Firestore.Decoder()
        decoder.dateDecodingStrategy = .custom { _ in throw UserError(code: 8) }
        #expect(throws: UserError(code: 8)) { try decoder.decode([String: Date].self, from: ["a": 1]) }
        #expect(try decoder.decode([String: Int].self, from: ["a": 1]) == ["a": 1])
    }

    @Test func `every way of storing dates reads back`() throws {
        // R28, R29
        let ways: [(FirebaseDataEncoder.DateEncodingStrategy, FirebaseDataDecoder.DateDecodingStrategy)] = [
            (.timestamp, .timestamp), (.deferredToDate, .deferredToDate), (.secondsSince1970, .secondsSince1970),
            (.millisecondsSince1970, .millisecondsSince1970), (.iso8601, .iso8601),
            (
                .custom { date, encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode("\(Int(date.timeIntervalSince1970))")
                },
                .custom { decoder in
                    let text = try decoder.singleValueContainer().decode(String.self)
                    return Date(timeIntervalSince1970: Double(text) ?? 0)
                }
            ),
        ]
        for (encoding, decoding) in ways {
            let data = try encoded(["d": [Self.moment]]) { $0.dateEncodingStrategy = encoding }
            #expect(try decoded([String: [Date]].self, from: data) { $0.dateDecodingStrategy = decoding } == ["d": [Self.moment]])
        }
        let day = try decoded(property: Date.self, from: "2024/01/02") { $0.dateDecodingStrategy = .formatted(Self.formatter) }
        #expect(day == Date(timeIntervalSince1970: 1_704_153_600))
        #expect(try decoded(property: Date.self, from: 2) { $0.dateDecodingStrategy = .secondsSince1970 } == Date(timeIntervalSince1970: 2))
    }

    @Test func `unreadable date strings are corrupted data, other kinds are mismatches`() throws {
        // R29
        let iso: (Firestore.Decoder) -> Void = { $0.dateDecodingStrategy = .iso8601 }
        let formatted: (Firestore.Decoder) -> Void = { $0.dateDecodingStrategy = .formatted(Self.formatter) }
        #expect(failure(property: Date.self, from: "yesterday", iso) == "dataCorrupted at v")
        #expect(failure(property: Date.self, from: "2024-01-02T03:04:05.5Z", iso) == "dataCorrupted at v")
        #expect(failure(property: Date.self, from: "soon", formatted) == "dataCorrupted at v")
        let stored = Timestamp(seconds: 1, nanoseconds: 0)
        for other: Any in [1, stored, [1]] {
            #expect(failure(property: Date.self, from: other, iso) == "typeMismatch at v")
            #expect(failure(property: Date.self, from: other, formatted) == "typeMismatch at v")
        }
        for strategy in [FirebaseDataDecoder.DateDecodingStrategy.deferredToDate, .secondsSince1970, .millisecondsSince1970] {
            #expect(failure(property: Date.self, from: "1") { $0.dateDecodingStrategy = strategy } == "typeMismatch at v")
            #expect(failure(property: Date.self, from: stored) { $0.dateDecodingStrategy = strategy } == "typeMismatch at v")
        }
    }

    @Test func `a date outside the range of timestamps is rejected with its path`() throws {
        // R29
        #expect(failureSummary { try encoded(Box(v: Date.distantPast)) } == "invalidValue at v")
        #expect(failureSummary { try encoded(["a": [Date.distantPast]]) } == "invalidValue at a.Index 0")
        #expect(failureSummary { try encoded(Box(v: Date(timeIntervalSince1970: .infinity))) } == "invalidValue at v")
        #expect(failureSummary { try encoded(Box(v: Date(timeIntervalSince1970: .nan))) } == "invalidValue at v")
        #expect(try fieldText(encoding: Date.distantFuture).hasPrefix("TS("))
        #expect(try encodedText(["d": Date.distantPast]) { $0.dateEncodingStrategy = .secondsSince1970 } == "{d: \(Date.distantPast.timeIntervalSince1970)}")
    }

    @Test func `timestamps follow no date strategy`() throws {
        // R30
        struct Model: Codable {
            var t = Timestamp(seconds: 5, nanoseconds: 0)
            @ServerTimestamp var s: Date? = Date(timeIntervalSince1970: 6)
            var d = Date(timeIntervalSince1970: 7)
        }
        let data = try encoded(Model()) { $0.dateEncodingStrategy = .iso8601 }
        #expect(fieldText(data) == "{d: \"1970-01-01T00:00:07Z\", s: TS(6, 0), t: TS(5, 0)}")
        let model = try decoded(Model.self, from: data) { $0.dateDecodingStrategy = .iso8601 }
        #expect(model.t == Model().t && model.s == Date(timeIntervalSince1970: 6) && model.d == Date(timeIntervalSince1970: 7))
    }
}
