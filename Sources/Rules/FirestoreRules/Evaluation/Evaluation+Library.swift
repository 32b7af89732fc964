// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Functions without a receiver: conversions and the namespaces.
extension Evaluation {
    mutating func callLibrary(_ function: LibraryFunction, _ operands: Operands, at node: NodeID) throws(Interruption) -> RulesValue {
        var arguments: [RulesValue] = []
        for index in operands.range {
            let argument = try value(Int(program.operands[index]))
            // These give the same for either spelling of a number.
            if case .constraint(let constraint) = argument, let number = constraint.equalNumber, function.isBlindToSpelling,
                // The zeros differ in their sign.
                constraint.spellings.count < 3
            {
                arguments.append(number)
            } else {
                arguments.append(argument)
            }
        }
        let first = arguments[0]
        if function == .debug {
            debugged.append((node, first))
            return first
        }
        // Without a value there is nothing to compute with.
        if case .null = first, function != .string { throw .failure(.nullValue) }
        let result =
            switch function {
            case .string, .int, .float, .path: try convert(function, first)
            case .timestampDate, .timestampValue, .durationValue, .durationTime, .durationAbs, .latlngValue:
                try make(function, arguments)
            case .crc32, .crc32c, .md5, .sha256: Self.hash(function, first)
            default: try mathematics(function, arguments)
            }
        guard let result else { throw mismatch(function, arguments) }
        return result
    }

    private func mismatch(_ function: LibraryFunction, _ arguments: [RulesValue]) -> Interruption {
        let types = arguments.map(\.type.rawValue).joined(separator: ", ")
        let expected = Signature.functions(function.rawValue).map(\.description).joined(separator: ", ")
        return .failure(.unsupported(received: "\(function.rawValue)(\(types))", expected: expected))
    }

    /// The text of a value as a segment of a path, in `join` and in `string()`.
    func text(of value: RulesValue) throws(Interruption) -> String {
        if case .constraint = value { throw .failure(.notProven) }
        guard let text = ValueText.text(value) else {
            throw mismatch(.string, [value])
        }
        return text
    }

    // MARK: Conversions

    private func convert(_ function: LibraryFunction, _ value: RulesValue) throws(Interruption) -> RulesValue? {
        switch (function, value) {
        case (.string, _): return .string(try text(of: value))
        case (.int, .int), (.float, .float): return value
        case (.int, .float(let float)): return .int(Self.saturated(float))
        case (.int, .string(let text)):
            guard let number = ValueText.integer(text) else {
                throw .failure(.conversion(argument: text, from: .string, to: .int))
            }
            return .int(number)
        case (.float, .int(let integer)): return .float(Double(integer))
        case (.float, .string(let text)):
            guard let number = ValueText.float(text) else {
                throw .failure(.conversion(argument: text, from: .string, to: .float))
            }
            return .float(number)
        case (.path, .string(let text)):
            guard let path = PathValue.reading(text) else {
                throw .failure(.conversion(argument: text, from: .string, to: .path))
            }
            return .path(path)
        default: return nil
        }
    }

    /// Truncated toward zero, at most the largest and at least the lowest integer; NaN is 0.
    private static func saturated(_ value: Double) -> Int64 {
        if value.isNaN { return 0 }
        if value >= 0x1p63 { return .max }
        return value <= -0x1p63 ? .min : Int64(value)
    }

    // MARK: Numbers

    private func mathematics(_ function: LibraryFunction, _ arguments: [RulesValue]) throws(Interruption) -> RulesValue? {
        if case .constraint(let constraint) = arguments[0], constraint.equalNumber != nil { throw .failure(.notProven) }
        if function == .abs, case .int(let value) = arguments[0] { return .int(value < 0 ? 0 &- value : value) }
        guard let number = Self.number(arguments[0]) else { return nil }
        switch function {
        case .abs: return .float(abs(number))
        case .ceil: return .float(number.rounded(.up))
        case .floor: return .float(number.rounded(.down))
        case .sqrt: return .float(number.squareRoot())
        case .round:
            // Halves go up: −1.5 becomes −1. Adding a half first would round numbers just below a half. Integers are rounded as floats.
            let floor = number.rounded(.down)
            return .int(Self.saturated(number - floor >= 0.5 ? floor + 1 : floor))
        case .pow:
            guard let exponent = Self.number(arguments[1]) else { return nil }
            // C gives 1 for powers of 1 that have no value.
            if exponent.isNaN || exponent.isInfinite && abs(number) == 1 { return .float(.nan) }
            return .float(pow(number, exponent))
        case .isNaN: return .bool(number.isNaN)
        case .isInfinite: return .bool(number.isInfinite)
        default: return nil
        }
    }

