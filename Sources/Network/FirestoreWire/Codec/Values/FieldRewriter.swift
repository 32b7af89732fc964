// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Converts fields or a value from any valid protobuf encoding to canonical bytes: entries in any order and repeated, long varints,
/// unknown fields, messages in parts.
///
/// One pass over the input, written backwards, so that an entry's length is known when it is needed. The result is never longer
/// than the input. `DocumentCheck` checks the values in the result (names, ranges, nesting, size), except in those of pipelines, which
/// this checks itself.
struct FieldRewriter: ~Copyable {
    /// Where the values belong, and with that what they may be.
    struct Form {
        /// Maps and arrays within each other.
        fileprivate let deepest: Int
        /// Entries and elements that are known and not yet written.
        fileprivate let parts: Int
        /// Names may be anything, and nothing checks the result.
        fileprivate let isComputed: Bool

        /// Query operands may put one array around a whole document's nesting, and a vector's array is not included in the depth. Each
        /// part takes at least one byte of a document's size, so more cannot be valid.
        static let stored = Form(deepest: Limits.nestingLevels + 4, parts: Limits.documentBytes, isComputed: false)
        /// A constant of a pipeline.
        static let constant = Form(deepest: PipelineLimits.valueDepth, parts: Limits.documentBytes, isComputed: true)
        /// A row of a pipeline's result: a value in every field.
        static let row = Form(deepest: PipelineLimits.valueDepth + 1, parts: .max, isComputed: true)
    }

    private let form: Form
    private var writer: ReverseWriter
    /// The entries of all maps and the elements of all arrays being written, the innermost last.
    private var open: [Part] = []
    /// Messages that were received in parts, joined.
    private var joined: [ByteSlice] = []

    private struct Part {
        /// The first eight bytes of the name, to compare most names in one step.
        var prefix: UInt64 = 0
        /// Empty for an element.
        var name: UnsafeRawBufferPointer
        var value: UnsafeRawBufferPointer
    }

    private init(_ form: Form, capacity: Int) {
        self.form = form
        writer = ReverseWriter(capacity: capacity)
    }

    /// Entries of `Document.fields`.
    static func fields(_ bytes: ByteSlice, as form: Form = .stored) throws(DocumentViolation) -> FieldBytes {
        defer { withExtendedLifetime(bytes) {} }
        var rewriter = FieldRewriter(form, capacity: bytes.count + 16)
        try rewriter.entries(bytes.buffer, number: 2, level: 0)
        return FieldBytes(canonical: rewriter.writer.slice)
    }

    /// A `Value` message.
    static func value(_ bytes: ByteSlice, as form: Form = .stored) throws(DocumentViolation) -> ValueBytes {
        defer { withExtendedLifetime(bytes) {} }
        var rewriter = FieldRewriter(form, capacity: bytes.count + 16)
        try rewriter.value(bytes.buffer, level: 0)
        return ValueBytes(canonical: rewriter.writer.slice)
    }

    // MARK: Maps

    private mutating func entries(_ bytes: UnsafeRawBufferPointer, number: UInt32, level: Int) throws(DocumentViolation) {
        guard level <= form.deepest else { throw DocumentViolation(form.isComputed ? .computedTooDeep : .tooDeep) }
        let first = open.count
        defer { open.removeLast(open.count - first) }
        var fields = RawFields(bytes)
        while let field = fields.next() {
            guard field.number == number, field.kind == .bytes else { continue }
            try push(try entry(field.payload))
        }
        guard !fields.isMalformed else { throw DocumentViolation(.malformed) }
        sort(from: first)
        let end = open.count
        for index in stride(from: end - 1, through: first, by: -1) {
            let part = open[index]
            // Of several entries with one name the last is used, and the sort has preserved their order.
            if index + 1 < end, part.prefix == open[index + 1].prefix, compareBytes(part.name, open[index + 1].name) == 0 {
                continue
            }
            let mark = writer.count
            do { try value(part.value, level: level) } catch { throw error.inside(part.name) }
            writer.varint(UInt64(writer.count - mark))
            writer.byte(WireTag.entryValue)
            writer.raw(part.name)
            writer.varint(UInt64(part.name.count))
            writer.byte(WireTag.entryKey)
            writer.varint(UInt64(writer.count - mark))
            writer.byte(UInt8(number << 3 | 2))
        }
    }

    private mutating func push(_ part: Part) throws(DocumentViolation) {
        guard open.count < form.parts else { throw DocumentViolation(.tooMany) }
        open.append(part)
    }

