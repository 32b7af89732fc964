// SPDX-License-Identifier: Apache-2.0

/// How the fields of a message are written as members of a JSON object, by their numbers in the message and by their names.
///
/// The content of a `MessageSchema`, without strings and arrays: looking a field up counts no references and makes no strings.
///
/// `@unchecked Sendable`: the memory is filled before the table is visible, is never changed, and never freed.
struct JSONMembers: @unchecked Sendable {
    enum Form {
        case string, timestamp, boolean, int32, int64, double, bytes, null, opaque
        case message(MessageType)
        /// Any other kind, such as enumerations and wrapped numbers.
        case other
    }

    struct Member {
        /// The index of the field in the schema. A number without a field has -1.
        var index: Int32 = -1
        var number: Int32 = 0
        /// The other fields of the same oneof, by their indices as bits.
        var rivals: UInt64 = 0
        var shape = MessageSchema.Shape.single
        var form = Form.opaque
        /// The name as a member: `"name":`, and the bracket of a list or of a map.
        var opening = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    private struct Name {
        let text: UnsafeRawBufferPointer
        let number: Int32
    }

    private let members: UnsafeMutableBufferPointer<Member>
    /// Both spellings of every field, `updateMask` and `update_mask`, by length.
    private let names: UnsafeMutableBufferPointer<Name>
    /// Where the names of a length begin, and behind the longest the end.
    private let lengths: UnsafeMutableBufferPointer<Int>

    private static let all = MessageType.allCases.map(JSONMembers.init)

    static func of(_ type: MessageType) -> JSONMembers { all[type.rawValue] }

    private init(_ type: MessageType) {
        let fields = type.fields
        members = .allocate(capacity: (fields.map(\.number).max() ?? 0) + 1)
        members.initialize(repeating: Member())
        for (index, field) in fields.enumerated() {
            let bracket =
                switch field.shape {
                case .single, .oneof: ""
                case .repeated: "["
                case .map: "{"
                }
            members[field.number] = Member(
                index: Int32(index), number: Int32(field.number), rivals: Self.rivals(of: index, fields), shape: field.shape,
                form: Form(field.kind), opening: Self.keep("\"\(field.name)\":\(bracket)"))
        }
        let spellings = fields.flatMap { field in Set([field.name, field.originalName]).map { (name: $0, number: Int32(field.number)) } }
            .sorted { $0.name.utf8.count < $1.name.utf8.count }
        names = .allocate(capacity: spellings.count)
        _ = names.initialize(from: spellings.map { Name(text: Self.keep($0.name), number: $0.number) })
        let longest = spellings.last?.name.utf8.count ?? 0
        lengths = .allocate(capacity: longest + 2)
        _ = lengths.initialize(from: (0...(longest + 1)).map { length in spellings.count { $0.name.utf8.count < length } })
    }

    private static func keep(_ text: String) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        memory.copyBytes(from: text.utf8)
        return UnsafeRawBufferPointer(memory)
    }

    /// No message has more than 64 fields.
    private static func rivals(of index: Int, _ fields: [MessageSchema]) -> UInt64 {
        guard case .oneof = fields[index].shape else { return 0 }
        return fields.indices.filter { $0 != index && fields[$0].shape == fields[index].shape }.reduce(0) { $0 | 1 << UInt64($1) }
    }

    /// nil for a field that the schema does not have.
    @inline(__always)
    subscript(number: UInt32) -> Member? {
        guard number < members.count, members[Int(number)].index >= 0 else { return nil }
        return members[Int(number)]
    }

    /// The field that has this name in JSON or in the message; nil if there is none.
    @inline(__always)
    subscript(name: UnsafeRawBufferPointer) -> Member? {
        guard name.count + 1 < lengths.count else { return nil }
        for place in lengths[name.count]..<lengths[name.count + 1] where names[place].text.elementsEqual(name) {
            return members[Int(names[place].number)]
        }
        return nil
    }
}

extension JSONMembers.Form {
    fileprivate init(_ kind: MessageSchema.Kind) {
        switch kind {
        case .string: self = .string
        case .timestamp: self = .timestamp
        case .boolean: self = .boolean
        case .int32: self = .int32
        case .int64: self = .int64
        case .double: self = .double
        case .bytes: self = .bytes
        case .null: self = .null
        case .opaque: self = .opaque
        case .message(let type): self = .message(type)
        default: self = .other
        }
    }
}
