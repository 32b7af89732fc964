// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// Converts the bytes of a message to proto3's JSON form (VAL-24). A failure means damage, or bytes of a client that were not checked.
enum JSONFromProtobuf {
    /// Messages within messages. An expression in another one takes two, a pipeline in an expression one more; documents nest less.
    private static let deepest = 2 * PipelineLimits.expressionDepth + PipelineLimits.pipelineDepth + 20

    static func json(_ bytes: ByteSlice, as type: MessageType, depth: Int = 0) throws(FirestoreError) -> JSON {
        guard depth < deepest else { throw .malformedMessage }
        let fields = type.fields
        var members: [[JSON]] = Array(repeating: [], count: fields.count)
        var entries: [[(name: String, value: JSON)]] = Array(repeating: [], count: fields.count)
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard let index = fields.firstIndex(where: { $0.number == Int(field.number) }) else { continue }
            let schema = fields[index]
            switch schema.shape {
            case .single, .oneof: members[index] = try values(of: field, schema.kind, depth)
            case .repeated: members[index] += try values(of: field, schema.kind, depth)
            case .map: if let bytes = field.bytes { entries[index].append(try entry(bytes, schema.kind, depth)) }
            }
        }
        var result: [(name: String, value: JSON)] = []
        for (index, schema) in fields.enumerated() {
            switch schema.shape {
            case .single, .oneof: if let value = members[index].first { result.append((schema.name, value)) }
            case .repeated: if !members[index].isEmpty { result.append((schema.name, .array(members[index]))) }
            case .map: if !entries[index].isEmpty { result.append((schema.name, .object(entries[index]))) }
            }
        }
        return .object(result)
    }

    private static func entry(
        _ bytes: ByteSlice, _ kind: MessageSchema.Kind, _ depth: Int
    ) throws(FirestoreError) -> (name: String, value: JSON) {
        var name = ""
        var value: JSON?
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { try field.read(&name) }
            if field.number == 2 { value = try values(of: field, kind, depth).first }
        }
        guard let value else { throw .malformedMessage }
        return (name, value)
    }

    /// One value; several for packed numbers, none for omitted fields.
    static func values(of field: MessageField, _ kind: MessageSchema.Kind, _ depth: Int = 0) throws(FirestoreError) -> [JSON] {
        switch kind {
        case .boolean:
            var flag = false
            field.read(&flag)
            return [.boolean(flag)]
        case .int32:
            var numbers: [Int32] = []
            try field.append(to: &numbers)
            return numbers.map { .number($0) }
        case .int64:
            var number: Int64 = 0
            field.read(&number)
            return [.string(String(number))]
        case .double:
            var number = 0.0
            field.read(&number)
            return [Value.double(number).json["doubleValue"] ?? .null]
        case .enumeration(let values):
            var number: Int32 = 0
            field.read(&number)
            return [values.first { $0.number == Int(number) }.map { .string($0.name) } ?? .number(number)]
        case .null: return [.null]
        case .anyString:
            guard let bytes = field.bytes, let text = try AnyString.text(of: bytes) else { return [] }
            return [.object([("@type", .string(AnyString.type)), ("value", .string(text))])]
        case .opaque: return []
        default:
            guard let bytes = field.bytes else { throw .malformedMessage }
            return [try json(bytes, kind, depth)]
        }
    }

    /// A value that is neither a number nor a boolean.
    private static func json(_ bytes: ByteSlice, _ kind: MessageSchema.Kind, _ depth: Int) throws(FirestoreError) -> JSON {
        switch kind {
        case .string: return .string(try String(wire: bytes))
        case .bytes: return .string(Base64.encode(bytes.array))
        case .message(let type): return try json(bytes, as: type, depth: depth + 1)
        case .timestamp: return .string(try time(bytes).text)
        case .duration:
            // The fraction as in times, with 0, 3, 6 or 9 digits.
            let time = try time(bytes)
            let fraction = TimestampValue(seconds: 0, nanoseconds: time.nanoseconds).text.dropFirst("1970-01-01T00:00:00".count)
            return .string("\(time.seconds)\(fraction.dropLast())s")
        case .structure: return try structure(bytes)
        default:
            // A wrapper around a number, which is omitted when zero.
            let isDouble = if case .wrappedDouble = kind { true } else { false }
            let is64 = if case .wrappedInt64 = kind { true } else { false }
            var reader = MessageReader(bytes)
            while let field = try reader.next() {
                guard field.number == 1 else { continue }
                return try values(of: field, isDouble ? .double : is64 ? .int64 : .int32).first ?? .null
            }
            return is64 ? .string("0") : .number(0)
        }
    }

    private static func time(_ bytes: ByteSlice) throws(FirestoreError) -> TimestampValue {
        guard let time = bytes.withUnsafeBytes(TimestampValue.init(wire:)), time.isValid else { throw .malformedMessage }
        return time
    }

    /// `google.protobuf.Struct` with strings and nested structs as in explanations; no deeper than those.
    private static func structure(_ bytes: ByteSlice, depth: Int = 0) throws(FirestoreError) -> JSON {
        guard depth < 8 else { throw .malformedMessage }
        var members: [(name: String, value: JSON)] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard field.number == 1, let entry = field.bytes else { continue }
            var name = ""
            var value = JSON.string("")
            var inner = MessageReader(entry)
            while let field = try inner.next() {
                if field.number == 1 { try field.read(&name) }
                guard field.number == 2, let bytes = field.bytes else { continue }
                var content = MessageReader(bytes)
                while let field = try content.next() {
                    guard let bytes = field.bytes else { continue }
                    if field.number == 3 { value = .string(try String(wire: bytes)) }
                    if field.number == 5 { value = try structure(bytes, depth: depth + 1) }
                }
            }
            members.append((name, value))
        }
        return .object(members)
    }
}
