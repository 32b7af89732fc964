// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Functions of strings and of bytes. A string is a sequence of code points: lengths and positions count them.
enum TextFunctions {
    static let all: [FunctionDefinition] = lengths + joining + searches + changes

    // MARK: Lengths

    private static let lengths: [FunctionDefinition] = [
        .one("char_length", .string) { text, _ in .integer(Int64(TextUnits(text)?.count ?? 0)) },
        .one("byte_length", .text) { text, _ in .integer(Int64(text.textBytes?.count ?? 0)) },
        .one("length", [.text, .array, .vector, .map]) { value, _ in
            let count: Int?
            switch value.type {
            case .array: count = value.elements?.count
            case .vector: count = value.vector?.count
            case .map: count = value.entries?.reduce(0) { count, _ in count + 1 }
            default: count = TextUnits(value)?.count
            }
            return .integer(Int64(count ?? 0))
        },
    ]

    // MARK: Joining

    private static let joining: [FunctionDefinition] = [
        .values("concat", [.text, .array], arity: 2...FunctionDefinition.many) { arguments, execution throws(FirestoreError) in
            let kind = arguments[0].type
            if let other = arguments.first(where: { $0.type != kind }) {
                return .fail("concat takes values of one type, not \(kind.name) and \(other.type.name)")
            }
            return try kind == .array ? ArrayFunctions.concatenated(arguments, execution) : concatenated(arguments, execution)
        },
        .values("string_concat", .string, arity: 1...FunctionDefinition.many) { arguments, execution throws(FirestoreError) in
            try concatenated(arguments, execution)
        },
        .one("reverse", [.text, .array]) { value, _ in value.type == .array ? ArrayFunctions.reversed(value) : reversed(value) },
        .one("string_reverse", .text) { value, _ in reversed(value) },
        .two("string_repeat", .text, .integer, repeated),
    ]

    private static func concatenated(_ texts: [EvaluatedValue], _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        let count = texts.reduce(0) { $0 + ($1.textBytes?.count ?? 0) }
        try admit(count, execution)
        var result: [UInt8] = []
        result.reserveCapacity(count)
        for text in texts { if let bytes = text.textBytes { result += bytes } }
        return text(result, like: texts[0])
    }

    private static func reversed(_ value: EvaluatedValue) -> EvaluatedValue { text(TextUnits(value)?.reversed() ?? [], like: value) }

    private static func repeated(
        _ value: EvaluatedValue, _ count: EvaluatedValue, _ execution: Execution
    ) throws(FirestoreError) -> EvaluatedValue {
        guard let bytes = value.textBytes, let count = count.integer else { return .null }
        guard count >= 0 else { return .fail("the count of string_repeat must not be negative") }
        let (size, overflow) = Int64(bytes.count).multipliedReportingOverflow(by: count)
        try admit(overflow ? .max : Int(size), execution)
        var result: [UInt8] = []
        guard size > 0 else { return text(result, like: value) }
        result.reserveCapacity(Int(size))
        for _ in 0..<count {
            try execution.step()
            result += bytes
        }
        return text(result, like: value)
    }

    // MARK: Searches

    private static let searches: [FunctionDefinition] = [
        .two("starts_with", .string, .string) { text, part, _ in
            guard let text = text.utf8, let part = part.utf8 else { return .null }
            return .boolean(text.starts(with: part))
        },
        .two("ends_with", .string, .string) { text, part, _ in
            guard let text = text.utf8, let part = part.utf8 else { return .null }
            return .boolean(text.count >= part.count && text.suffix(part.count).elementsEqual(part))
        },
        .two("string_contains", .string, .string) { text, part, _ in
            guard let text = text.utf8, let part = part.utf8 else { return .null }
            return .boolean(ByteSearch(part).first(in: text) != nil)
        },
        .two("string_index_of", .text, .text) { text, part, _ in
            guard let units = TextUnits(text), let wanted = part.textBytes, text.type == part.type else {
                return different("string_index_of", text, part)
            }
            guard let offset = ByteSearch(wanted).first(in: units.bytes) else { return .integer(-1) }
            return .integer(Int64(units.position(of: offset)))
        },
    ]

    // MARK: Changes

