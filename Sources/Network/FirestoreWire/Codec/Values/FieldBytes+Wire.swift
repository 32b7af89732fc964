// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension FieldBytes {
    /// The fields of a document as received: canonical bytes are used as they are and not copied, others are rewritten. The result
    /// satisfies all rules for documents (DM-15, DM-23 … DM-29, VAL-11, VAL-20 … VAL-22, VAL-25, VAL-26).
    init(wire bytes: ByteSlice, of key: DocumentKey) throws(FirestoreError) {
        let asSent = FieldBytes(canonical: bytes)
        if Self.looksCanonical(bytes), DocumentCheck.passes(asSent, of: key) {
            self = asSent
        } else {
            do { self = try FieldRewriter.fields(bytes) } catch { throw error.error(in: key.path) }
            try DocumentCheck.check(self, of: key)
        }
    }

    /// Whether the top level is sorted, as few senders do it: otherwise deeper levels need not be checked.
    private static func looksCanonical(_ bytes: ByteSlice) -> Bool {
        defer { withExtendedLifetime(bytes) {} }
        var entries = FieldsView(bytes.buffer).makeIterator()
        var previous: UnsafeRawBufferPointer?
        while let (name, _) = entries.next() {
            if let previous, compareBytes(previous, name) >= 0 { return false }
            previous = name
        }
        return !entries.isDamaged
    }
}

extension ValueBytes {
    /// A value in a request or an answer outside a document. Only its form is checked here; the caller checks conditions specific to its
    /// location.
    init(wire bytes: ByteSlice, in location: @autoclosure () -> String) throws(FirestoreError) {
        do { self = try FieldRewriter.value(bytes) } catch { throw error.error(in: location()) }
    }
}

extension Value {
    init(wire bytes: ByteSlice, in location: @autoclosure () -> String) throws(FirestoreError) {
        let location = location()
        let bytes = try ValueBytes(wire: bytes, in: location)
        try DocumentCheck.check(bytes, in: location)
        self = try bytes.value
    }
}

extension ReverseWriter {
    mutating func value(_ number: Int, _ value: ValueBytes) { element(number, value.bytes) }

    mutating func value(_ number: Int, _ value: Value) {
        var bytes: [UInt8] = []
        value.append(to: &bytes)
        let mark = count
        bytes.withUnsafeBytes { raw($0) }
        close(number, since: mark)
    }
}
