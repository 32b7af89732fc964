// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A conversion that loses nothing. Null stays null.
///
/// Numbers become equal numbers, but for the negative zero, which is rejected. A text becomes a number if it is the usual spelling of it:
/// for integers the digits, for doubles any number of JSON that is the shortest text of the double, zeros at the end and the form of
/// the exponent aside. Times keep all of their digits, up to the microseconds that Firestore stores; a date becomes its midnight in UTC.
package enum FieldConversion: String, Sendable, CaseIterable {
    case integer, double, string, boolean, timestamp
    /// A number of seconds since 1970 to a timestamp.
    case seconds
    /// A number of milliseconds since 1970 to a timestamp.
    case milliseconds

    var phrase: String {
        switch self {
        case .integer: "an integer"
        case .double: "a double"
        case .string: "a string"
        case .boolean: "a boolean"
        case .timestamp: "a timestamp"
        case .seconds: "a timestamp of seconds since 1970"
        case .milliseconds: "a timestamp of milliseconds since 1970"
        }
    }

    /// nil if the value has no equal of the other type.
    package func convert(_ value: Value) -> Value? {
        if case .null = value { return .null }
        switch self {
        case .integer: return Self.integer(value).map { .integer($0) }
        case .double: return Self.double(value).map { .double($0) }
        case .string: return Self.string(value).map { .string($0) }
        case .boolean:
            switch value {
            case .boolean: return value
            case .string(let text): return Bool(text).map { .boolean($0) }
            case .integer(0): return .boolean(false)
            case .integer(1): return .boolean(true)
            default: return nil
            }
        case .timestamp:
            guard case .string(let text) = value else { return value.isTimestamp ? value : nil }
            // Firestore stores microseconds.
            guard let time = TimestampValue(dateOrTime: text), time == time.truncatedToMicroseconds else { return nil }
            return .timestamp(time)
        case .seconds: return value.isTimestamp ? value : Self.timestamp(value, exponent: 6)
        case .milliseconds: return value.isTimestamp ? value : Self.timestamp(value, exponent: 3)
        }
    }

    private static func integer(_ value: Value) -> Int64? {
        switch value {
        case .integer(let number): number
        case .double(let number): number.isNegativeZero ? nil : Int64(exactly: number)
        // Other spellings of the number, such as 007 and +7, could not be distinguished from it afterwards.
        case .string(let text): Int64(text).flatMap { String($0) == text ? $0 : nil }
        default: nil
        }
    }

    private static func double(_ value: Value) -> Double? {
        switch value {
        case .double(let number): return number
        case .integer(let number): return Double(exactly: number)
        case .string(let text):
            guard let written = DecimalNumber(text), let number = Double(text), !number.isNegativeZero else { return nil }
            return written == DecimalNumber(String(number)) ? number : nil
        default: return nil
        }
    }

    private static func string(_ value: Value) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .double(let number) where number.isFinite: String(number)
        case .boolean(let truth): String(truth)
        case .timestamp(let time): time.text
        default: nil
        }
    }

    /// `exponent`: how many microseconds the unit has, as a power of ten.
    private static func timestamp(_ value: Value, exponent: Int) -> Value? {
        let microseconds: Int64?
        switch value {
        case .integer(let number): microseconds = number.times(powerOfTen: exponent)
        case .double(let number) where !number.isNegativeZero:
            microseconds = DecimalNumber(String(number))?.integer(timesPowerOfTen: exponent)
        default: microseconds = nil
        }
        guard let microseconds else { return nil }
        let time = TimestampValue(microsecondsSince1970: microseconds)
        return time.isValid ? .timestamp(time) : nil
    }
}

/// The value of a number as JSON writes it, exactly: digits without zeros at either end, times a power of ten.
private struct DecimalNumber: Equatable {
    private let isNegative: Bool
    private let digits: [UInt8]
    private let exponent: Int

    /// nil for other spellings, such as `007`, `+7`, `.5`, `0x1p3` and `nan`.
    init?(_ text: String) {
        var rest = text.utf8[...]
        func take(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        func takeDigits() -> Substring.UTF8View {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits
        }
        let isNegative = take("-")
        let whole = takeDigits()
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
        var digits = Array(whole)
        var exponent = 0
        if take(".") {
            let fraction = takeDigits()
            if fraction.isEmpty { return nil }
            digits += fraction
            exponent -= fraction.count
        }
        if take("eE") {
            let isBelowZero = rest.first == UInt8(ascii: "-")
            _ = take("+-")
            // No double has more digits in its exponent, and a zero needs none.
            guard let written = Int(Substring(takeDigits())), written < 1_000_000 else { return nil }
            exponent += isBelowZero ? -written : written
        }
        guard rest.isEmpty else { return nil }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        self.isNegative = isNegative
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
    }

    /// nil if that is not an integer, or too large.
    func integer(timesPowerOfTen power: Int) -> Int64? {
        guard exponent + power >= 0 else { return nil }
        if digits.isEmpty { return 0 }
        return Int64((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))?.times(powerOfTen: exponent + power)
    }
}

extension Int64 {
    /// nil if that is too large.
    fileprivate func times(powerOfTen power: Int) -> Int64? {
        var result = self
        for _ in 0..<Swift.min(power, 20) {
            let (product, isTooLarge) = result.multipliedReportingOverflow(by: 10)
            if isTooLarge { return nil }
            result = product
        }
        return result
    }
}

extension Double {
    fileprivate var isNegativeZero: Bool { self == 0 && sign == .minus }
}

extension Value {
    fileprivate var isTimestamp: Bool { if case .timestamp = self { true } else { false } }
}
