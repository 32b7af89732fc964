// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Reads typed JSON straight into canonical bytes, without a tree in between; see `TypedJSON`.
///
/// The buffers are reused from text to text: use one reader for all lines of a file. The contents of fields are checked
/// where documents are written (`DocumentCheck`). Errors are `invalidArgument` and name line, column and field.
package struct TypedJSONReader {
    let database: DatabaseID
    var scanner = JSONScanner(UnsafeRawBufferPointer(start: nil, count: 0))
    var output = CanonicalBytes()
    /// Strings with escapes, decoded.
    var decoded: [UInt8] = []

    /// The number of characters before the text in its first line, for errors.
    var firstColumn = 0

    /// References without a project refer to this database.
    package init(database: DatabaseID) { self.database = database }

    /// An object with the fields of a document. `line` is the line of the text's beginning, for errors.
    package mutating func fields(_ text: [UInt8], line: Int = 1) throws(FirestoreError) -> FieldBytes {
        try read(text, line: line) { (reader) throws(JSONProblem) in try reader.wholeFields() }
    }

    package mutating func fields(_ text: UnsafeRawBufferPointer, line: Int = 1) throws(FirestoreError) -> FieldBytes {
        try read(text, line: line) { (reader) throws(JSONProblem) in try reader.wholeFields() }
    }

    /// One value of any kind.
    package mutating func value(_ text: [UInt8], line: Int = 1) throws(FirestoreError) -> ValueBytes {
        try read(text, line: line) { (reader) throws(JSONProblem) in
            try reader.value(levels: TypedJSON.nesting)
            try reader.scanner.end()
            return ValueBytes(canonical: reader.takeBytes())
        }
    }

    /// The value at the beginning of a text, and the number of its bytes.
    package mutating func value(beginning text: [UInt8]) throws(FirestoreError) -> (ValueBytes, count: Int) {
        try read(text, line: 1) { (reader) throws(JSONProblem) in
            try reader.value(levels: TypedJSON.nesting)
            let count = reader.scanner.position
            return (ValueBytes(canonical: reader.takeBytes()), count)
        }
    }

    // MARK: Setup and errors

    mutating func read<Result>(
        _ text: [UInt8], line: Int, _ body: (inout TypedJSONReader) throws(JSONProblem) -> Result
    ) throws(FirestoreError) -> Result {
        // The error leaves the closure in a result, because `withUnsafeBytes` does not support typed throws.
        let result = text.withUnsafeBytes { bytes in
            Swift.Result { () throws(FirestoreError) in try read(bytes, line: line, body) }
        }
        return try result.get()
    }

    mutating func read<Result>(
        _ text: UnsafeRawBufferPointer, line: Int, _ body: (inout TypedJSONReader) throws(JSONProblem) -> Result
    ) throws(FirestoreError) -> Result {
        scanner = JSONScanner(text)
        output.removeAll()
        defer { scanner = JSONScanner(UnsafeRawBufferPointer(start: nil, count: 0)) }
        do {
            return try body(&self)
        } catch {
            throw self.error(error, in: text, line: line)
        }
    }

    private func error(_ problem: JSONProblem, in text: UnsafeRawBufferPointer, line: Int) -> FirestoreError {
        let before = text.prefix(problem.position)
        let lines = before.count { $0 == UInt8(ascii: "\n") }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // Columns count characters, not bytes.
        let column = String(decoding: before[start...], as: UTF8.self).count + 1 + (lines == 0 ? firstColumn : 0)
        let path = DocumentViolation.path(of: problem.steps)
        return .invalidArgument(
            problem.what, at: "line \(line + lines), column \(column)" + (path.isEmpty ? "" : ", field \(path)"))
    }

    /// The bytes written so far, as a separate slice.
    mutating func takeBytes() -> ByteSlice {
        let slice = output.bytes.withUnsafeBytes { ByteSlice(copying: $0) }
        output.removeAll()
        return slice
    }

    private mutating func wholeFields() throws(JSONProblem) -> FieldBytes {
        try documentFields()
        try scanner.end()
        return FieldBytes(canonical: takeBytes())
    }

    /// The fields of a document: always a map, so a name is never a tag here.
    mutating func documentFields() throws(JSONProblem) {
        guard scanner.take(UInt8(ascii: "{")) else { throw scanner.problem("an object with the fields of a document is expected") }
        try members(tag: WireTag.documentEntry, first: nil, levels: TypedJSON.nesting)
    }

    // MARK: Values

    mutating func value(levels: Int) throws(JSONProblem) {
        guard levels > 0 else { throw scanner.problem("the values are nested too deeply") }
        switch scanner.peek() {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"):
            _ = scanner.take(UInt8(ascii: "{"))
            try object(levels: levels)
        case UInt8(ascii: "["):
            _ = scanner.take(UInt8(ascii: "["))
            try array(levels: levels)
        case UInt8(ascii: "t"):
            try word("true")
            output.append(.boolean(true))
        case UInt8(ascii: "f"):
            try word("false")
            output.append(.boolean(false))
        case UInt8(ascii: "n"):
            try word("null")
            output.append(.null)
        case let byte? where byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte): try number()
        case nil: throw scanner.problem("the text ends where a value is expected")
        default: throw scanner.problem(Self.noValue)
        }
    }

    private static let noValue = "a value is expected; enclose text in double quotes"

    private mutating func word(_ word: StaticString) throws(JSONProblem) {
        do throws(JSONProblem) { try scanner.word(word) } catch { throw scanner.problem(Self.noValue) }
    }

    private mutating func string() throws(JSONProblem) {
        let token = try scanner.string()
        guard token.hasEscapes else { return output.append(string: scanner.raw(token)) }
        try decode(token)
        decoded.withUnsafeBytes { output.append(string: $0) }
    }

    private mutating func decode(_ token: JSONScanner.StringToken) throws(JSONProblem) {
        decoded.removeAll(keepingCapacity: true)
        try scanner.append(token, to: &decoded)
    }

    private mutating func array(levels: Int) throws(JSONProblem) {
        let mark = output.begin(WireTag.array)
        var index = 0
        if !scanner.take(UInt8(ascii: "]")) {
            repeat {
                let element = output.begin(WireTag.arrayElement)
                do throws(JSONProblem) {
                    try value(levels: levels - 1)
                } catch {
                    throw error.inside(.element(index))
                }
                output.end(element)
                index += 1
            } while scanner.take(UInt8(ascii: ","))
            guard scanner.take(UInt8(ascii: "]")) else { throw scanner.problem("a comma or a bracket is missing") }
        }
        output.end(mark)
    }

    /// An object, after its brace.
    private mutating func object(levels: Int) throws(JSONProblem) {
        guard scanner.peek() == UInt8(ascii: "\"") else { return try map(first: nil, levels: levels) }
        let start = scanner.position
        let name = try scanner.name()
        let mark = UInt8(ascii: "$")
        let isMarked = name.hasEscapes ? try text(of: name).utf8.first == mark : scanner.raw(name).first == mark
        guard isMarked, try isOnly() else { return try map(first: name, levels: levels) }
        guard let tag = TypedJSONTag(try text(of: name).utf8) else {
            let known = TypedJSONTag.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONProblem(
                "an object whose only name begins with $ must be a type, and this is none of \(known); "
                    + "write a map with such a field as {\"$map\": …}", at: start)
        }
        try content(of: tag, levels: levels)
        guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("a brace is missing") }
    }

    func text(of token: JSONScanner.StringToken) throws(JSONProblem) -> String { try scanner.string(of: token) }

    /// Whether the member whose value comes next is the last of its object.
    private func isOnly() throws(JSONProblem) -> Bool {
        var ahead = scanner
        try ahead.skipValue(levels: TypedJSON.nesting)
        return ahead.peek() == UInt8(ascii: "}")
    }

    /// A map, after its brace or after the first name and its colon.
    mutating func map(first: JSONScanner.StringToken?, levels: Int) throws(JSONProblem) {
        let mark = output.begin(WireTag.map)
        try members(tag: WireTag.mapEntry, first: first, levels: levels)
        output.end(mark)
    }

    private mutating func members(tag: UInt8, first: JSONScanner.StringToken?, levels: Int) throws(JSONProblem) {
        let mark = output.entryMark
        if let first {
            try entry(tag, first, levels: levels)
            if scanner.take(UInt8(ascii: ",")) { try entries(tag, levels: levels) }
        } else if scanner.peek() != UInt8(ascii: "}") {
            try entries(tag, levels: levels)
        }
        guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("a comma or a brace is missing") }
        if let name = output.sortEntries(since: mark) {
            throw scanner.problem("a field occurs twice").inside(.field(name))
        }
    }

    private mutating func entries(_ tag: UInt8, levels: Int) throws(JSONProblem) {
        repeat { try entry(tag, try scanner.name(), levels: levels) } while scanner.take(UInt8(ascii: ","))
    }

    private mutating func entry(_ tag: UInt8, _ name: JSONScanner.StringToken, levels: Int) throws(JSONProblem) {
        let entry: CanonicalBytes.OpenEntry
        if name.hasEscapes {
            try decode(name)
            entry = decoded.withUnsafeBytes { output.beginEntry(tag, name: $0) }
        } else {
            entry = output.beginEntry(tag, name: scanner.raw(name))
        }
        do throws(JSONProblem) {
            try value(levels: levels - 1)
        } catch {
            throw error.inside(.field((try? scanner.string(of: name)) ?? ""))
        }
        output.end(entry)
    }
}
