// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The rows that `select`, `add_fields` and `remove_fields` make: names in order, each with what is written there.
struct RowShape: Sendable {
    /// What is written at a name.
    indirect enum Content: Sendable {
        case value(Expression)
        case removed
        case map([Entry])
    }

    struct Entry: Sendable {
        let name: ByteSlice
        var content: Content
    }

    /// Whether the fields of the row remain, and the document that it is.
    let keepsRow: Bool
    /// Sorted by the bytes of their names, as the fields that they become.
    private(set) var entries: [Entry] = []
    /// The name and the times that rows get; nil takes one away.
    private(set) var attributes: [(attribute: DocumentAttribute, value: Expression?)] = []

    init(keepsRow: Bool) { self.keepsRow = keepsRow }

    /// Sets what is written at a path. Returns whether no other path leads there or passes through it.
    mutating func set(_ path: FieldPathSegments, to value: Expression?) -> Bool {
        if path.segments.count == 1, let attribute = DocumentAttribute(rawValue: path.segments[0]) {
            attributes.append((attribute, value))
            return true
        }
        return Self.set(path.segments[...], to: value.map { .value($0) } ?? .removed, in: &entries)
    }

    private static func set(_ path: ArraySlice<String>, to content: Content, in entries: inout [Entry]) -> Bool {
        guard let first = path.first else { return false }
        let name = ByteSlice(Array(first.utf8))
        let index = place(of: name, in: entries)
        let isThere = index < entries.count && entries[index].name == name
        if path.count == 1 {
            guard !isThere else { return false }
            entries.insert(Entry(name: name, content: content), at: index)
            return true
        }
        if !isThere { entries.insert(Entry(name: name, content: .map([])), at: index) }
        guard case .map(var inner) = entries[index].content else { return false }
        // The only reference, so that it is changed in place.
        entries[index].content = .removed
        let isFree = set(path.dropFirst(), to: content, in: &inner)
        entries[index].content = .map(inner)
        return isFree
    }

    /// Where a name is, or where it would be inserted. The names of a stage come sorted, so that most are inserted at the end.
    private static func place(of name: ByteSlice, in entries: [Entry]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            let order = withExtendedLifetime((entries[middle].name, name)) { compareBytes(entries[middle].name.buffer, name.buffer) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The name of the only field that rows of this shape have; nil if they have others.
    var onlyField: ByteSlice? { !keepsRow && attributes.isEmpty && entries.count == 1 ? entries[0].name : nil }

    func apply(to row: Row, _ execution: Execution) throws(FirestoreError) -> Row {
        var writer = ShapeWriter(row: row, execution: execution, isSelection: !keepsRow)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(row.fields.bytes.count + 64)
        _ = try writer.write(entries, over: keepsRow ? row.fields : nil, tag: WireTag.documentEntry, to: &bytes)
        let fields = ByteSlice(bytes)
        var result = keepsRow ? row.replacing(fields) : Row(fields)
        for (attribute, expression) in attributes {
            let value = try expression?.value(row, execution) ?? .absent
            try result.set(attribute, to: value, from: row)
        }
        return result
    }
}

extension Row {
    /// Gives the row a name or a time, or takes it away.
    mutating func set(_ attribute: DocumentAttribute, to value: EvaluatedValue, from row: Row) throws(FirestoreError) {
        switch attribute {
        case .name:
            guard !value.isAbsent else { return origin = .none }
            guard let name = value.reference else {
                throw .invalidArgument("__name__ takes a reference, not a value of the type \(value.type.name)")
            }
            origin = .name(String(decoding: name, as: UTF8.self))
        case .createTime: createTime = try Self.version(value, attribute)
        case .updateTime: updateTime = try Self.version(value, attribute)
        }
    }

    private static func version(_ value: EvaluatedValue, _ attribute: DocumentAttribute) throws(FirestoreError) -> DocumentVersion? {
        guard !value.isAbsent else { return nil }
        guard let time = value.timestamp else {
            throw .invalidArgument("\(attribute.rawValue) takes a timestamp, not a value of the type \(value.type.name)")
        }
        return DocumentVersion(microseconds: time.microsecondsSince1970)
    }
}

/// Writes the fields of a row of a shape.
private struct ShapeWriter {
    let row: Row
    let execution: Execution
    /// Whether maps on the way to a missing value are written.
    let isSelection: Bool

    /// Writes entries over those of a map. Returns whether any entry of the shape was written.
    mutating func write(
        _ entries: [RowShape.Entry], over base: FieldsView?, tag: UInt8, to bytes: inout [UInt8]
    ) throws(FirestoreError) -> Bool {
        var hasWritten = false
        var stored = base?.makeIterator()
        var next = stored?.next()
        for entry in entries {
            while let current = next, compareBytes(current.name, entry.name.buffer) < 0 {
                bytes.appendEntry(tag: tag, name: current.name, value: current.value.buffer)
                next = stored?.next()
            }
            var old: ValueView?
            if let current = next, compareBytes(current.name, entry.name.buffer) == 0 {
                old = current.value
                next = stored?.next()
            }
            if try write(entry, over: old, tag: tag, to: &bytes) { hasWritten = true }
        }
        while let current = next {
            bytes.appendEntry(tag: tag, name: current.name, value: current.value.buffer)
            next = stored?.next()
        }
        return hasWritten
    }

    private mutating func write(
        _ entry: RowShape.Entry, over old: ValueView?, tag: UInt8, to bytes: inout [UInt8]
    ) throws(FirestoreError) -> Bool {
        switch entry.content {
        case .removed: return false
        case .value(let expression):
            let value = try expression.value(row, execution)
            guard !value.isAbsent else { return false }
            // The value, and its copy in the row.
            try execution.budget.admit(bytes.count + value.weight + value.ownedBytes)
            value.withView { view in bytes.appendEntry(tag: tag, name: entry.name.buffer, value: view.buffer) }
            return true
        case .map(let inner):
            let map = old.flatMap { $0.vector == nil ? $0.fields : nil }
            var body: [UInt8] = []
            let hasWritten = try write(inner, over: map, tag: WireTag.mapEntry, to: &body)
            guard hasWritten || isSelection || map != nil else {
                // Nothing was added, so what is no map stays.
                if let old { bytes.appendEntry(tag: tag, name: entry.name.buffer, value: old.buffer) }
                return false
            }
            var value = [WireTag.map]
            value.appendLengthDelimited(body)
            bytes.appendEntry(tag: tag, name: entry.name.buffer, value: value)
            return true
        }
    }
}
