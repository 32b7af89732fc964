// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Converts proto3's JSON form of messages to their bytes (VAL-24), in one walk over the text and without a tree, which would take many
/// times the memory of the text. All failures are `invalidArgument` and name the field.
struct ProtobufFromJSON: ~Copyable {
    private var output: GrowingBytes

    init(capacity: Int = 1_024) { output = GrowingBytes(capacity: capacity) }

    static func bytes(_ json: JSON, as type: MessageType) throws(FirestoreError) -> [UInt8] {
        var converter = ProtobufFromJSON()
        try converter.append(ByteSlice(json.bytes()), as: type)
        return converter.output.array
    }

    /// The messages that were appended, one behind the other: merged, as protobuf has it.
    var message: ByteSlice { output.slice }

    /// Appends the message that a text describes, or a field with it.
    mutating func append(_ text: ByteSlice, as type: MessageType, inField number: Int? = nil) throws(FirestoreError) {
        defer { withExtendedLifetime(text) {} }
        var scanner = JSONScanner(text.buffer)
        do throws(JSONMistake) {
            let content = number.map { output.open(Int32($0)) }
            try message(type, &scanner, level: 0)
            if let content { output.close(content) }
            if scanner.peek() != nil { throw .malformed(scanner.problem("there is more text after the end")) }
        } catch {
            throw error.error
        }
    }

    // MARK: Objects and arrays

    private mutating func message(_ type: MessageType, _ scanner: inout JSONScanner, level: Int) throws(JSONMistake) {
        try scanner.begin(UInt8(ascii: "{"), "an object", level)
        if scanner.take(UInt8(ascii: "}")) { return }
        let members = JSONMembers.of(type)
        var seen: UInt64 = 0
        repeat {
            let name = try scanner.nameToken()
            guard let member = name.hasEscapes ? try members[escaped: name, scanner] : members[scanner.raw(name)] else {
                let known = type.fields.map(\.name).joined(separator: ", ")
                throw .wrong("unknown member \"\(try scanner.quoted(name))\"; expected one of \(known)")
            }
            if scanner.peek() == UInt8(ascii: "n"), !member.form.isNull {
                _ = try scanner.scalar(level)
                continue
            }
            if member.rivals & seen != 0 {
                let other = type.fields[(member.rivals & seen).trailingZeroBitCount].name
                throw .wrong("\"\(other)\" and \"\(type.fields[Int(member.index)].name)\" exclude each other; send one of them")
            }
            seen |= 1 << UInt64(member.index)
            do throws(JSONMistake) { try field(member, of: type, &scanner, level) } catch { throw try error.inside(name, scanner) }
        } while scanner.take(UInt8(ascii: ","))
        try scanner.end(UInt8(ascii: "}"), "a comma or a brace is missing")
    }

    @inline(__always)
    private mutating func field(
        _ member: JSONMembers.Member, of type: MessageType, _ scanner: inout JSONScanner, _ level: Int
    ) throws(JSONMistake) {
        switch member.shape {
        case .single, .oneof: try value(member, member.number, of: type, &scanner, level)
        case .repeated: try list(member, of: type, &scanner, level + 1)
        case .map: try map(member, of: type, &scanner, level + 1)
        }
    }

    private mutating func list(
        _ member: JSONMembers.Member, of type: MessageType, _ scanner: inout JSONScanner, _ level: Int
    ) throws(JSONMistake) {
        try scanner.begin(UInt8(ascii: "["), "an array", level)
        if scanner.take(UInt8(ascii: "]")) { return }
        var index = 0
        repeat {
            do throws(JSONMistake) {
                if scanner.peek() == UInt8(ascii: "n") {
                    _ = try scanner.scalar(level)
                    throw .wrong("a list must not contain null")
                }
                try value(member, member.number, of: type, &scanner, level)
            } catch {
                throw error.inside(index)
            }
            index += 1
        } while scanner.take(UInt8(ascii: ","))
        try scanner.end(UInt8(ascii: "]"), "a comma or a bracket is missing")
    }

    private mutating func map(
        _ member: JSONMembers.Member, of type: MessageType, _ scanner: inout JSONScanner, _ level: Int
    ) throws(JSONMistake) {
        try scanner.begin(UInt8(ascii: "{"), "an object", level)
        if scanner.take(UInt8(ascii: "}")) { return }
        repeat {
            let name = try scanner.nameToken()
            let entry = output.open(member.number)
            if name.count > 0 { try string(name, 1, scanner) }
            do throws(JSONMistake) { try value(member, 2, of: type, &scanner, level) } catch { throw try error.inside(name, scanner) }
            output.close(entry)
        } while scanner.take(UInt8(ascii: ","))
        try scanner.end(UInt8(ascii: "}"), "a comma or a brace is missing")
    }

    // MARK: Values

    private mutating func value(
        _ member: JSONMembers.Member, _ number: Int32, of type: MessageType, _ scanner: inout JSONScanner, _ level: Int
    ) throws(JSONMistake) {
        switch member.form {
        case .message(let type):
            let content = output.open(number)
            try message(type, &scanner, level: level + 1)
            output.close(content)
        case .string where scanner.peek() == UInt8(ascii: "\""): try string(try scanner.stringToken(), number, scanner)
        default:
            let node = JSONNode(try scanner.scalar(level))
            do throws(FirestoreError) {
                try output.append(node, type.fields[Int(member.index)].kind, number)
            } catch {
                throw .wrong(error.message)
            }
        }
    }

    @inline(__always)
    private mutating func string(_ token: JSONScanner.StringToken, _ number: Int32, _ scanner: JSONScanner) throws(JSONMistake) {
        if token.hasEscapes {
            output.append(number, bytes: try scanner.decoded(token))
        } else {
            output.append(tag: number, type: 2)
            output.append(varint: UInt64(token.count))
            output.append(scanner.raw(token))
        }
    }
}

extension JSONMembers.Form {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension JSONMembers {
    fileprivate subscript(escaped name: JSONScanner.StringToken, scanner: JSONScanner) -> Member? {
        get throws(JSONMistake) {
            let bytes = try scanner.decoded(name)
            return bytes.withUnsafeBytes { self[$0] }
        }
    }
}
