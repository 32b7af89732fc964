// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Dates, bytes, URLs and decimals, according to the decoder's strategies (R26–R30e).
extension DecodingState {
    func date(_ value: ValueView, _ place: DecodingPlace) throws -> Date {
        switch dates {
        case .timestamp:
            guard let time = value.timestamp ?? timestampMap(value) else {
                throw mismatch(Date.self, found: value, place)
            }
            return time.date
        case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try double(value, place))
        case .secondsSince1970: return Date(timeIntervalSince1970: try double(value, place))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try double(value, place) / 1000)
        case .iso8601:
            guard let text = value.string else { throw mismatch(Date.self, found: value, place) }
            guard let date = ISO8601DateFormatter().date(from: text) else {
                throw unfitting(Date.self, value, place, "is not an ISO 8601 date without a fraction")
            }
            return date
        case .formatted(let formatter):
            guard let text = value.string else { throw mismatch(Date.self, found: value, place) }
            guard let date = formatter.date(from: text) else {
                throw unfitting(Date.self, value, place, "the date formatter does not accept")
            }
            return date
        case .custom(let closure): return try closure(decoder(value, place))
        }
    }

    /// Reads a map of `seconds` and `nanoseconds`, the form of a timestamp in other coders (R27).
    private func timestampMap(_ value: ValueView) -> TimestampValue? {
        guard let fields = value.fields, let seconds = fields[utf8: "seconds"]?.integer,
            let nanoseconds = fields[utf8: "nanoseconds"]?.integer.flatMap({ Int32(exactly: $0) })
        else { return nil }
        let time = TimestampValue(seconds: seconds, nanoseconds: nanoseconds)
        return time.isValid ? time : nil
    }

    func data(_ value: ValueView, _ place: DecodingPlace) throws -> Data {
        switch options.data {
        case .blob:
            if let bytes = value.dataBytes { return Data(bytes) }
            // The form that SDKs 10.0 to 10.3 wrote (R30a).
            guard let text = value.string, let data = Data(base64Encoded: text) else {
                throw mismatch(Data.self, found: value, place)
            }
            return data
        case .base64:
            guard let text = value.string else { throw mismatch(Data.self, found: value, place) }
            guard let data = Data(base64Encoded: text) else {
                throw unfitting(Data.self, value, place, "is not base64")
            }
            return data
        case .deferredToData: return try Data(from: decoder(value, place))
        case .custom(let closure): return try closure(decoder(value, place))
        }
    }

    func url(_ value: ValueView, _ place: DecodingPlace) throws -> URL {
        guard let text = value.string else { throw mismatch(URL.self, found: value, place) }
        guard let url = URL(string: text) else { throw unfitting(URL.self, value, place, "is not a URL") }
        return url
    }

    /// Stored as a double: the shortest decimal that is stored so; integers are exact (R30e).
    func decimal(_ value: ValueView, _ place: DecodingPlace) throws -> Decimal {
        if let integer = value.integer { return Decimal(integer) }
        guard let double = value.double else { throw mismatch(Decimal.self, found: value, place) }
        guard !double.isInfinite else { throw unfitting(Decimal.self, value, place, "is infinite, which a Decimal cannot be") }
        return Decimal(shortest: double)
    }
}
