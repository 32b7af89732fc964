// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The JSON of a large answer, piece by piece: together the text that `RESTCall.responseJSON` returns, without ever holding it all.
///
/// For messages without maps whose fields are encoded in the order of the schema, which is how Hearth encodes.
package struct AnswerPieces: Sendable {
    /// A piece has at least so many bytes, unless it is the last.
    private static let size = 64 << 10

    private let message: [UInt8]
    private let type: MessageType
    private let form: AnswerForm
    private var position = 0
    private var isOver = false
    /// The list that has begun.
    private var list: String?
    private var isEmpty = true

    init(_ message: [UInt8], as type: MessageType, in form: AnswerForm) {
        self.message = message
        self.type = type
        self.form = form
    }

    /// The next piece; nil after the last.
    package mutating func next() throws(FirestoreError) -> [UInt8]? {
        guard !isOver else { return nil }
        var piece: [UInt8] = position == 0 ? [UInt8(ascii: "{")] : []
        while piece.count < Self.size {
            guard let field = try nextField() else {
                endList(&piece)
                if !isEmpty { newLine(0, &piece) }
                piece.append(UInt8(ascii: "}"))
                isOver = true
                return piece
            }
            guard case .object(let members) = form.selected(try JSONFromProtobuf.json(field, as: type)) else { continue }
            for member in members { write(member, &piece) }
        }
        return piece
    }

    /// The next field of the message, as a separate message.
    private mutating func nextField() throws(FirestoreError) -> ByteSlice? {
        let rest: (field: ByteSlice, count: Int)? = message.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            var fields = RawFields(rest)
            guard let start = rest.baseAddress, fields.next() != nil else { return nil }
            let count = fields.position - start
            return (ByteSlice(copying: UnsafeRawBufferPointer(rebasing: rest[..<count])), count)
        }
        guard let rest else {
            guard position == message.count else { throw .malformedMessage }
            return nil
        }
        position += rest.count
        return rest.field
    }

    private mutating func write(_ member: (name: String, value: JSON), _ piece: inout [UInt8]) {
        guard case .array(let elements) = member.value else {
            begin(member.name, &piece)
            piece += form.text(member.value, level: 1)
            return
        }
        for element in elements {
            if list == member.name {
                piece.append(UInt8(ascii: ","))
            } else {
                begin(member.name, &piece)
                piece.append(UInt8(ascii: "["))
                list = member.name
            }
            newLine(2, &piece)
            piece += form.text(element, level: 2)
        }
    }

    private mutating func begin(_ name: String, _ piece: inout [UInt8]) {
        endList(&piece)
        if !isEmpty { piece.append(UInt8(ascii: ",")) }
        isEmpty = false
        newLine(1, &piece)
        piece += JSON.string(name).bytes() + Array((form.isCompact ? ":" : ": ").utf8)
    }

    private mutating func endList(_ piece: inout [UInt8]) {
        guard list != nil else { return }
        list = nil
        newLine(1, &piece)
        piece.append(UInt8(ascii: "]"))
    }

    private func newLine(_ level: Int, _ piece: inout [UInt8]) {
        if !form.isCompact { piece += Array(("\n" + String(repeating: "  ", count: level)).utf8) }
    }
}
