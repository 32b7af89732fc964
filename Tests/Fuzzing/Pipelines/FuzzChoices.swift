// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

@testable import FirestorePipelines

/// Reads bytes as choices: which function, which value. When they end, every choice is the first one.
struct FuzzChoices {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    private static let functions = FunctionTable.all.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    private static let fields = ["n", "d", "s", "a", "m", "t", "g", "r", "missing", "__name__"]

    private mutating func next() -> Int { Int(bytes.popFirst() ?? 0) }

    mutating func expression(depth: Int) -> PipelineArgument {
        let choice = next()
        guard depth < 12, choice >= 80 else {
            return choice % 3 == 0 ? .field(FieldPathSegments([Self.fields[next() % Self.fields.count]])) : .value(value(depth: 0))
        }
        if choice > 248 { return elements(depth: depth) }
        let function = Self.functions[next() % Self.functions.count]
        // One argument too many or too few is refused.
        let most = min(function.arity.upperBound, function.arity.lowerBound + 3)
        let count = choice == 80 ? next() % 8 : function.arity.lowerBound + next() % (most - function.arity.lowerBound + 1)
        return .function(PipelineFunction(function.name, (0..<count).map { _ in expression(depth: depth + 1) }))
    }

    private mutating func elements(depth: Int) -> PipelineArgument {
        let name = next() % 2 == 0 ? "array_filter" : "array_transform"
        let array = expression(depth: depth + 1)
        let body = next() % 2 == 0 ? PipelineArgument.variable("e") : .call("add", .variable("e"), expression(depth: depth + 1))
        return .call(name, array, .value(.string("e")), body)
    }

    // MARK: Values

    private static let words = [
        "", "day", "week(monday)", "isoyear", "first", "UTC", "Europe/Berlin", "GMT+05:30", "%a_", "(a|b)*", "é😀",
    ]

    private mutating func value(depth: Int) -> Value {
        switch next() % (depth < 3 ? 14 : 11) {
        case 0: return .null
        case 1: return .boolean(next() % 2 == 0)
        case 2: return .integer(Int64(next()) - 128)
        case 3: return .integer(Int64(bitPattern: pattern()))
        case 4: return .double(Double(bitPattern: pattern()))
        case 5: return .double(Double(next() - 128) / 4)
        case 6: return .string(String(decoding: content(), as: UTF8.self))
        case 7: return .string(Self.words[next() % Self.words.count])
        case 8: return .bytes(content())
        case 9:
            let time = TimestampValue(seconds: Int64(bitPattern: pattern()) >> 26, nanoseconds: Int32(next()) * 1_000)
            return time.isValid ? .timestamp(time) : .timestamp(TimestampValue(seconds: 0, nanoseconds: 0))
        case 10: return .geoPoint(GeoPointValue(latitude: Double(next()) - 90, longitude: Double(next()) - 128))
        case 11: return .vector((0..<(next() % 4)).map { _ in Double(next()) - 128 })
        case 12: return .array((0..<(next() % 5)).map { _ in value(depth: depth + 1) })
        default:
            return .map(FieldMap((0..<(next() % 4)).map { _ in (Self.fields[next() % Self.fields.count], value(depth: depth + 1)) }))
        }
    }

    private mutating func pattern() -> UInt64 { (0..<8).reduce(0) { bits, _ in bits << 8 | UInt64(next()) } }

    private mutating func content() -> [UInt8] {
        let content = Array(bytes.prefix(next() % 24))
        bytes = bytes.dropFirst(content.count)
        return content
    }
}
