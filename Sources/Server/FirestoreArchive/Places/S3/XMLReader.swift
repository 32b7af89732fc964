// SPDX-License-Identifier: Apache-2.0

/// Reads the small part of XML that answers of S3 consist of: elements, text, references to characters, CDATA, comments. Bytes may come
/// from a stranger: whatever they are, reading ends with an element or with `nil`, in time proportional to their number.
///
/// Document types are refused, and with them the entities that a document could define.
struct XMLReader {
    private static let maximumDepth = 16
    private static let maximumElements = 50_000

    private var rest: ArraySlice<UInt8>
    private var open: [XMLElement] = []
    private var root: XMLElement?
    private var elements = 0

    private init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The one element that a document consists of; nil if it is not whole or not XML of this kind.
    static func read(_ bytes: [UInt8]) -> XMLElement? {
        var reader = XMLReader(bytes)
        while !reader.rest.isEmpty {
            guard reader.next() else { return nil }
        }
        return reader.open.isEmpty ? reader.root : nil
    }

    /// Reads up to the end of the next tag or text. Returns false for what cannot be read.
    private mutating func next() -> Bool {
        guard rest.first == UInt8(ascii: "<") else { return readText() }
        if skip("<!--") { return take(upTo: "-->") != nil }
        if skip("<?") { return take(upTo: "?>") != nil }
        if skip("<![CDATA[") {
            guard let text = take(upTo: "]]>") else { return false }
            return append(text)
        }
        if skip("</") { return close() }
        rest.removeFirst()
        return openTag()
    }

    private mutating func openTag() -> Bool {
        guard root == nil, let tag = takeTag(), elements < Self.maximumElements, open.count < Self.maximumDepth else { return false }
        elements += 1
        let isEmpty = tag.last == UInt8(ascii: "/")
        let name = tag.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "/") }
        guard let first = name.first, Self.mayBegin(first) else { return false }
        open.append(XMLElement(name: Self.localName(name)))
        return !isEmpty || finishElement()
    }

    private mutating func close() -> Bool {
        guard let tag = takeTag(), let name = open.last?.name else { return false }
        return Self.localName(tag.prefix { !Self.isBlank($0) }) == name && finishElement()
    }

    private mutating func finishElement() -> Bool {
        guard let element = open.popLast() else { return false }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        return true
    }

    private mutating func readText() -> Bool {
        let text = rest.prefix { $0 != UInt8(ascii: "<") }
        rest = rest[text.endIndex...]
        // A mark of the byte order may come first.
        guard open.isEmpty else { return Self.resolved(text).map { append($0[...]) } ?? false }
        return text.allSatisfy(Self.isBlank) || root == nil && elements == 0 && text.elementsEqual([0xEF, 0xBB, 0xBF])
    }

    private mutating func append(_ text: ArraySlice<UInt8>) -> Bool {
        guard !open.isEmpty, let text = String(validating: text, as: UTF8.self) else { return false }
        open[open.count - 1].text += text
        return true
    }

    // MARK: Bytes

    private mutating func skip(_ text: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    /// Takes the bytes before an ending, and the ending; nil if it does not come.
    private mutating func take(upTo ending: StaticString) -> ArraySlice<UInt8>? {
        let bytes = UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount)
        var index = rest.startIndex
        while index + bytes.count <= rest.endIndex {
            if rest[index...].starts(with: bytes) {
                defer { rest = rest[(index + bytes.count)...] }
                return rest[..<index]
            }
            index += 1
        }
        return nil
    }

    /// Takes a tag up to its end. A value in quotes may contain the sign that ends a tag.
    private mutating func takeTag() -> ArraySlice<UInt8>? {
        var quote: UInt8?
        for index in rest.indices {
            let byte = rest[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                defer { rest = rest[(index + 1)...] }
                return rest[..<index]
            } else if byte == UInt8(ascii: "<") {
                return nil
            }
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// A letter or an underscore; `<!DOCTYPE` is not a tag.
    private static func mayBegin(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// The name without the prefix of its namespace.
    private static func localName(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
    }

    // MARK: References

    /// Replaces references to characters; nil if one is not known.
    private static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            bytes += rest[..<mark]
            guard let end = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(String(decoding: rest[(mark + 1)..<end], as: UTF8.self))
            else { return nil }
            bytes += Array(String(Character(scalar)).utf8)
            rest = rest[(end + 1)...]
        }
        return bytes + rest
    }

    private static func scalar(_ reference: String) -> Unicode.Scalar? {
        switch reference {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            if reference.hasPrefix("#x") { return UInt32(reference.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) }
            return reference.hasPrefix("#") ? UInt32(reference.dropFirst()).flatMap(Unicode.Scalar.init) : nil
        }
    }
}
