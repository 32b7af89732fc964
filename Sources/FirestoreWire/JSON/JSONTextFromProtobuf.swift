// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Writes proto3's JSON form of a message straight from its bytes: what `JSONFromProtobuf` says, without a tree. For streams, which send
/// thousands of documents at a time.
struct JSONTextFromProtobuf {
    private(set) var text: [UInt8] = []
    /// Whether a field came that has another form than Hearth gives it: a list of packed numbers where one number belongs.
    private var isIrregular = false

    init(capacity: Int) { text.reserveCapacity(capacity) }

    mutating func append(_ ascii: StaticString) {
        text.append(contentsOf: UnsafeBufferPointer(start: ascii.utf8Start, count: ascii.utf8CodeUnitCount))
    }

    mutating func write(_ bytes: ByteSlice, as type: MessageType) throws(FirestoreError) {
        let mark = text.count
        guard try !members(bytes, type) else { return }
        // Fields in an order in which they cannot be written at once. Hearth does not encode like that.
        text.removeLast(text.count - mark)
        isIrregular = false
        text += try JSONFromProtobuf.json(bytes, as: type).bytes()
    }

    /// Returns false if a field occurs again after another one, or one that does not repeat occurs twice.
    private mutating func members(_ bytes: ByteSlice, _ type: MessageType) throws(FirestoreError) -> Bool {
        let fields = type.fields
        var seen: UInt64 = 0
        var current = -1
        var reader = MessageReader(bytes)
        append("{")
        while let field = try reader.next() {
            guard let index = fields.firstIndex(where: { $0.number == Int(field.number) }) else { continue }
            let schema = fields[index]
            if case .opaque = schema.kind { continue }
            // A field of an unexpected type counts as unknown.
            if schema.shape == .map, field.bytes == nil { continue }
            if index == current {
                guard schema.shape == .repeated || schema.shape == .map else { return false }
                append(",")
            } else {
                guard index < 64, seen & 1 << UInt64(index) == 0 else { return false }
                close(current < 0 ? nil : fields[current].shape)
                if current >= 0 { append(",") }
                seen |= 1 << UInt64(index)
                current = index
                append("\"")
                text.append(contentsOf: schema.name.utf8)
                append("\":")
                switch schema.shape {
                case .single, .oneof: break
                case .repeated: append("[")
                case .map: append("{")
                }
            }
            if schema.shape == .map {
                try entry(field, schema.kind)
            } else {
                try value(field, schema.kind, isList: schema.shape == .repeated)
            }
        }
        close(current < 0 ? nil : fields[current].shape)
        append("}")
        return !isIrregular
    }

    private mutating func close(_ shape: MessageSchema.Shape?) {
        switch shape {
        case .repeated: append("]")
        case .map: append("}")
        case .single, .oneof, nil: break
        }
    }

    private mutating func entry(_ field: MessageField, _ kind: MessageSchema.Kind) throws(FirestoreError) {
        guard let bytes = field.bytes else { throw .malformedMessage }
        var name = ByteSlice.empty
        var content: MessageField?
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { field.read(&name) }
            if field.number == 2 { content = field }
        }
        guard let content else { throw .malformedMessage }
        try string(name)
        append(":")
        try value(content, kind, isList: false)
    }

    private mutating func value(_ field: MessageField, _ kind: MessageSchema.Kind, isList: Bool) throws(FirestoreError) {
        switch kind {
        case .string:
            guard let bytes = field.bytes else { throw .malformedMessage }
            try string(bytes)
        case .message(let type):
            guard let bytes = field.bytes else { throw .malformedMessage }
            try write(bytes, as: type)
        case .timestamp:
            guard let bytes = field.bytes, let time = bytes.withUnsafeBytes(TimestampValue.init(wire:)), time.isValid else {
                throw .malformedMessage
            }
            append("\"")
            time.appendText(to: &text)
            append("\"")
        case .boolean:
            var flag = false
            field.read(&flag)
            flag ? append("true") : append("false")
        case .int64:
            var number: Int64 = 0
            field.read(&number)
            append("\"")
            text.append(contentsOf: String(number).utf8)
            append("\"")
        case .null: append("null")
        default:
            // Packed numbers are several values of one field.
            let values = try JSONFromProtobuf.values(of: field, kind)
            if !isList, values.count != 1 { isIrregular = true }
            for (index, value) in values.enumerated() {
                if index > 0 { append(",") }
                text += value.bytes()
            }
        }
    }

    /// In quotes. Strict: text on the wire must be UTF-8 (VAL-26).
    private mutating func string(_ bytes: ByteSlice) throws(FirestoreError) {
        guard bytes.withUnsafeBytes(isValidUTF8) else { throw .invalidArgument("a string in the message is not valid UTF-8") }
        append("\"")
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for index in bytes.indices {
                let byte = bytes[index]
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
                text.append(contentsOf: bytes[start..<index])
                escape(byte)
                start = index + 1
            }
            text.append(contentsOf: bytes[start...])
        }
        append("\"")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            let digits = String(byte, radix: 16)
            if byte < 0x10 { append("0") }
            text.append(contentsOf: digits.utf8)
        }
    }
}
