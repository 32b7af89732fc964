// SPDX-License-Identifier: Apache-2.0

/// A server timestamp that the authority has not assigned yet (SY-38): a map that only a client's cache contains.
///
/// Users cannot write it, because names that begin and end with two underscores are reserved, and it never reaches a server,
/// an export or an embedded database. Borrowed, like the view it is read from.
package struct PendingTimestamp {
    /// When the write was made, by the client's clock.
    package let localWriteTime: TimestampValue
    /// The value before; nil if the field was missing. Never a pending timestamp itself.
    package let previous: ValueView?

    // In the order of their bytes, which is the order in which they are stored.
    private static let localWriteTimeName: StaticString = "__local_write_time__"
    private static let previousName: StaticString = "__previous_value__"
    private static let typeName: StaticString = "__type__"
    private static let type = "server_timestamp"

    /// nil for every other value. Costs a comparison of the first name, for maps only.
    package init?(_ view: ValueView) {
        guard view.kind == .map, let fields = view.fields else { return nil }
        var entries = fields.makeIterator()
        guard let first = entries.next(), Self.isName(first.name, Self.localWriteTimeName), let time = first.value.timestamp,
            var next = entries.next()
        else { return nil }
        var previous: ValueView?
        if Self.isName(next.name, Self.previousName) {
            previous = next.value
            guard let last = entries.next() else { return nil }
            next = last
        }
        guard Self.isName(next.name, Self.typeName),
            next.value.stringBytes?.elementsEqual(Self.type.utf8) == true, entries.next() == nil
        else { return nil }
        localWriteTime = time
        self.previous = previous
    }

    /// The bytes of one. If the value before is a pending timestamp, its own previous value is taken.
    package static func bytes(localWriteTime: TimestampValue, replacing value: ValueView?) -> ValueBytes {
        let previous: ValueView? = value.flatMap { value in
            if let pending = PendingTimestamp(value) { pending.previous } else { value }
        }
        var body: [UInt8] = []
        body.appendEntry(tag: WireTag.mapEntry, name: name(localWriteTimeName), value: encoded(.timestamp(localWriteTime)))
        if let previous { body.appendEntry(tag: WireTag.mapEntry, name: name(previousName), value: previous.buffer) }
        body.appendEntry(tag: WireTag.mapEntry, name: name(typeName), value: encoded(.string(type)))
        var bytes: [UInt8] = [WireTag.map]
        bytes.appendLengthDelimited(body)
        return ValueBytes(canonical: ByteSlice(bytes))
    }

    static func encoded(_ value: Value) -> [UInt8] {
        var bytes: [UInt8] = []
        value.append(to: &bytes)
        return bytes
    }

    private static func name(_ name: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }

    private static func isName(_ bytes: UnsafeRawBufferPointer, _ expected: StaticString) -> Bool {
        bytes.count == expected.utf8CodeUnitCount && compareBytes(bytes, name(expected)) == 0
    }
}
