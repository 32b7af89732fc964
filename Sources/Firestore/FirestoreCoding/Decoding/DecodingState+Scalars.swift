// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Numbers, strings and booleans, decoded by value rather than by stored type (R11–R19).
extension DecodingState {
    @inline(__always)
    func boolean(_ value: ValueView, _ place: @autoclosure () -> DecodingPlace) throws -> Bool {
        guard let boolean = value.boolean else { throw mismatch(Bool.self, found: value, place()) }
        return boolean
    }

    @inline(__always)
    func string(_ value: ValueView, _ place: @autoclosure () -> DecodingPlace) throws -> String {
        guard let string = value.string else { throw mismatch(String.self, found: value, place()) }
        return string
    }

    /// Any number that the type can represent exactly (R14).
    @inline(__always)
    func integer<T: FixedWidthInteger>(
        _ type: T.Type, _ value: ValueView, _ place: @autoclosure () -> DecodingPlace
    ) throws -> T {
        if let stored = value.integer {
            if let result = T(exactly: stored) { return result }
        } else if let stored = value.double {
            if let result = T(exactly: stored) { return result }
        } else {
            throw mismatch(T.self, found: value, place())
        }
        throw unfitting(T.self, value, place(), "does not fit")
    }

    /// Any number; large integers lose precision (R16).
    @inline(__always)
    func double(_ value: ValueView, _ place: @autoclosure () -> DecodingPlace) throws -> Double {
        if let stored = value.double { return stored }
        if let stored = value.integer { return Double(stored) }
        if let converted: Double = nonConforming(value) { return converted }
        throw mismatch(Double.self, found: value, place())
    }

    /// Rounds to nearest; values that a `Float` cannot represent are rejected, including NaN and infinities (R17).
    func float(_ value: ValueView, _ place: @autoclosure () -> DecodingPlace) throws -> Float {
        if let converted: Float = nonConforming(value) { return converted }
        guard let stored = value.double ?? value.integer.map(Double.init) else {
            throw mismatch(Float.self, found: value, place())
        }
        guard abs(stored) <= Double(Float.greatestFiniteMagnitude) else {
            throw unfitting(Float.self, value, place(), "does not fit")
        }
        return Float(stored)
    }

    /// Exactly the strings of the strategy (R18).
    private func nonConforming<T: BinaryFloatingPoint>(_ value: ValueView) -> T? {
        guard case .convertFromString(let positive, let negative, let nan) = options.nonConformingFloats,
            let text = value.string
        else { return nil }
        if compareUTF8(text, positive) == 0 { return T.infinity }
        if compareUTF8(text, negative) == 0 { return -T.infinity }
        if compareUTF8(text, nan) == 0 { return T.nan }
        return nil
    }
}
