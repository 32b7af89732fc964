// SPDX-License-Identifier: Apache-2.0

/// How the fields of a message are written as members of a JSON object, by their numbers in the message.
///
/// What a `MessageSchema` says, without strings and arrays: looking a field up counts no references.
///
/// `@unchecked Sendable`: the memory is filled before the table is visible, is never changed, and never freed.
struct JSONMembers: @unchecked Sendable {
    enum Form {
        case string, timestamp, boolean, int64, null, opaque
        case message(MessageType)
        /// Any other kind, such as doubles, bytes and enumerations: written through a tree.
        case other
    }

    struct Member {
        /// The index of the field in the schema. A number without a field has -1.
        var index: Int32 = -1
        var shape = MessageSchema.Shape.single
        var form = Form.opaque
        /// The name as a member: `"name":`, and the bracket of a list or of a map.
        var opening = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    private let members: UnsafeMutableBufferPointer<Member>

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
            let text = Array("\"\(field.name)\":\(bracket)".utf8)
            let opening = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
            opening.copyBytes(from: text)
            members[field.number] = Member(
                index: Int32(index), shape: field.shape, form: Form(field.kind), opening: UnsafeRawBufferPointer(opening))
        }
    }

    /// nil for a field that the schema does not have.
    @inline(__always)
    subscript(number: UInt32) -> Member? {
        guard number < members.count, members[Int(number)].index >= 0 else { return nil }
        return members[Int(number)]
    }
}

extension JSONMembers.Form {
    fileprivate init(_ kind: MessageSchema.Kind) {
        switch kind {
        case .string: self = .string
        case .timestamp: self = .timestamp
        case .boolean: self = .boolean
        case .int64: self = .int64
        case .null: self = .null
        case .opaque: self = .opaque
        case .message(let type): self = .message(type)
        default: self = .other
        }
    }
}
