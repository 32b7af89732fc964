// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

extension AdminMessage {
    /// The bytes of a message in JSON, as gRPC sends them.
    package func bytes(_ json: JSON) throws(FirestoreError) -> [UInt8] {
        let node = JSONNode(json)
        var bytes: [UInt8] = []
        for field in fields {
            guard let value = try node.optional(field.name) else { continue }
            switch field.shape {
            case .single, .oneof: try Self.append(value, field.kind, field.number, to: &bytes)
            case .repeated: for element in try value.elements() { try Self.append(element, field.kind, field.number, to: &bytes) }
            case .map:
                for entry in try value.entries() {
                    var content: [UInt8] = []
                    Self.append(Array(entry.name.utf8), 1, to: &content)
                    Self.append(Array(try entry.node.string().utf8), 2, to: &content)
                    Self.append(content, field.number, to: &bytes)
                }
            }
        }
        return bytes
    }

    private static func append(
        _ node: JSONNode, _ kind: AdminField.Kind, _ number: Int, to bytes: inout [UInt8]
    ) throws(FirestoreError) {
        switch kind {
        case .boolean: append(varint: try node.boolean() ? 1 : 0, number, to: &bytes)
        case .int32, .int64: append(varint: try node.integer(), number, to: &bytes)
        case .enumeration(let values): append(varint: Int64(try value(node, values).number), number, to: &bytes)
        case .string: append(Array(try node.string().utf8), number, to: &bytes)
        case .bytes:
            guard let content = Base64.decode(try node.string()) else { throw node.failure("base64 is expected") }
            append(content, number, to: &bytes)
        case .message(let type): append(try type.bytes(node.json), number, to: &bytes)
        case .timestamp:
            var content: [UInt8] = []
            try time(node).append(to: &content)
            append(content, number, to: &bytes)
        case .duration:
            let duration = try duration(node)
            var content: [UInt8] = []
            if duration.seconds != 0 { append(varint: duration.seconds, 1, to: &content) }
            if duration.nanoseconds != 0 { append(varint: Int64(duration.nanoseconds), 2, to: &content) }
            append(content, number, to: &bytes)
        case .fieldMask:
            var content: [UInt8] = []
            for path in AdminMask.paths(try node.string()) { append(Array(AdminMask.snakeCase(path).utf8), 1, to: &content) }
            append(content, number, to: &bytes)
        case .any:
            let url = try node.required("@type").string()
            guard let type = AdminMessage(typeURL: url) else { throw node.failure("the type is not known") }
            var content: [UInt8] = []
            append(Array(url.utf8), 1, to: &content)
            append(try type.bytes(node.json), 2, to: &content)
            append(content, number, to: &bytes)
        }
    }

    private static func append(varint value: Int64, _ number: Int, to bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(number) << 3)
        bytes.appendVarint(UInt64(bitPattern: value))
    }

    private static func append(_ content: [UInt8], _ number: Int, to bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(number) << 3 | 2)
        bytes.appendLengthDelimited(content)
    }

    // MARK: Scalars with a form of their own

    static func value(
        _ node: JSONNode, _ values: [(name: String, number: Int)]
    ) throws(FirestoreError) -> (name: String, number: Int) {
        switch node.json {
        case .string(let name): if let value = values.first(where: { equalUTF8($0.name, name) }) { return value }
        case .number:
            let number = try node.integer()
            if let value = values.first(where: { Int64($0.number) == number }) { return value }
        default: break
        }
        throw node.failure("one of \(values.map(\.name).joined(separator: ", ")) is expected")
    }

    static func time(_ node: JSONNode) throws(FirestoreError) -> TimestampValue {
        guard let time = TimestampValue(text: try node.string()) else {
            throw node.failure("a time of RFC 3339 is expected, within the years 1 to 9999")
        }
        return time
    }

    static func duration(_ node: JSONNode) throws(FirestoreError) -> AdminDuration {
        guard let duration = AdminDuration(text: try node.string()) else { throw node.failure("a duration such as 3600s is expected") }
        return duration
    }
}
