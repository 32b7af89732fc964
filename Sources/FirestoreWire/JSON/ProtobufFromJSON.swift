// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Converts proto3's JSON form of a message to its bytes (VAL-24). All failures are `invalidArgument` and name the field.
enum ProtobufFromJSON {
    static func bytes(_ json: JSON, as type: MessageType) throws(FirestoreError) -> [UInt8] {
        var writer = ReverseWriter(capacity: 1_024)
        try write(JSONNode(json), as: type, to: &writer)
        return writer.array
    }

    private static func write(
        _ node: JSONNode, as type: MessageType, to writer: inout ReverseWriter
    ) throws(FirestoreError) {
        var oneofs: [Int: String] = [:]
        for (name, member) in try node.entries().reversed() {
            guard let field = type.field(called: name) else {
                let known = type.fields.map(\.name).joined(separator: ", ")
                throw node.failure("there is no member \"\(name)\" here; expected are \(known)")
            }
            if case .null = member.json, !field.isNull { continue }
            if case .oneof(let number) = field.shape {
                if let other = oneofs[number], other != field.name {
                    throw node.failure("\"\(field.name)\" and \"\(other)\" exclude each other; send one of them")
                }
                oneofs[number] = field.name
            }
            try write(field, member, to: &writer)
        }
    }

    private static func write(
        _ field: MessageSchema, _ node: JSONNode, to writer: inout ReverseWriter
    ) throws(FirestoreError) {
        switch field.shape {
        case .single, .oneof: try write(field.kind, node, number: field.number, to: &writer)
        case .repeated:
            for element in try node.elements().reversed() {
                if case .null = element.json { throw element.failure("a list must not contain null") }
                try write(field.kind, element, number: field.number, to: &writer)
            }
        case .map:
            for (name, value) in try node.entries().reversed() {
                let mark = writer.count
                try write(field.kind, value, number: 2, to: &writer)
                writer.text(1, name)
                writer.close(field.number, since: mark)
            }
        }
    }

    private static func write(
        _ kind: MessageSchema.Kind, _ node: JSONNode, number: Int, to writer: inout ReverseWriter
    ) throws(FirestoreError) {
        switch kind {
        case .boolean: writer.element(number, try node.boolean() ? 1 : 0)
        case .int32: writer.element(number, try int32(node))
        case .int64: writer.element(number, try node.integer())
        case .double:
            writer.fixed64(try node.double().bitPattern)
            writer.tag(number, type: 1)
        case .string: writer.element(number, try node.string())
        case .bytes:
            guard let bytes = Base64.decode(try node.string()) else { throw node.failure("base64 is expected") }
            writer.element(number, ByteSlice(bytes))
        case .enumeration(let values): writer.element(number, try enumeration(node, values))
        case .null:
            switch node.json {
            case .null, .string("NULL_VALUE"): writer.element(number, 0)
            default: throw node.failure("null is expected")
            }
        case .message(let type):
            let mark = writer.count
            try write(node, as: type, to: &writer)
            writer.close(number, since: mark)
        case .timestamp:
            guard let time = TimestampValue(text: try node.string()) else {
                throw node.failure("a time of RFC 3339 is expected, within the years 1 to 9999")
            }
            writer.timestamp(number, time)
        case .wrappedInt32: try wrapped(.int32, node, number, &writer)
        case .wrappedInt64: try wrapped(.int64, node, number, &writer)
        case .wrappedDouble: try wrapped(.double, node, number, &writer)
        case .duration, .structure, .opaque: throw node.failure("this field cannot be set in a request")
        }
    }

    private static func wrapped(
        _ kind: MessageSchema.Kind, _ node: JSONNode, _ number: Int, _ writer: inout ReverseWriter
    ) throws(FirestoreError) {
        let mark = writer.count
        try write(kind, node, number: 1, to: &writer)
        writer.close(number, since: mark)
    }

    private static func int32(_ node: JSONNode) throws(FirestoreError) -> Int32 {
        guard let number = Int32(exactly: try node.integer()) else { throw node.failure("a whole number of 32 bits is expected") }
        return number
    }

    private static func enumeration(
        _ node: JSONNode, _ values: [(name: String, number: Int)]
    ) throws(FirestoreError) -> Int {
        if case .string(let name) = node.json {
            if let value = values.first(where: { $0.name == name }) { return value.number }
        } else if case .number = node.json {
            let number = Int(try node.integer())
            if values.contains(where: { $0.number == number }) { return number }
        }
        throw node.failure("one of \(values.map(\.name).joined(separator: ", ")) is expected")
    }
}

extension MessageSchema {
    fileprivate var isNull: Bool {
        if case .null = kind { true } else { false }
    }
}
