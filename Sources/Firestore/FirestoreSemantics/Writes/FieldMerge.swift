// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// One change of one field: a value to set, or nil to delete the field.
package struct FieldEdit: Sendable {
    package var path: FieldPathSegments
    package var value: ValueBytes?

    package init(path: FieldPathSegments, value: ValueBytes?) {
        self.path = path
        self.value = value
    }
}

/// Merges edits into encoded fields (WR-6 … WR-8). Unchanged fields are copied without decoding.
package enum FieldMerge {
    /// The edits of a mask: fields with a value are set, fields that only the mask contains are deleted (WR-6).
    ///
    /// Duplicate paths, and paths inside another path of the mask, have no effect: the outer path takes precedence
    /// (WR-9).
    package static func edits(from fields: FieldBytes, mask: [FieldPathSegments]) -> [FieldEdit] {
        defer { withExtendedLifetime(fields) {} }
        let view = fields.view
        let paths = outermost(mask)
        return zip(paths, view.values(at: paths)).map { path, found in
            let value = found.map { view in
                ValueBytes(canonical: ByteSlice(owner: fields.bytes.owner, start: view.start, count: view.count))
            }
            return FieldEdit(path: path, value: value)
        }
    }

    private static func outermost(_ mask: [FieldPathSegments]) -> [FieldPathSegments] {
        guard mask.count > 1 else { return mask }
        var result: [FieldPathSegments] = []
        result.reserveCapacity(mask.count)
        // A path sorts directly before everything inside it.
        for path in mask.sorted() where result.last?.isPrefix(of: path) != true { result.append(path) }
        return result
    }

    /// No edit's path may be a prefix of another's.
    package static func apply(_ edits: [FieldEdit], to fields: FieldBytes) -> FieldBytes {
        guard !edits.isEmpty else { return fields }
        defer { withExtendedLifetime(fields) {} }
        let sorted = edits.count == 1 ? edits : edits.sorted { $0.path < $1.path }
        var merger = Merger(capacity: fields.bytes.count + 256)
        merger.merge(sorted[...], level: 0, into: fields.view, tag: WireTag.documentEntry)
        return FieldBytes(canonical: ByteSlice(merger.output))
    }
}

/// Reads stored entries and sorted edits in parallel, level by level; copies runs of unchanged entries in one step.
private struct Merger {
    var output: [UInt8] = []

    init(capacity: Int) { output.reserveCapacity(capacity) }

    mutating func merge(_ edits: ArraySlice<FieldEdit>, level: Int, into fields: FieldsView, tag: UInt8) {
        let bytes = fields.bytes
        var copied = 0
        var reached = 0
        var stored = fields.makeIterator()
        var entry = stored.next()
        func advance() {
            // An entry ends where its value does.
            if let entry, let base = bytes.baseAddress { reached = entry.value.end - base }
            entry = stored.next()
        }
        var rest = edits
        while let first = rest.first {
            var name = first.path.segments[level]
            name.withUTF8 { utf8 in
                let name = UnsafeRawBufferPointer(utf8)
                while let current = entry, compareBytes(current.name, name) < 0 { advance() }
                output.append(contentsOf: bytes[copied..<reached])
                var old: ValueView?
                if let current = entry, compareBytes(current.name, name) == 0 {
                    old = current.value
                    advance()
                }
                copied = reached
                // Edits are sorted by path, so those below one name are adjacent.
                let group = rest.prefix { compareUTF8($0.path.segments[level], first.path.segments[level]) == 0 }
                rest = rest.dropFirst(group.count)
                emit(group, level: level, name: name, old: old, tag: tag)
            }
        }
        output.append(contentsOf: bytes[copied...])
    }

    /// All edits of one name: either one that ends here, or several that go deeper.
    private mutating func emit(
        _ edits: ArraySlice<FieldEdit>, level: Int, name: UnsafeRawBufferPointer, old: ValueView?, tag: UInt8
    ) {
        if let edit = edits.first, edit.path.segments.count == level + 1 {
            guard let value = edit.value else { return }
            value.bytes.withUnsafeBytes { output.appendEntry(tag: tag, name: name, value: $0) }
            return
        }
        let inner: FieldsView
        if let old, old.vector == nil, let fields = old.fields {
            inner = fields
        } else if edits.contains(where: { $0.value != nil }) {
            // Setting a field inside a value that is not a map makes it a map (WR-7).
            inner = FieldsView(UnsafeRawBufferPointer(start: nil, count: 0))
        } else {
            // Deleting a field below a missing parent has no effect (WR-8).
            if let old { output.appendEntry(tag: tag, name: name, value: old.buffer) }
            return
        }
        var nested = Merger(capacity: inner.bytes.count + 64)
        nested.merge(edits, level: level + 1, into: inner, tag: WireTag.mapEntry)
        var value: [UInt8] = [WireTag.map]
        value.appendLengthDelimited(nested.output)
        output.appendEntry(tag: tag, name: name, value: value)
    }
}
