// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A field with one message, which may be encoded in several parts: protobuf merges them, and messages are merged by joining their
/// bytes.
struct EmbeddedMessage {
    private var first: ByteSlice?
    /// All parts, if there is more than one.
    private var joined: [UInt8] = []

    @inline(__always)
    mutating func merge(_ field: MessageField) {
        guard let part = field.bytes else { return }
        merge(part)
    }

    @inline(__always)
    mutating func merge(_ part: ByteSlice) {
        if first == nil { first = part } else { join(part) }
    }

    private mutating func join(_ part: ByteSlice) {
        if joined.isEmpty, let first { joined = first.array }
        part.withUnsafeBytes { joined.append(contentsOf: $0) }
    }

    var isPresent: Bool { first != nil }

    /// nil if the field is absent. Copies only if there are several parts.
    var bytes: ByteSlice? { joined.isEmpty ? first : ByteSlice(joined) }
}

/// Fields of which at most one is set: the one that came last.
struct OneofField {
    /// 0 for none.
    private(set) var number: UInt32 = 0
    private(set) var bits: UInt64 = 0
    private var message = EmbeddedMessage()

    /// A member that is a message: consecutive parts are merged.
    mutating func take(message field: MessageField) {
        guard let part = field.bytes else { return }
        if number != field.number { message = EmbeddedMessage() }
        number = field.number
        message.merge(part)
    }

    /// A member that is a string or bytes.
    mutating func take(bytes field: MessageField) {
        guard let bytes = field.bytes else { return }
        number = field.number
        message = EmbeddedMessage()
        message.merge(bytes)
    }

    mutating func take(varint field: MessageField) { take(field, .varint) }

    mutating func take(fixed64 field: MessageField) { take(field, .fixed64) }

    private mutating func take(_ field: MessageField, _ kind: RawField.Kind) {
        guard field.raw.kind == kind else { return }
        number = field.number
        message = EmbeddedMessage()
        bits = field.raw.bits
    }

    /// Of a message, string or bytes.
    var bytes: ByteSlice { message.bytes ?? .empty }
}
