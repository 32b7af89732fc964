// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension TimestampValue {
    /// Reads the `google.protobuf.Timestamp` message; nil if it is malformed. Its range is not checked.
    init?(wire bytes: UnsafeRawBufferPointer) {
        var seconds: Int64 = 0
        var nanoseconds: Int32 = 0
        var fields = RawFields(bytes)
        while let field = fields.next() {
            guard field.kind == .varint else { continue }
            if field.number == 1 { seconds = Int64(bitPattern: field.bits) }
            if field.number == 2 { nanoseconds = Int32(truncatingIfNeeded: field.bits) }
        }
        guard !fields.isMalformed else { return nil }
        self.init(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// A time in a request: in range, and in whole microseconds like all of Firestore's times (VAL-21, VAL-23).
    init(wire bytes: ByteSlice, called name: String) throws(FirestoreError) {
        guard let time = bytes.withUnsafeBytes(TimestampValue.init(wire:)) else { throw .malformedMessage }
        guard time.isValid else { throw .invalidArgument("the \(name) lies outside the years 1 to 9999") }
        guard time.truncatedToMicroseconds == time else {
            throw .invalidArgument("the \(name) is finer than a microsecond; send a time as Firestore gave it")
        }
        self = time
    }
}

extension DocumentVersion {
    /// A time in an answer: truncated to microseconds.
    init(answer bytes: ByteSlice) throws(FirestoreError) {
        guard let time = bytes.withUnsafeBytes(TimestampValue.init(wire:)), time.isValid else { throw .malformedMessage }
        self.init(microseconds: time.microsecondsSince1970)
    }
}

extension EmbeddedMessage {
    /// A time in an answer, if present.
    var version: DocumentVersion? {
        get throws(FirestoreError) {
            guard let bytes else { return nil }
            return try DocumentVersion(answer: bytes)
        }
    }
}

extension ReverseWriter {
    mutating func body(of time: TimestampValue) {
        if time.nanoseconds != 0 { element(2, time.nanoseconds) }
        if time.seconds != 0 { element(1, time.seconds) }
    }

    mutating func timestamp(_ number: Int, _ time: TimestampValue) {
        let mark = count
        body(of: time)
        close(number, since: mark)
    }

    mutating func timestamp(_ number: Int, _ version: DocumentVersion?) {
        if let version { timestamp(number, version.timestamp) }
    }
}
