// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Why a JSON text describes no message of its type, and where.
struct JSONMistake: Error {
    private let what: String
    /// Where the text is malformed; nil if it is JSON.
    private let byte: Int?
    /// The names and indices that lead to the mistake, from the inside out: `.name`, `[3]`.
    private var steps: [String] = []

    static func malformed(_ problem: JSONProblem) -> JSONMistake {
        JSONMistake(what: "the JSON is malformed: \(problem.what)", byte: problem.position)
    }

    static func wrong(_ what: String) -> JSONMistake { JSONMistake(what: what, byte: nil) }

    private init(what: String, byte: Int?) {
        self.what = what
        self.byte = byte
    }

    private func adding(_ step: String) -> JSONMistake {
        var copy = self
        copy.steps.append(step)
        return copy
    }

    func inside(_ index: Int) -> JSONMistake { adding("[\(index)]") }

    func inside(_ name: JSONScanner.StringToken, _ scanner: JSONScanner) throws(JSONMistake) -> JSONMistake {
        adding("." + (try scanner.quoted(name)))
    }

    /// `writes[0].update.fields.a`, or the byte of a text that is malformed.
    var error: FirestoreError {
        if let byte { return .invalidArgument(what, at: "byte \(byte)") }
        return .invalidArgument(what, at: steps.isEmpty ? nil : String(steps.reversed().joined().dropFirst()))
    }
}

/// The tokens of a text that describes a message.
extension JSONScanner {
    @inline(__always)
    mutating func stringToken() throws(JSONMistake) -> StringToken {
        do throws(JSONProblem) { return try string() } catch { throw .malformed(error) }
    }

    @inline(__always)
    mutating func nameToken() throws(JSONMistake) -> StringToken {
        do throws(JSONProblem) { return try name() } catch { throw .malformed(error) }
    }

    func decoded(_ token: StringToken) throws(JSONMistake) -> [UInt8] {
        var text: [UInt8] = []
        do throws(JSONProblem) { try append(token, to: &text) } catch { throw .malformed(error) }
        return text
    }

    func text(of token: StringToken) throws(JSONMistake) -> String { String(decoding: try decoded(token), as: UTF8.self) }

    /// The beginning of a text, for a mistake that names it: a client may have sent megabytes.
    func quoted(_ token: StringToken) throws(JSONMistake) -> String {
        let text = try text(of: token)
        return text.utf8.count <= 200 ? text : text.prefix(100) + "…"
    }

    /// Takes the bracket of an object or array that is expected next.
    @inline(__always)
    mutating func begin(_ bracket: UInt8, _ expected: StaticString, _ level: Int) throws(JSONMistake) {
        guard level < JSON.nesting else { throw .malformed(problem("the values are nested too deeply")) }
        guard take(bracket) else {
            _ = try scalar(level)
            throw .wrong("\(expected) is expected")
        }
    }

    @inline(__always)
    mutating func end(_ bracket: UInt8, _ missing: StaticString) throws(JSONMistake) {
        guard take(bracket) else { throw .malformed(problem("\(missing)")) }
    }

    /// The next value. Of objects and arrays, which no scalar field takes, only their kinds.
    mutating func scalar(_ level: Int) throws(JSONMistake) -> JSON {
        do throws(JSONProblem) {
            switch peek() {
            case UInt8(ascii: "\""): return .string(try string(of: try string()))
            case UInt8(ascii: "{"):
                try skipValue(levels: JSON.nesting - level)
                return .object([])
            case UInt8(ascii: "["):
                try skipValue(levels: JSON.nesting - level)
                return .array([])
            case UInt8(ascii: "t"):
                try word("true")
                return .boolean(true)
            case UInt8(ascii: "f"):
                try word("false")
                return .boolean(false)
            case UInt8(ascii: "n"):
                try word("null")
                return .null
            case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return .number(text(of: try number()))
            case nil: throw problem("the text ends where a value is expected")
            default: throw problem("a value is expected")
            }
        } catch {
            throw .malformed(error)
        }
    }
}
