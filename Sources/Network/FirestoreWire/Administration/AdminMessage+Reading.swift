// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

extension AdminMessage {
    /// The JSON form of a message of gRPC. Unknown fields are ignored.
    package func json(_ bytes: ByteSlice) throws(FirestoreError) -> JSON {
        let fields = fields
        var values: [[JSON]] = Array(repeating: [], count: fields.count)
        var entries: [[(name: String, value: JSON)]] = Array(repeating: [], count: fields.count)
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard let index = fields.firstIndex(where: { $0.number == Int(field.number) }) else { continue }
            switch fields[index].shape {
            case .map: if let entry = try Self.entry(field) { entries[index].append(entry) }
            case .repeated: values[index] += try Self.values(field, fields[index].kind)
            case .single, .oneof: values[index] = try Self.values(field, fields[index].kind)
            }
        }
        var members: [(name: String, value: JSON)] = []
        for (index, schema) in fields.enumerated() {
            switch schema.shape {
            case .map: if !entries[index].isEmpty { members.append((schema.name, .object(entries[index]))) }
            case .repeated: if !values[index].isEmpty { members.append((schema.name, .array(values[index]))) }
            case .single, .oneof: if let value = values[index].last { members.append((schema.name, value)) }
            }
        }
        return .object(members)
    }

    /// An entry of a map from strings to strings.
    private static func entry(_ field: MessageField) throws(FirestoreError) -> (name: String, value: JSON)? {
        guard let bytes = field.bytes else { return nil }
        var (name, value) = ("", "")
        var reader = MessageReader(bytes)
        while let part = try reader.next() {
            if part.number == 1 { try part.read(&name) }
            if part.number == 2 { try part.read(&value) }
        }
        return (name, .string(value))
    }

    /// One value; several for packed numbers, none for a field of an unexpected type.
    private static func values(_ field: MessageField, _ kind: AdminField.Kind) throws(FirestoreError) -> [JSON] {
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
        case .enumeration(let values):
            var numbers: [Int32] = []
            try field.append(to: &numbers)
            return numbers.map { number in values.first { $0.number == Int(number) }.map { .string($0.name) } ?? .number(number) }
        case .string, .bytes, .message, .timestamp, .duration, .fieldMask, .any:
            return try field.bytes.map { (bytes) throws(FirestoreError) in [try json(bytes, kind)] } ?? []
        }
    }

    private static func json(_ bytes: ByteSlice, _ kind: AdminField.Kind) throws(FirestoreError) -> JSON {
        switch kind {
        case .bytes: return .string(Base64.encode(bytes.array))
        case .message(let type): return try type.json(bytes)
        case .timestamp:
            guard let time = bytes.withUnsafeBytes(TimestampValue.init(wire:)), time.isValid else { throw .malformedMessage }
            return .string(time.text)
        case .duration:
            // The same fields as a time.
            guard let time = bytes.withUnsafeBytes(TimestampValue.init(wire:)) else { throw .malformedMessage }
            return .string(AdminDuration(seconds: time.seconds, nanoseconds: time.nanoseconds).text)
        case .fieldMask:
            var paths: [String] = []
            var reader = MessageReader(bytes)
            while let field = try reader.next() {
                if field.number == 1 { try field.append(to: &paths) }
            }
            return .string(paths.map(AdminMask.camelCase).joined(separator: ","))
        case .any: return try any(bytes)
        case .boolean, .int32, .int64, .enumeration, .string: return .string(try String(wire: bytes))
        }
    }

    /// A message with its type: `{"@type": "type.googleapis.com/…", …}`.
    private static func any(_ bytes: ByteSlice) throws(FirestoreError) -> JSON {
        var type = ""
        var content = ByteSlice.empty
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { try field.read(&type) }
            if field.number == 2 { field.read(&content) }
        }
        let name: (name: String, value: JSON) = ("@type", .string(type))
        guard let message = AdminMessage(typeURL: type), case .object(let members) = try message.json(content) else {
            return .object([name, ("value", .string(Base64.encode(content.array)))])
        }
        return .object([name] + members)
    }

    /// The message that a URL names: `type.googleapis.com/google.firestore.admin.v1.Index`.
    package init?(typeURL: String) {
        guard let slash = typeURL.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        self.init(rawValue: String(typeURL[typeURL.utf8.index(after: slash)...]))
    }

    package var typeURL: String { "type.googleapis.com/" + rawValue }

    /// Whether the message has a field.
    package func has(_ name: String) -> Bool { fields.contains { equalUTF8($0.name, name) } }
}
