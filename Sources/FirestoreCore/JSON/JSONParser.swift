/// Reads JSON strictly: RFC 8259, UTF-8 without lone surrogates, a bound on nesting so that no text exhausts the stack.
struct JSONParser {
    /// A document's twenty levels take three each, queries a few more.
    private static let nesting = 200

    private let bytes: ContiguousArray<UInt8>
    private var position = 0

    static func parse(_ bytes: ContiguousArray<UInt8>) throws(FirestoreError) -> JSON {
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value(level: 0)
        parser.skipBlanks()
        guard parser.position == bytes.count else { throw parser.failure("something follows the end") }
        return value
    }

    private init(bytes: ContiguousArray<UInt8>) { self.bytes = bytes }

    private func failure(_ what: String) -> FirestoreError {
        .invalidArgument("the JSON is malformed: \(what)", at: "byte \(position)")
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func value(level: Int) throws(FirestoreError) -> JSON {
        guard level < Self.nesting else { throw failure("it nests too deep") }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object(level: level)
        case UInt8(ascii: "["): return try array(level: level)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return .number(try number())
        case nil: throw failure("it ends where a value is missing")
        default: throw failure("no value begins like this")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(FirestoreError) -> JSON {
        let count = word.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: count)
        guard bytes[position...].prefix(count).elementsEqual(expected) else { throw failure("no value begins like this") }
        position += count
        return value
    }

    private mutating func object(level: Int) throws(FirestoreError) -> JSON {
        position += 1
        var members: [(name: String, value: JSON)] = []
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw failure("a name in quotes is missing") }
            let name = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw failure("a colon is missing") }
            members.append((name, try value(level: level + 1)))
            skipBlanks()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw failure("a comma or a brace is missing") }
        return .object(members)
    }

    private mutating func array(level: Int) throws(FirestoreError) -> JSON {
        position += 1
        var elements: [JSON] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(level: level + 1))
            skipBlanks()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw failure("a comma or a bracket is missing") }
        return .array(elements)
    }

    // MARK: Numbers

    private mutating func number() throws(FirestoreError) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func digits() throws(FirestoreError) {
        let start = position
        while let byte = next, Self.isDigit(byte) { position += 1 }
        if position == start { throw failure("a digit is missing") }
    }

    // MARK: Strings

    private mutating func string() throws(FirestoreError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else { throw failure("a string is no valid UTF-8") }
                position += 1
                return result
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &text)
            case 0..<0x20: throw failure("a string holds a control character; escape it")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw failure("a string does not end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(FirestoreError) {
        guard let byte = next else { throw failure("a string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try scalar())).utf8)
        default: throw failure("there is no such escape")
        }
    }

    /// The character of `\u0000`, or of a pair of them (VAL-26: no half of a pair).
    private mutating func scalar() throws(FirestoreError) -> Unicode.Scalar {
        let first = try codeUnit()
        if UTF16.isLeadSurrogate(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second) {
                let offset = UInt32(first - 0xD800) << 10 | UInt32(second - 0xDC00)
                if let scalar = Unicode.Scalar(0x10000 + offset) { return scalar }
            }
        } else if let scalar = Unicode.Scalar(first) {
            return scalar
        }
        throw failure("an escape is half of a surrogate pair")
    }

    private mutating func codeUnit() throws(FirestoreError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw failure("an escape is cut off") }
        var unit: UInt16 = 0
        for byte in bytes[position..<(position + 4)] {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw failure("an escape needs four hex digits") }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }
}
