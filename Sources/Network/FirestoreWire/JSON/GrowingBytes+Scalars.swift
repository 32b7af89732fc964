// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// Fields that are neither messages nor plain strings, from their JSON (VAL-24).
extension GrowingBytes {
    mutating func append(_ node: JSONNode, _ kind: MessageSchema.Kind, _ number: Int32) throws(FirestoreError) {
        switch kind {
        case .boolean: append(number, integer: try node.boolean() ? 1 : 0)
        case .int32: append(number, integer: Int64(try Self.int32(node)))
        case .int64: append(number, integer: try node.integer())
        case .double:
            append(tag: number, type: 1)
            withUnsafeBytes(of: try node.double().bitPattern.littleEndian) { append($0) }
        case .string: append(number, bytes: Array(try node.string().utf8))
        case .bytes:
            guard let bytes = Base64.decode(try node.string()) else { throw node.failure("base64 is expected") }
            append(number, bytes: bytes)
        case .enumeration(let values): append(number, integer: try Self.enumeration(node, values))
        case .null:
            switch node.json {
            case .null, .string("NULL_VALUE"): append(number, integer: 0)
            default: throw node.failure("null is expected")
            }
        case .timestamp:
            guard let time = TimestampValue(text: try node.string()) else {
                throw node.failure("a time of RFC 3339 is expected, within the years 1 to 9999")
            }
            append(number, time)
        case .wrappedInt32: try wrapped(.int32, node, number)
        case .wrappedInt64: try wrapped(.int64, node, number)
        case .wrappedDouble: try wrapped(.double, node, number)
        case .message, .duration, .structure, .anyString, .opaque: throw node.failure("this field cannot be set in a request")
        }
    }

    mutating func append(_ number: Int32, bytes: [UInt8]) {
        append(tag: number, type: 2)
        append(varint: UInt64(bytes.count))
        append(bytes)
    }

    private mutating func append(_ number: Int32, integer: Int64) {
        append(tag: number, type: 0)
        append(varint: UInt64(bitPattern: integer))
    }

    private mutating func append(_ number: Int32, _ time: TimestampValue) {
        let content = open(number)
        if time.seconds != 0 { append(1, integer: time.seconds) }
        if time.nanoseconds != 0 { append(2, integer: Int64(time.nanoseconds)) }
        close(content)
    }

    private mutating func wrapped(_ kind: MessageSchema.Kind, _ node: JSONNode, _ number: Int32) throws(FirestoreError) {
        let content = open(number)
        try append(node, kind, 1)
        close(content)
    }

    private static func int32(_ node: JSONNode) throws(FirestoreError) -> Int32 {
        guard let number = Int32(exactly: try node.integer()) else { throw node.failure("a whole number of 32 bits is expected") }
        return number
    }

    private static func enumeration(_ node: JSONNode, _ values: [(name: String, number: Int)]) throws(FirestoreError) -> Int64 {
        if case .string(let name) = node.json {
            if let value = values.first(where: { $0.name == name }) { return Int64(value.number) }
        } else if case .number = node.json {
            let number = Int(try node.integer())
            if values.contains(where: { $0.number == number }) { return Int64(number) }
        }
        throw node.failure("one of \(values.map(\.name).joined(separator: ", ")) is expected")
    }
}
