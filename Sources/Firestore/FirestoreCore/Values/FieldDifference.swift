// SPDX-License-Identifier: Apache-2.0

/// The writes that turn fields that are like `old` into `new`, and change nothing else.
///
/// Maps are compared name by name, at every depth; everything else, arrays and vectors included, is one value (MP-72). Values are
/// equal if their canonical bytes are: `3` is not `3.0`, `0.0` is not `-0.0`, NaN is NaN.
package struct FieldDifference: Sendable, Equatable {
    /// The values that are new or differ, at their paths.
    package let fields: FieldBytes
    /// The paths of these values, and of everything that is in `old` only; sorted, none inside another.
    package let mask: [FieldPathSegments]

    package var isEmpty: Bool { mask.isEmpty }

    /// - Parameter kept: Paths that are treated as present although `new` has no value for them. Those of transforms.
    package init(from old: FieldBytes, to new: FieldBytes, keeping kept: [FieldPathSegments] = []) {
        var comparison = FieldComparison(kept: kept)
        var body: [UInt8] = []
        comparison.compare(old.view, new.view, into: &body)
        withExtendedLifetime((old, new)) {}
        fields = body.isEmpty ? .empty : FieldBytes(canonical: ByteSlice(body))
        mask = comparison.mask
    }
}

/// Walks two maps side by side.
private struct FieldComparison {
    let kept: [FieldPathSegments]
    var mask: [FieldPathSegments] = []
    private var path: [String] = []

    init(kept: [FieldPathSegments]) { self.kept = kept }

    /// Appends the entries of `new` that differ to `body`.
    mutating func compare(_ old: FieldsView, _ new: FieldsView, into body: inout [UInt8]) {
        var left = WireReader(old)
        var right = WireReader(new)
        while true {
            WireReader.skipEqualEntries(&left, &right)
            let (leftStart, rightStart) = (left.position, right.position)
            switch (left.entry(), right.entry()) {
            case (nil, nil): return
            case (let gone?, nil): remove(gone.name)
            case (nil, let added?): add(added.name, right.bytes(since: rightStart), to: &body)
            case (let before?, let after?):
                let order = compareBytes(before.name, after.name)
                let entry = right.bytes(since: rightStart)
                if order < 0 {
                    remove(before.name)
                    right.position = rightStart
                } else if order > 0 {
                    add(after.name, entry, to: &body)
                    left.position = leftStart
                } else {
                    replace(after.name, before.value, after.value, entry, in: &body)
                }
            }
        }
    }

    private mutating func remove(_ name: UnsafeRawBufferPointer) {
        let removed = FieldPathSegments(path + [String(decoding: name, as: UTF8.self)])
        if !kept.contains(removed) { mask.append(removed) }
    }

    private mutating func add(_ name: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer, to body: inout [UInt8]) {
        mask.append(FieldPathSegments(path + [String(decoding: name, as: UTF8.self)]))
        body.append(contentsOf: entry)
    }

    private mutating func replace(
        _ name: UnsafeRawBufferPointer, _ old: ValueView, _ new: ValueView, _ entry: UnsafeRawBufferPointer, in body: inout [UInt8]
    ) {
        guard let before = old.fields, let after = new.fields, old.vector == nil, new.vector == nil else {
            return add(name, entry, to: &body)
        }
        var inner: [UInt8] = []
        path.append(String(decoding: name, as: UTF8.self))
        compare(before, after, into: &inner)
        path.removeLast()
        guard !inner.isEmpty else { return }
        var map: [UInt8] = [WireTag.map]
        map.appendLengthDelimited(inner)
        body.appendEntry(tag: entry[0], name: name, value: map)
    }
}

extension WireReader {
    fileprivate init(_ fields: FieldsView) {
        let start = fields.bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        self.init(position: start, end: start + fields.bytes.count)
    }

    /// The bytes read since the reader was at a position.
    fileprivate func bytes(since start: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: position - start)
    }

    /// Moves both readers behind the entries that are the same, byte by byte, without reading names and values.
    fileprivate static func skipEqualEntries(_ left: inout WireReader, _ right: inout WireReader) {
        let equal = equalBytes(left, right)
        guard equal > 0 else { return }
        let limit = left.position + equal
        var next = left
        while next.byte() != nil, next.lengthDelimited() != nil, next.position <= limit {
            right.position += next.position - left.position
            left = next
        }
    }

    /// How many bytes from the start are the same.
    private static func equalBytes(_ left: WireReader, _ right: WireReader) -> Int {
        let shared = min(left.end - left.position, right.end - right.position)
        var count = 0
        while count &+ 8 <= shared {
            let difference =
                left.position.loadUnaligned(fromByteOffset: count, as: UInt64.self)
                ^ right.position.loadUnaligned(fromByteOffset: count, as: UInt64.self)
            if difference != 0 { return count &+ UInt64(littleEndian: difference).trailingZeroBitCount / 8 }
            count &+= 8
        }
        while count < shared,
            left.position.load(fromByteOffset: count, as: UInt8.self) == right.position.load(fromByteOffset: count, as: UInt8.self)
        {
            count &+= 1
        }
        return count
    }
}