    private static func number(_ value: RulesValue) -> Double? {
        switch value {
        case .int(let value): Double(value)
        case .float(let value): value
        default: nil
        }
    }

    private static func hash(_ function: LibraryFunction, _ value: RulesValue) -> RulesValue? {
        let content: [UInt8]
        switch value {
        case .string(let text): content = Array(text.utf8)
        case .bytes(let bytes): content = bytes.array
        default: return nil
        }
        let hash = content.withUnsafeBytes { content -> [UInt8] in
            switch function {
            case .crc32: bytes(of: CRC32.ieee.checksum(content))
            case .crc32c: bytes(of: CRC32.castagnoli.checksum(content))
            case .md5: MD5.hash(content).bytes
            default: SHA256.hash(content)
            }
        }
        return .bytes(ByteSlice(hash))
    }

    private static func bytes(of checksum: UInt32) -> [UInt8] { withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } }

    // MARK: Times and places

    private func make(_ function: LibraryFunction, _ arguments: [RulesValue]) throws(Interruption) -> RulesValue? {
        switch function {
        case .timestampDate:
            guard case .int(let year) = arguments[0], case .int(let month) = arguments[1], case .int(let day) = arguments[2] else {
                return nil
            }
            guard let days = CivilDate.days(year: year, month: month, day: day) else {
                throw .failure(.other("Date is not valid. year: \(year), month: \(month) day: \(day)."))
            }
            return .timestamp(TimestampValue(seconds: days * Calendar.secondsPerDay, nanoseconds: 0))
        case .timestampValue: return try timestamp(arguments[0])
        case .durationValue:
            guard case .int(let amount) = arguments[0], case .string(let unit) = arguments[1] else { return nil }
            return .duration(try duration(amount, unit))
        case .durationTime:
            guard case .int(let hours) = arguments[0], case .int(let minutes) = arguments[1], case .int(let seconds) = arguments[2],
                case .int(let nanoseconds) = arguments[3]
            else { return nil }
            let parts = try fitting(fitting(scaled(hours, 3_600)) + fitting(scaled(minutes, 60)))
            return .duration(try fitting(parts + fitting(DurationValue(seconds: seconds, nanoseconds: nanoseconds))))
        case .durationAbs:
            guard case .duration(let duration) = arguments[0] else { return nil }
            return .duration(duration.seconds < 0 || duration.nanoseconds < 0 ? try fitting(-duration) : duration)
        default:
            guard let latitude = Self.number(arguments[0]), let longitude = Self.number(arguments[1]) else { return nil }
            let point = GeoPointValue(latitude: latitude, longitude: longitude)
            guard point.isValid else { throw .failure(.other("The latitude is within ±90, the longitude within ±180.")) }
            return .latlng(point)
        }
    }

    private func timestamp(_ value: RulesValue) throws(Interruption) -> RulesValue? {
        switch value {
        case .int(let milliseconds):
            let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
            guard let time = Calendar.timestamp(seconds: seconds, nanoseconds: rest * 1_000_000) else {
                throw .failure(.other("Timestamp value is out of range."))
            }
            return .timestamp(time)
        case .string(let text):
            guard let time = TimestampValue(text: text) else {
                throw .failure(.conversion(argument: text, from: .string, to: .timestamp))
            }
            return .timestamp(time)
        default: return nil
        }
    }

    private func scaled(_ amount: Int64, _ seconds: Int64) -> DurationValue? {
        let (product, overflow) = amount.multipliedReportingOverflow(by: seconds)
        return overflow ? nil : DurationValue(seconds: product)
    }

    private func duration(_ amount: Int64, _ unit: String) throws(Interruption) -> DurationValue {
        switch unit {
        case "w": try fitting(scaled(amount, 604_800))
        case "d": try fitting(scaled(amount, 86_400))
        case "h": try fitting(scaled(amount, 3_600))
        case "m": try fitting(scaled(amount, 60))
        case "s": try fitting(scaled(amount, 1))
        case "ms": try fitting(DurationValue(seconds: amount / 1_000, nanoseconds: amount % 1_000 * 1_000_000))
        case "ns": try fitting(DurationValue(seconds: 0, nanoseconds: amount))
        default: throw .failure(.other("Unknown unit of a duration: \(unit). Expected w, d, h, m, s, ms or ns."))
        }
    }
}

extension LibraryFunction {
    /// Whether integers and floats of the same value give the same result.
    fileprivate var isBlindToSpelling: Bool {
        switch self {
        case .int, .float, .ceil, .floor, .sqrt, .round, .isNaN, .isInfinite, .latlngValue: true
        default: false
        }
    }
}