    private static let changes: [FunctionDefinition] = [
        .one("to_lower", .text) { text, _ in CaseMapping.lower.apply(to: text) },
        .one("to_upper", .text) { text, _ in CaseMapping.upper.apply(to: text) },
        .values("substring", .text, .integer, .integer, arity: 2...3) { arguments, _ in substring(arguments) },
        .values("split", .text, .text, arity: 1...2, split),
        .values("string_replace_all", .text, .text, .text) { arguments, execution throws(FirestoreError) in
            try replaced(arguments, atMost: .max, name: "string_replace_all", execution)
        },
        .values("string_replace_one", .text, .text, .text) { arguments, execution throws(FirestoreError) in
            try replaced(arguments, atMost: 1, name: "string_replace_one", execution)
        },
    ]

    /// A negative position counts from the end, but not beyond the beginning.
    private static func substring(_ arguments: [EvaluatedValue]) -> EvaluatedValue {
        guard let units = TextUnits(arguments[0]), let position = arguments[1].integer else { return .null }
        let length = arguments.count == 3 ? arguments[2].integer ?? 0 : .max
        guard length >= 0 else { return .fail("the length of substring must not be negative") }
        let first = position < 0 ? max(0, Int64(units.count) + position) : position
        let start = units.offset(of: Int(first))
        return units.value(start..<units.offset(of: Int(length), from: start))
    }

    private static func split(_ arguments: [EvaluatedValue], _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        let value = arguments[0]
        let delimiter = arguments.count == 2 ? arguments[1] : .string(",")
        guard let units = TextUnits(value), let wanted = delimiter.textBytes, value.type == delimiter.type else {
            return arguments.count == 1 ? .fail("split takes a delimiter for bytes") : different("split", value, delimiter)
        }
        defer { withExtendedLifetime(delimiter) {} }
        let search = ByteSearch(wanted)
        var result = ArrayBuilder()
        var start = 0
        while true {
            try execution.step()
            let isUnit = wanted.isEmpty && start < units.bytes.count
            let found = isUnit ? units.end(from: start) : wanted.isEmpty ? nil : search.first(in: units.bytes, from: start)
            guard let end = found else { break }
            result.append(units.value(start..<end))
            start = end + wanted.count
            try admit(result.byteCount, execution)
        }
        // Without a delimiter every unit is a part, and the empty text is one part.
        if !wanted.isEmpty || units.bytes.isEmpty { result.append(units.value(start..<units.bytes.count)) }
        return result.value()
    }

    /// From left to right; what was replaced is not searched again.
    private static func replaced(
        _ arguments: [EvaluatedValue], atMost limit: Int, name: String, _ execution: Execution
    ) throws(FirestoreError) -> EvaluatedValue {
        let kind = arguments[0].type
        guard arguments[1].type == kind, arguments[2].type == kind, let bytes = arguments[0].textBytes, let wanted = arguments[1].textBytes,
            let replacement = arguments[2].textBytes
        else { return different(name, arguments[0], arguments[1].type == kind ? arguments[2] : arguments[1]) }
        if wanted.isEmpty { return arguments[0] }
        let search = ByteSearch(wanted)
        var result: [UInt8] = []
        var (start, count) = (0, 0)
        while count < limit, let place = search.first(in: bytes, from: start) {
            try execution.step()
            result += bytes[start..<place]
            result += replacement
            (start, count) = (place + wanted.count, count + 1)
            try admit(result.count, execution)
        }
        if count == 0 { return arguments[0] }
        result += bytes[start...]
        return text(result, like: arguments[0])
    }

    // MARK: Results

    /// Checks that bytes which are being collected fit, together with the value that becomes of them.
    static func admit(_ bytes: Int, _ execution: Execution) throws(FirestoreError) {
        try execution.budget.admit(bytes > .max / 2 ? .max : 2 * bytes)
    }

    static func text(_ bytes: [UInt8], like model: EvaluatedValue) -> EvaluatedValue { bytes.withUnsafeBytes { .text($0, like: model) } }

    /// The failure of a function that takes strings or bytes, but not both.
    static func different(_ name: String, _ left: EvaluatedValue, _ right: EvaluatedValue) -> EvaluatedValue {
        .fail("\(name) takes values of one type, not \(left.type.name) and \(right.type.name)")
    }
}
