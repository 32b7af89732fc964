// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Writes proto3's JSON form of a message straight from its bytes: what `JSONFromProtobuf` says, without a tree. For streams, which send
/// thousands of documents at a time.
struct JSONTextFromProtobuf: ~Copyable {
    private var bytes: GrowingBytes
    /// Whether a field came that has another form than Hearth gives it: a list of packed numbers where one number belongs.
    private var isIrregular = false

    init(capacity: Int) { bytes = GrowingBytes(capacity: capacity) }

    var text: [UInt8] { bytes.array }

    mutating func append(_ ascii: StaticString) { bytes.append(ascii) }

    mutating func write(_ message: UnsafeRawBufferPointer, as type: MessageType) throws(FirestoreError) {
        let mark = bytes.count
        guard try !members(message, type) else { return }
        // Fields in an order in which they cannot be written in one pass. Hearth does not encode like that.
        bytes.truncate(to: mark)
        isIrregular = false
        bytes.append(try JSONFromProtobuf.json(ByteSlice(copying: message), as: type).bytes())
    }

    /// Returns false if a field occurs again after another one, or one that does not repeat occurs twice.
    private mutating func members(_ message: UnsafeRawBufferPointer, _ type: MessageType) throws(FirestoreError) -> Bool {
        let table = JSONMembers.of(type)
        var seen: UInt64 = 0
        var current = JSONMembers.Member()
        var fields = RawFields(message)
        bytes.append(UInt8(ascii: "{"))
        while let field = fields.next() {
            guard let member = table[field.number] else { continue }
            if case .opaque = member.form { continue }
            // A field of an unexpected type is treated as unknown.
            if member.shape == .map, field.kind != .bytes { continue }
            if member.index == current.index {
                guard member.shape == .repeated || member.shape == .map else { return false }
                bytes.append(UInt8(ascii: ","))
            } else {
                guard member.index < 64, seen & 1 << UInt64(member.index) == 0 else { return false }
                if current.index >= 0 {
                    close(current.shape)
                    bytes.append(UInt8(ascii: ","))
                }
                seen |= 1 << UInt64(member.index)
                current = member
                bytes.append(member.opening)
            }
            if member.shape == .map {
                try entry(field, member.form, type)
            } else {
                try value(field, member.form, type)
            }
        }
        guard !fields.isMalformed else { throw .malformedMessage }
        if current.index >= 0 { close(current.shape) }
        bytes.append(UInt8(ascii: "}"))
        return !isIrregular
    }

    @inline(__always)
    private mutating func close(_ shape: MessageSchema.Shape) {
        switch shape {
        case .repeated: bytes.append(UInt8(ascii: "]"))
        case .map: bytes.append(UInt8(ascii: "}"))
        case .single, .oneof: break
        }
    }

    private mutating func entry(_ field: RawField, _ form: JSONMembers.Form, _ type: MessageType) throws(FirestoreError) {
        var name = UnsafeRawBufferPointer(start: nil, count: 0)
        var content: RawField?
        var parts = RawFields(field.payload)
        while let part = parts.next() {
            if part.number == 1, part.kind == .bytes { name = part.payload }
            if part.number == 2 { content = part }
        }
        guard !parts.isMalformed, var content else { throw .malformedMessage }
        try string(name)
        bytes.append(UInt8(ascii: ":"))
        // As a separate field it would have the number of the map, by which its schema is found.
        content.number = field.number
        try value(content, form, type)
    }

    private mutating func value(_ field: RawField, _ form: JSONMembers.Form, _ type: MessageType) throws(FirestoreError) {
        switch form {
        case .string:
            guard field.kind == .bytes else { throw .malformedMessage }
            try string(field.payload)
        case .message(let type):
            guard field.kind == .bytes else { throw .malformedMessage }
            try write(field.payload, as: type)
        case .timestamp:
            guard field.kind == .bytes, let time = TimestampValue(wire: field.payload), time.isValid else { throw .malformedMessage }
            var text: [UInt8] = []
            text.reserveCapacity(32)
            time.appendText(to: &text)
            bytes.append(UInt8(ascii: "\""))
            bytes.append(text)
            bytes.append(UInt8(ascii: "\""))
        case .boolean: field.kind == .varint && field.bits != 0 ? bytes.append("true") : bytes.append("false")
        case .int64:
            bytes.append(UInt8(ascii: "\""))
            bytes.append(field.kind == .varint ? Int64(bitPattern: field.bits) : 0)
            bytes.append(UInt8(ascii: "\""))
        case .null: bytes.append("null")
        case .opaque, .double, .int32, .bytes, .other: try other(field, type)
        }
    }

    private mutating func other(_ field: RawField, _ type: MessageType) throws(FirestoreError) {
        // The tree is made of bytes with an owner.
        let content = ByteSlice(copying: field.payload)
        var owned = field
        owned.payload = content.buffer
        guard let schema = type.fields.first(where: { $0.number == Int(field.number) }) else { throw .malformedMessage }
        // Packed numbers are several values of one field.
        let values = try JSONFromProtobuf.values(of: MessageField(raw: owned, owner: content.owner), schema.kind)
        if schema.shape != .repeated, values.count != 1 { isIrregular = true }
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(value.bytes())
        }
    }

    /// In quotes. Strict: text on the wire must be UTF-8 (VAL-26).
    private mutating func string(_ text: UnsafeRawBufferPointer) throws(FirestoreError) {
        guard isValidUTF8(text) else { throw .invalidArgument("a string in the message is not valid UTF-8") }
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            if index + 8 <= text.count, !Self.hasEscaped(text.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
                index += 8
                continue
            }
            let byte = text[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                bytes.append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
                escape(byte)
                start = index + 1
            }
            index += 1
        }
        bytes.append(UnsafeRawBufferPointer(rebasing: text[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether one of eight bytes is a control character, a quotation mark or a backslash. May also be true of others that follow one.
    @inline(__always)
    private static func hasEscaped(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        // The borrow of a subtraction reaches the top bit of those bytes that are smaller, where their own was not set.
        return ((word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & tops != 0
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: bytes.append("\\\"")
        case 0x5C: bytes.append("\\\\")
        case 0x0A: bytes.append("\\n")
        case 0x0D: bytes.append("\\r")
        case 0x09: bytes.append("\\t")
        default:
            bytes.append("\\u00")
            for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10) }
        }
    }
}
