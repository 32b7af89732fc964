// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer

/// Conditions in arguments: `population > 1000000 and (state == "CA" or regions array-contains "west_coast")`.
///
///     condition  = all { "or" all }
///     all        = part { "and" part }
///     part       = "(" condition ")" | path operator value
///     operator   = "==" "!=" "<" "<=" ">" ">=" "in" "not-in" "array-contains" "array-contains-any"
///
/// Values are typed JSON. A path may be `__name__`, the document's id.
struct WhereClause {
    /// The maximum nesting of parentheses.
    private static let nesting = 20

    private let text: String
    private var rest: Substring.UTF8View
    private let names: NameOperand
    private var reader: TypedJSONReader

    static func parse(_ text: String, _ names: NameOperand) throws(FirestoreError) -> QueryFilter {
        var clause = WhereClause(text, names)
        let filter = try clause.condition(levels: nesting)
        clause.skipBlanks()
        guard clause.rest.isEmpty else { throw clause.failure("the condition should end here, or go on with and, or") }
        return filter
    }

    private init(_ text: String, _ names: NameOperand) {
        var native = text
        native.makeContiguousUTF8()
        self.text = native
        rest = native.utf8[...]
        self.names = names
        reader = TypedJSONReader(database: names.database)
    }

    /// An error with its position and the condition.
    private func failure(_ what: String) -> FirestoreError {
        let column = text[..<rest.startIndex].count + 1
        return .invalidArgument(what, at: "condition \(text), column \(column)")
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 } }

    private mutating func take(_ word: StaticString) -> Bool {
        skipBlanks()
        let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    /// A complete word.
    private mutating func takeWord(_ word: StaticString) -> Bool {
        let start = rest
        if take(word), rest.first.map({ !Self.isWordByte($0) }) ?? true { return true }
        rest = start
        return false
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || JSONScanner.isDigit(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    // MARK: The grammar

    private mutating func condition(levels: Int) throws(FirestoreError) -> QueryFilter {
        guard levels > 0 else { throw failure("the parentheses are nested too deeply") }
        var parts = [try all(levels: levels)]
        while takeWord("or") { parts.append(try all(levels: levels)) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func all(levels: Int) throws(FirestoreError) -> QueryFilter {
        var parts = [try part(levels: levels)]
        while takeWord("and") { parts.append(try part(levels: levels)) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func part(levels: Int) throws(FirestoreError) -> QueryFilter {
        if take("(") {
            let inner = try condition(levels: levels - 1)
            guard take(")") else { throw failure("a parenthesis is missing") }
            return inner
        }
        let path = try path()
        let op = try comparison()
        let value = try operand(op)
        return .field(path, op, path.isDocumentID ? ValueBytes(try names.value(try value.value, for: op)) : value)
    }

    private mutating func path() throws(FirestoreError) -> FieldPathSegments {
        skipBlanks()
        let end = FieldPathText.end(in: rest) { byte in
            byte == 0x20 || byte == 0x09 || byte == 0x0A || "=!<>(),\"[{".utf8.contains(byte)
        }
        guard let end else { throw failure("a back-tick is missing") }
        let name = String(Substring(rest[..<end]))
        guard !name.isEmpty else { throw failure("a condition must begin with a field, as in: population > 1000000") }
        do throws(FirestoreError) {
            let path = try PathCheck.fieldPath(wire: name)
            rest = rest[end...]
            return path
        } catch {
            throw failure("not a field path; enclose names that are not identifiers in back-ticks, as in `a-b`.c")
        }
    }

    private mutating func comparison() throws(FirestoreError) -> QueryFilter.FieldOperator {
        skipBlanks()
        // An operator comes before those that it begins with.
        if take("==") { return .equal }
        if take("!=") { return .notEqual }
        if take("<=") { return .lessThanOrEqual }
        if take(">=") { return .greaterThanOrEqual }
        if take("<") { return .lessThan }
        if take(">") { return .greaterThan }
        if takeWord("array-contains-any") { return .arrayContainsAny }
        if takeWord("array-contains") { return .arrayContains }
        if takeWord("not-in") { return .notIn }
        if takeWord("in") { return .in }
        if rest.first == UInt8(ascii: "=") { throw failure("equality is written ==") }
        throw failure("a comparison is expected: ==, !=, <, <=, >, >=, in, not-in, array-contains or array-contains-any")
    }

    private mutating func operand(_ op: QueryFilter.FieldOperator) throws(FirestoreError) -> ValueBytes {
        skipBlanks()
        guard let first = rest.first else { throw failure("a value is missing") }
        let value: ValueBytes
        do throws(FirestoreError) {
            let (read, count) = try reader.value(beginning: [UInt8](rest))
            value = read
            rest = rest.dropFirst(count)
        } catch {
            let isWord = Self.isWordByte(first) && !JSONScanner.isDigit(first) && first != UInt8(ascii: "-")
            throw failure(isWord ? "a value must be JSON; enclose text in double quotes" : "the value is not typed JSON: \(error.message)")
        }
        let needsArray = op == .in || op == .notIn || op == .arrayContainsAny
        guard !needsArray || value.view.kind == .array else {
            throw failure("\(op == .in ? "in" : op == .notIn ? "not-in" : "array-contains-any") takes an array: [\"a\", \"b\"]")
        }
        return value
    }
}