    /// `{ key, value }`
    private mutating func entry(_ bytes: UnsafeRawBufferPointer) throws(DocumentViolation) -> Part {
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        var part = Part(name: empty, value: empty)
        var pieces: [UInt8]?
        var fields = RawFields(bytes)
        while let field = fields.next() {
            guard field.kind == .bytes else { continue }
            if field.number == 1 {
                part.name = field.payload
            } else if field.number == 2 {
                if part.value.isEmpty { part.value = field.payload } else { Self.join(field.payload, to: part.value, &pieces) }
            }
        }
        guard !fields.isMalformed else { throw DocumentViolation(.malformed) }
        try check(part.name)
        if let pieces { part.value = keep(pieces) }
        guard !part.value.isEmpty else { throw DocumentViolation(.noKind).inside(part.name) }
        part.prefix = Self.prefix(part.name)
        return part
    }

    private func check(_ name: UnsafeRawBufferPointer) throws(DocumentViolation) {
        if form.isComputed {
            guard isValidUTF8(name) else { throw DocumentViolation(.name(.invalidUTF8)).inside(name) }
        } else if let violation = NameRules.fieldName(name), !Self.isVectorType(name) {
            throw DocumentViolation(.name(violation)).inside(name)
        }
    }

    /// Whether `__type__` is in a vector, the only valid place, is checked on the result.
    private static func isVectorType(_ name: UnsafeRawBufferPointer) -> Bool { name.elementsEqual("__type__".utf8) }

