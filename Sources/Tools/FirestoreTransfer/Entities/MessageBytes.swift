// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Writes protobuf fields: the counterpart of `MessageFields`.
struct MessageBytes {
    private(set) var bytes: [UInt8] = []

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    private mutating func tag(_ number: Int, _ type: Int) { bytes.appendVarint(UInt64(number << 3 | type)) }

    mutating func append(_ number: Int, varint: UInt64) {
        tag(number, 0)
        bytes.appendVarint(varint)
    }

    mutating func append(_ number: Int, integer: Int) { append(number, varint: UInt64(bitPattern: Int64(integer))) }

    mutating func append(_ number: Int, double: Double) {
        tag(number, 1)
        bytes.appendFixed64(double.bitPattern)
    }

    mutating func append(_ number: Int, bytes content: some Collection<UInt8>) {
        tag(number, 2)
        bytes.appendLengthDelimited(content)
    }

    mutating func append(_ number: Int, text: String) { append(number, bytes: text.utf8) }

    /// Appends a nested message, preceded by its length.
    mutating func appendMessage(_ number: Int, _ fill: (inout MessageBytes) -> Void) {
        var inner = MessageBytes()
        fill(&inner)
        append(number, bytes: inner.bytes)
    }

    mutating func appendGroup(_ number: Int, _ fill: (inout MessageBytes) -> Void) {
        tag(number, 3)
        fill(&self)
        tag(number, 4)
    }
}
