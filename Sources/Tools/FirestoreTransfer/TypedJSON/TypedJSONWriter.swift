// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// Writes typed JSON from canonical bytes, without a tree in between; see `TypedJSON`. The form is canonical: equal
/// fields have the same text.
package struct TypedJSONWriter {
    package enum Layout: Sendable {
        /// One line without blanks.
        case compact
        /// One line for people.
        case spaced
        /// Two spaces per level; short values stay on one line.
        case indented
    }

    /// A value that fits between the indentation and this column stays on one line.
    private static let width = 80

    let database: DatabaseID
    private let layout: Layout
    package private(set) var bytes: [UInt8] = []

    /// References into this database are written as paths, others with their full names.
    package init(database: DatabaseID, layout: Layout = .compact) {
        self.database = database
        self.layout = layout
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Prepares for the next text and retains the buffer.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// The fields of a document, as an object. `level`: its depth in the surrounding text.
    package mutating func append(_ fields: FieldBytes, level: Int = 0) throws(FirestoreError) {
        try append(fields: fields.view, level: level)
        withExtendedLifetime(fields) {}
    }

    package mutating func append(_ value: ValueView, level: Int = 0) throws(FirestoreError) {
        try append(value, layout: layout, level: level)
    }

    // MARK: Parts of larger texts

    /// Text that is not a value of a document: braces, names, numbers.
    package mutating func append(raw text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A string of JSON.
    package mutating func append(string text: String) {
        var text = text
        text.withUTF8 { append(string: UnsafeRawBufferPointer($0)) }
    }

    /// A line break and blanks, in the indented layout.
    package mutating func breakLine(level: Int) {
        guard layout == .indented else { return }
        breakLine(level)
    }

    /// The separator between two members, and after a name.
    package mutating func separate(level: Int) {
        bytes.append(UInt8(ascii: ","))
        if layout == .spaced { bytes.append(0x20) }
        breakLine(level: level)
    }

    package mutating func append(name: String) {
        append(string: name)
        appendColon(layout)
    }

    // MARK: Values

    private mutating func append(_ value: ValueView, layout: Layout, level: Int) throws(FirestoreError) {
        switch value.kind {
        case .null: append(raw: "null")
        case .boolean:
            guard let flag = value.boolean else { throw Self.damaged }
            if flag { append(raw: "true") } else { append(raw: "false") }
        case .integer:
            guard let integer = value.integer else { throw Self.damaged }
            append(integer: integer)
        case .double:
            guard let double = value.double else { throw Self.damaged }
            append(double: double, layout)
        case .string:
            guard let text = value.stringBytes else { throw Self.damaged }
            append(string: text)
        case .array: try append(array: value, layout: layout, level: level)
        case .map: try append(map: value, layout: layout, level: level)
        case .timestamp, .bytes, .reference, .geoPoint: try append(marked: value, layout)
        case .malformed: throw Self.damaged
        }
    }

    static let damaged = FirestoreError(.dataLoss, "the stored bytes of a value are damaged")

    private mutating func append(fields: FieldsView, level: Int) throws(FirestoreError) {
        try append(entries: fields, layout: layout, level: level)
    }

    private mutating func append(array value: ValueView, layout: Layout, level: Int) throws(FirestoreError) {
        guard let elements = value.elements else { throw Self.damaged }
        guard !elements.isEmpty else { return append(raw: "[]") }
        let layout = try fits(value, level: level) ? .spaced : layout
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            separate(isFirst, layout, level + 1)
            isFirst = false
            try append(element, layout: layout, level: level + 1)
        }
        if layout == .indented { breakLine(level) }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(map value: ValueView, layout: Layout, level: Int) throws(FirestoreError) {
        guard let fields = value.fields else { throw Self.damaged }
        if let components = Self.vector(fields) { return try append(vector: components, layout) }
        if PendingTimestamp(value) != nil { throw FirestoreError.pendingTimestamp }
        let layout = try fits(value, level: level) ? .spaced : layout
        guard Self.looksMarked(fields) else { return try append(entries: fields, layout: layout, level: level) }
        open(.map, layout)
        try append(entries: fields, layout: layout, level: level)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func append(entries fields: FieldsView, layout: Layout, level: Int) throws(FirestoreError) {
        guard !fields.isEmpty else { return append(raw: "{}") }
        bytes.append(UInt8(ascii: "{"))
        var entries = fields.makeIterator()
        var isFirst = true
        while let (name, value) = entries.next() {
            separate(isFirst, layout, level + 1)
            isFirst = false
            append(string: name)
            appendColon(layout)
            try append(value, layout: layout, level: level + 1)
        }
        if entries.isDamaged { throw Self.damaged }
        if layout == .indented { breakLine(level) }
        bytes.append(UInt8(ascii: "}"))
    }

    /// The elements of a vector as `Value.vector` makes it; nil for any other map, which is written as the map it is.
    private static func vector(_ fields: FieldsView) -> ArrayView? {
        var entries = fields.makeIterator()
        guard let type = entries.next(), type.name.elementsEqual("__type__".utf8),
            let text = type.value.stringBytes, text.elementsEqual("__vector__".utf8),
            let content = entries.next(), content.name.elementsEqual("value".utf8), let components = content.value.elements,
            entries.next() == nil, !entries.isDamaged, components.allSatisfy({ $0.kind == .double })
        else { return nil }
        return components
    }

    /// Whether the map has one field whose name begins with a dollar sign.
    private static func looksMarked(_ fields: FieldsView) -> Bool {
        var entries = fields.makeIterator()
        guard let first = entries.next(), first.name.first == UInt8(ascii: "$") else { return false }
        return entries.next() == nil
    }

    // MARK: Layout

    /// Whether an array or a map of the indented layout stays on its line.
    private func fits(_ value: ValueView, level: Int) throws(FirestoreError) -> Bool {
        // The text is at least about as long as the bytes.
        guard layout == .indented, value.count <= 2 * Self.width else { return false }
        var line = TypedJSONWriter(database: database, layout: .spaced)
        try line.append(value)
        return line.bytes.count + 2 * level <= Self.width
    }

    private mutating func separate(_ isFirst: Bool, _ layout: Layout, _ level: Int) {
        if !isFirst {
            bytes.append(UInt8(ascii: ","))
            if layout == .spaced { bytes.append(0x20) }
        }
        if layout == .indented { breakLine(level) }
    }

    private mutating func breakLine(_ level: Int) {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
    }

    private mutating func appendColon(_ layout: Layout) {
        bytes.append(UInt8(ascii: ":"))
        if layout != .compact { bytes.append(0x20) }
    }

    // MARK: Scalars

    /// `{"$timestamp":`
    private mutating func open(_ tag: TypedJSONTag, _ layout: Layout) {
        bytes.append(contentsOf: "{\"".utf8)
        bytes.append(contentsOf: tag.rawValue.utf8)
        bytes.append(UInt8(ascii: "\""))
        appendColon(layout)
    }

    private mutating func append(marked value: ValueView, _ layout: Layout) throws(FirestoreError) {
        switch value.kind {
        case .timestamp:
            guard let time = value.timestamp, time.isValid else { throw Self.damaged }
            open(.timestamp, layout)
            append(string: time.text)
        case .bytes:
            guard let content = value.dataBytes else { throw Self.damaged }
            open(.bytes, layout)
            append(string: Base64.encode([UInt8](content)))
        case .reference:
            guard let name = value.referenceBytes else { throw Self.damaged }
            open(.reference, layout)
            if let reference = ReferenceName(name), reference.isIn(database) {
                append(string: reference.path)
            } else {
                append(string: name)
            }
        default:
            guard let point = value.geoPoint else { throw Self.damaged }
            open(.geopoint, layout)
            append(raw: "{\"latitude\"")
            appendColon(layout)
            append(double: point.latitude, layout)
            append(raw: ",")
            if layout != .compact { bytes.append(0x20) }
            append(raw: "\"longitude\"")
            appendColon(layout)
            append(double: point.longitude, layout)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func append(vector components: ArrayView, _ layout: Layout) throws(FirestoreError) {
        open(.vector, layout)
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for component in components {
            guard let number = component.double else { throw Self.damaged }
            separate(isFirst, layout == .compact ? .compact : .spaced, 0)
            isFirst = false
            append(double: number, layout)
        }
        append(raw: "]}")
    }

    private mutating func append(integer: Int64) {
        var digits = String(integer)
        digits.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// The shortest text that is parsed as the same number; it always has a point or an exponent.
    private mutating func append(double: Double, _ layout: Layout) {
        if double.isFinite {
            var digits = double.description
            digits.withUTF8 { bytes.append(contentsOf: $0) }
            return
        }
        open(.double, layout)
        if double.isNaN {
            append(raw: "\"NaN\"}")
        } else if double > 0 {
            append(raw: "\"Infinity\"}")
        } else {
            append(raw: "\"-Infinity\"}")
        }
    }

    private static let hexDigits = [UInt8]("0123456789abcdef".utf8)

    private mutating func append(string text: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
            start = index + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0..<0x20:
                append(raw: "u00")
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
        bytes.append(UInt8(ascii: "\""))
    }
}