    private static func prefix(_ name: UnsafeRawBufferPointer) -> UInt64 {
        if name.count >= 8 { return UInt64(bigEndian: name.loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for index in 0..<name.count { prefix |= UInt64(name[index]) << UInt64(56 - 8 * index) }
        return prefix
    }

    /// Sorts by name; entries with the same name keep their order.
    private mutating func sort(from first: Int) {
        open.withUnsafeMutableBufferPointer { all in
            let parts = UnsafeMutableBufferPointer(rebasing: all[first...])
            guard let base = parts.baseAddress else { return }
            // Few, or already in order, as from most senders: each is moved to its position among those before it.
            var moves = 64 * parts.count
            var next = 1
            while next < parts.count, moves > 0 {
                let part = parts[next]
                if Self.isBefore(part, parts[next - 1]) {
                    let target = Self.position(of: part, in: parts, before: next - 1)
                    (base + target + 1).update(from: base + target, count: next - target)
                    parts[target] = part
                    moves -= next - target
                }
                next += 1
            }
            if next < parts.count { Self.mergeSort(parts) }
        }
    }

    /// The position after all that do not order after it; the one at `end` does.
    private static func position(of part: Part, in parts: UnsafeMutableBufferPointer<Part>, before end: Int) -> Int {
        var (low, high) = (0, end)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(part, parts[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    @inline(__always)
    private static func isBefore(_ left: Part, _ right: Part) -> Bool {
        left.prefix != right.prefix ? left.prefix < right.prefix : compareBytes(left.name, right.name) < 0
    }

    private static func mergeSort(_ parts: UnsafeMutableBufferPointer<Part>) {
        var source = Array(parts)
        var target = source
        var width = 1
        while width < source.count {
            for low in stride(from: 0, to: source.count, by: 2 * width) {
                let middle = min(low + width, source.count)
                let high = min(low + 2 * width, source.count)
                var (left, right) = (low, middle)
                for index in low..<high {
                    if left < middle, right >= high || !isBefore(source[right], source[left]) {
                        target[index] = source[left]
                        left += 1
                    } else {
                        target[index] = source[right]
                        right += 1
                    }
                }
            }
            swap(&source, &target)
            width *= 2
        }
        for index in source.indices { parts[index] = source[index] }
    }
}

// MARK: Values

extension FieldRewriter {
    private mutating func value(_ bytes: UnsafeRawBufferPointer, level: Int) throws(DocumentViolation) {
        var content = RawField(number: 0, kind: .group, start: ValueView(bytes).start)
        var pieces: [UInt8]?
        var fields = RawFields(bytes)
        while let field = fields.next() {
            guard field.kind == Self.kind(of: field.number) else { continue }
            if field.number == content.number, Self.isMessage(field.number) {
                Self.join(field.payload, to: content.payload, &pieces)
            } else {
                content = field
                pieces = nil
            }
        }
        guard !fields.isMalformed else { throw DocumentViolation(.malformed) }
        if let pieces { content.payload = keep(pieces) }
        try write(content, level: level)
    }

    /// How the members of `Value.value_type` are encoded; nil for unknown fields.
    @inline(__always)
    private static func kind(of number: UInt32) -> RawField.Kind? {
        switch number {
        case 1, 2, 11: .varint
        case 3: .fixed64
        case 5, 6, 8, 9, 10, 17, 18, 19, 20, 21, 22: .bytes
        default: nil
        }
    }

    private static func isMessage(_ number: UInt32) -> Bool { number == 6 || number == 8 || number == 9 || number == 10 }

    private mutating func write(_ content: RawField, level: Int) throws(DocumentViolation) {
        switch content.number {
        case 11:
            writer.byte(0)
            writer.byte(WireTag.null)
        case 1:
            writer.byte(content.bits == 0 ? 0 : 1)
            writer.byte(WireTag.boolean)
        case 2:
            writer.varint(content.bits)
            writer.byte(WireTag.integer)
        case 3:
            // One NaN only (VAL-7).
            writer.fixed64(Double(bitPattern: content.bits).isNaN ? Double.nan.bitPattern : content.bits)
            writer.byte(WireTag.double)
        case 5:
            try checkText(content.payload)
            delimited(content.payload)
            writer.byte(WireTag.reference)
        case 17, 18:
            if content.number == 17 { try checkText(content.payload) }
            delimited(content.payload)
            writer.byte(WireTag.longTagSuffix)
            writer.byte(content.number == 17 ? WireTag.string : WireTag.bytes)
        case 10: try timestamp(content.payload)
        case 8: try geoPoint(content.payload)
        case 9: try array(content.payload, level: level + 1)
        case 6:
            let mark = writer.count
            try entries(content.payload, number: 1, level: level + 1)
            writer.varint(UInt64(writer.count - mark))
            writer.byte(WireTag.map)
        case 0: throw DocumentViolation(.noKind)
        default: throw DocumentViolation(.unstorableKind)
        }
    }

    /// Text of documents is checked with the result.
    @inline(__always)
    private func checkText(_ text: UnsafeRawBufferPointer) throws(DocumentViolation) {
        if form.isComputed, !isValidUTF8(text) { throw DocumentViolation(.utf8) }
    }

    @inline(__always)
    private mutating func delimited(_ bytes: UnsafeRawBufferPointer) {
        writer.raw(bytes)
        writer.varint(UInt64(bytes.count))
    }

    private mutating func array(_ bytes: UnsafeRawBufferPointer, level: Int) throws(DocumentViolation) {
        guard level <= form.deepest else { throw DocumentViolation(form.isComputed ? .computedTooDeep : .tooDeep) }
        let first = open.count
        defer { open.removeLast(open.count - first) }
        var fields = RawFields(bytes)
        while let field = fields.next() {
            guard field.number == 1, field.kind == .bytes else { continue }
            guard !field.payload.isEmpty else { throw DocumentViolation(.noKind).inside(open.count - first) }
            try push(Part(name: UnsafeRawBufferPointer(start: nil, count: 0), value: field.payload))
        }
        guard !fields.isMalformed else { throw DocumentViolation(.malformed) }
        let mark = writer.count
        for index in stride(from: open.count - 1, through: first, by: -1) {
            let before = writer.count
            do { try value(open[index].value, level: level) } catch { throw error.inside(index - first) }
            writer.varint(UInt64(writer.count - before))
            writer.byte(WireTag.arrayElement)
        }
        writer.varint(UInt64(writer.count - mark))
        writer.byte(WireTag.array)
    }

    private mutating func timestamp(_ bytes: UnsafeRawBufferPointer) throws(DocumentViolation) {
        guard let time = TimestampValue(wire: bytes) else { throw DocumentViolation(.malformed) }
        guard time.isValid else { throw DocumentViolation(.timestamp) }
        let mark = writer.count
        writer.body(of: time.truncatedToMicroseconds)
        writer.varint(UInt64(writer.count - mark))
        writer.byte(WireTag.timestamp)
    }

    private mutating func geoPoint(_ bytes: UnsafeRawBufferPointer) throws(DocumentViolation) {
        var point: (latitude: UInt64, longitude: UInt64) = (0, 0)
        var fields = RawFields(bytes)
        while let field = fields.next() {
            guard field.kind == .fixed64 else { continue }
            if field.number == 1 { point.latitude = field.bits } else if field.number == 2 { point.longitude = field.bits }
        }
        guard !fields.isMalformed else { throw DocumentViolation(.malformed) }
        if form.isComputed {
            let coordinates = GeoPointValue(
                latitude: Double(bitPattern: point.latitude), longitude: Double(bitPattern: point.longitude))
            guard coordinates.isValid else { throw DocumentViolation(.geoPoint) }
        }
        let mark = writer.count
        if point.longitude != 0 {
            writer.fixed64(point.longitude)
            writer.byte(WireTag.longitude)
        }
        if point.latitude != 0 {
            writer.fixed64(point.latitude)
            writer.byte(WireTag.latitude)
        }
        writer.varint(UInt64(writer.count - mark))
        writer.byte(WireTag.geoPoint)
    }

    // MARK: Messages in parts

    private static func join(
        _ next: UnsafeRawBufferPointer, to first: UnsafeRawBufferPointer, _ pieces: inout [UInt8]?
    ) {
        if pieces == nil { pieces = [UInt8](first) }
        pieces?.append(contentsOf: next)
    }

    private mutating func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let slice = ByteSlice(bytes)
        joined.append(slice)
        return slice.buffer
    }
}
