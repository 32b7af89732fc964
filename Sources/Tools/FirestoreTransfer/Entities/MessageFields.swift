// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The fields of a protobuf message, groups included, read in place one after the other.
///
/// Unlike the messages of Firestore's own protocol, entities have groups: fields between a start and an end tag.
struct MessageFields {
    enum Payload {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes(UnsafeRawBufferPointer)
        /// The bytes between the tags of a group.
        case group(UnsafeRawBufferPointer)
        /// A field of four bytes, which does not occur in entities.
        case fixed32
    }

    private var reader: WireReader
    /// The maximum nesting of groups, which bounds the stack.
    private static let nesting = 16

    init(_ bytes: UnsafeRawBufferPointer) {
        // Empty bytes may have no address; nothing is read from this one then.
        let start = ValueView(bytes).start
        reader = WireReader(position: start, end: start + bytes.count)
    }

    /// The next field; nil at the end.
    mutating func next() throws(EntityProblem) -> (number: Int, payload: Payload)? {
        guard !reader.isAtEnd else { return nil }
        let (number, type) = try Self.tag(&reader)
        guard type != 4 else { throw EntityProblem(.malformed) }
        return (number, try Self.payload(number, type, &reader, depth: 0))
    }

    private static func tag(_ reader: inout WireReader) throws(EntityProblem) -> (number: Int, type: UInt8) {
        guard let tag = reader.varint(), tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw EntityProblem(.malformed) }
        return (Int(tag >> 3), UInt8(tag & 7))
    }

    private static func payload(
        _ number: Int, _ type: UInt8, _ reader: inout WireReader, depth: Int
    ) throws(EntityProblem) -> Payload {
        switch type {
        case 0: if let number = reader.varint() { return .varint(number) }
        case 1: if let bits = reader.fixed64() { return .fixed64(bits) }
        case 2: if let bytes = reader.lengthDelimited() { return .bytes(bytes) }
        case 3: return .group(try group(number, &reader, depth: depth))
        case 5:
            if reader.end - reader.position >= 4 {
                reader.position += 4
                return .fixed32
            }
        default: break
        }
        throw EntityProblem(.malformed)
    }

    /// Everything up to the end tag with the same number.
    private static func group(
        _ number: Int, _ reader: inout WireReader, depth: Int
    ) throws(EntityProblem) -> UnsafeRawBufferPointer {
        guard depth < nesting else { throw EntityProblem(.malformed) }
        let start = reader.position
        while !reader.isAtEnd {
            let position = reader.position
            let (inner, type) = try tag(&reader)
            if type == 4 {
                guard inner == number else { throw EntityProblem(.malformed) }
                return UnsafeRawBufferPointer(start: start, count: position - start)
            }
            _ = try payload(inner, type, &reader, depth: depth + 1)
        }
        throw EntityProblem(.malformed)
    }
}
