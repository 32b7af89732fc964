// SPDX-License-Identifier: Apache-2.0

/// Reads a JSON text into a tree, with bounded nesting, so that no text exhausts the stack.
struct JSONParser {
    private var scanner: JSONScanner

    static func parse(_ bytes: ContiguousArray<UInt8>) throws(FirestoreError) -> JSON {
        let result = bytes.withUnsafeBytes { text in
            Result { () throws(JSONProblem) in
                var parser = JSONParser(scanner: JSONScanner(text))
                let value = try parser.value(level: 0)
                try parser.scanner.end()
                return value
            }
        }
        do {
            return try result.get()
        } catch {
            throw FirestoreError(
                .invalidArgument, "the JSON is malformed: \(error.what)", at: "byte \(error.position)", cause: error)
        }
    }

    private mutating func value(level: Int) throws(JSONProblem) -> JSON {
        WorkCounter.add()
        guard level < JSON.nesting else { throw scanner.problem("the values are nested too deeply") }
        switch scanner.peek() {
        case UInt8(ascii: "{"): return try object(level: level)
        case UInt8(ascii: "["): return try array(level: level)
        case UInt8(ascii: "\""): return .string(try scanner.string(of: try scanner.string()))
        case UInt8(ascii: "t"):
            try scanner.word("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try scanner.word("false")
            return .boolean(false)
        case UInt8(ascii: "n"):
            try scanner.word("null")
            return .null
        case let byte? where byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte):
            return .number(scanner.text(of: try scanner.number()))
        case nil: throw scanner.problem("the text ends where a value is expected")
        default: throw scanner.problem("a value is expected")
        }
    }

    private mutating func object(level: Int) throws(JSONProblem) -> JSON {
        _ = scanner.take(UInt8(ascii: "{"))
        var members: [(name: String, value: JSON)] = []
        if scanner.take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            let name = try scanner.string(of: try scanner.name())
            members.append((name, try value(level: level + 1)))
        } while scanner.take(UInt8(ascii: ","))
        guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("a comma or a brace is missing") }
        return .object(members)
    }

    private mutating func array(level: Int) throws(JSONProblem) -> JSON {
        _ = scanner.take(UInt8(ascii: "["))
        var elements: [JSON] = []
        if scanner.take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(level: level + 1))
        } while scanner.take(UInt8(ascii: ","))
        guard scanner.take(UInt8(ascii: "]")) else { throw scanner.problem("a comma or a bracket is missing") }
        return .array(elements)
    }
}

extension JSON {
    /// Objects and arrays within each other, at most. Each of a document's twenty levels takes three, and so does each level of an
    /// expression in a pipeline.
    package static let nesting = 3 * PipelineLimits.expressionDepth + 40
}
