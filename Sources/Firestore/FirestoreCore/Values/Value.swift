// SPDX-License-Identifier: Apache-2.0

/// One Firestore value as a tree.
///
/// Used where a `[String: Any]` enters or leaves, for operands and transforms, and where code is not performance-critical.
/// Performance-critical code reads and writes the bytes (`ValueView`, `FieldBytes`). There is deliberately no `==`: equality
/// and order are defined once, on bytes (`ValueOrdering`, and byte equality for identity).
package enum Value: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case timestamp(TimestampValue)
    case string(String)
    case bytes([UInt8])
    /// The full resource name: `projects/P/databases/D/documents/…`.
    case reference(String)
    case geoPoint(GeoPointValue)
    case array([Value])
    case map(FieldMap)

    /// A vector, in its only representation (VAL-20).
    package static func vector(_ components: [Double]) -> Value {
        .map(FieldMap([("__type__", .string("__vector__")), ("value", .array(components.map { .double($0) }))]))
    }

    package init(_ view: ValueView) throws(FirestoreError) {
        self = try Value(view, depth: 0)
    }

    init(_ view: ValueView, depth: Int) throws(FirestoreError) {
        // Rows of pipelines nest deeper than documents; damaged bytes must not exhaust the stack.
        guard depth <= 4 * Limits.nestingLevels, let value = try Value.read(view, depth: depth) else {
            throw FirestoreError(.dataLoss, "the stored bytes of a value are damaged")
        }
        self = value
    }

    private static func read(_ view: ValueView, depth: Int) throws(FirestoreError) -> Value? {
        switch view.kind {
        case .null: return .null
        case .boolean: return view.boolean.map { .boolean($0) }
        case .integer: return view.integer.map { .integer($0) }
        case .double: return view.double.map { .double($0) }
        case .timestamp: return view.timestamp.map { .timestamp($0) }
        case .string: return view.string.map { .string($0) }
        case .bytes: return view.dataBytes.map { .bytes([UInt8]($0)) }
        case .reference: return view.referenceBytes.map { .reference(String(decoding: $0, as: UTF8.self)) }
        case .geoPoint: return view.geoPoint.map { .geoPoint($0) }
        case .array:
            guard let elements = view.elements else { return nil }
            var result: [Value] = []
            for element in elements { result.append(try Value(element, depth: depth + 1)) }
            return .array(result)
        case .map:
            guard let fields = view.fields else { return nil }
            return .map(try FieldMap(fields, depth: depth + 1))
        case .malformed: return nil
        }
    }

    /// Appends the `Value` message: tag and payload.
    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .null:
            bytes.append(WireTag.null)
            bytes.append(0)
        case .boolean(let value):
            bytes.append(WireTag.boolean)
            bytes.append(value ? 1 : 0)
        case .integer(let value):
            bytes.append(WireTag.integer)
            bytes.appendVarint(UInt64(bitPattern: value))
        case .double(let value):
            bytes.append(WireTag.double)
            // One NaN only: all NaNs are one value (VAL-7).
            bytes.appendFixed64(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
        case .timestamp(let value):
            bytes.append(WireTag.timestamp)
            bytes.append(UInt8(value.encodedLength))
            value.append(to: &bytes)
        case .string(let value):
            bytes.append(WireTag.string)
            bytes.append(WireTag.longTagSuffix)
            bytes.appendLengthDelimited(value.utf8)
        case .bytes(let value):
            bytes.append(WireTag.bytes)
            bytes.append(WireTag.longTagSuffix)
            bytes.appendLengthDelimited(value)
        case .reference(let value):
            bytes.append(WireTag.reference)
            bytes.appendLengthDelimited(value.utf8)
        case .geoPoint(let value):
            bytes.append(WireTag.geoPoint)
            var body: [UInt8] = []
            value.append(to: &body)
            bytes.appendLengthDelimited(body)
        case .array(let elements):
            var body: [UInt8] = []
            var element: [UInt8] = []
            for value in elements {
                element.removeAll(keepingCapacity: true)
                value.append(to: &element)
                body.append(WireTag.arrayElement)
                body.appendLengthDelimited(element)
            }
            bytes.append(WireTag.array)
            bytes.appendLengthDelimited(body)
        case .map(let map):
            var body: [UInt8] = []
            map.append(to: &body, tag: WireTag.mapEntry)
            bytes.append(WireTag.map)
            bytes.appendLengthDelimited(body)
        }
    }
}

/// The entries of a map or document as a tree, sorted by the UTF-8 bytes of their names.
package struct FieldMap: Sendable {
    package private(set) var entries: [(name: String, value: Value)]

    package init() { entries = [] }

    /// Sorts the entries; of entries with the same name bytes the last wins.
    package init(_ unsorted: some Sequence<(String, Value)>) {
        entries = unsorted.map { (name: $0.0, value: $0.1) }
        // Most come sorted.
        guard !zip(entries, entries.dropFirst()).allSatisfy({ compareUTF8($0.name, $1.name) < 0 }) else { return }
        let order = entries.indices.sorted { left, right in
            let order = compareUTF8(entries[left].name, entries[right].name)
            return order != 0 ? order < 0 : left < right
        }
        var sorted: [(name: String, value: Value)] = []
        sorted.reserveCapacity(order.count)
        for index in order {
            if let last = sorted.last, equalUTF8(last.name, entries[index].name) { sorted.removeLast() }
            sorted.append(entries[index])
        }
        entries = sorted
    }

    package init(_ view: FieldsView) throws(FirestoreError) { try self.init(view, depth: 0) }

    init(_ view: FieldsView, depth: Int) throws(FirestoreError) {
        entries = []
        var iterator = view.makeIterator()
        while let (name, value) = iterator.next() {
            entries.append((String(decoding: name, as: UTF8.self), try Value(value, depth: depth)))
        }
        if iterator.isDamaged { throw FirestoreError(.dataLoss, "the stored bytes of a map are damaged") }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The index of `name`, or where it would be inserted.
    private func index(of name: String) -> (index: Int, found: Bool) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            let order = compareUTF8(entries[middle].name, name)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    package subscript(name: String) -> Value? {
        get {
            let (index, found) = index(of: name)
            return found ? entries[index].value : nil
        }
        set {
            let (index, found) = index(of: name)
            switch (found, newValue) {
            case (true, let value?): entries[index].value = value
            case (true, nil): entries.remove(at: index)
            case (false, let value?): entries.insert((name, value), at: index)
            case (false, nil): break
            }
        }
    }

    /// Reading follows nested maps. Setting creates missing maps, replacing values that are not maps (WR-7); setting nil
    /// removes the entry and leaves an emptied parent as `{}`, and has no effect where the parent is missing (WR-8).
    package subscript(path: FieldPathSegments) -> Value? {
        get { self[path.segments[...]] }
        set { set(path.segments[...], to: newValue) }
    }

    private subscript(segments: ArraySlice<String>) -> Value? {
        guard let first = segments.first, let value = self[first] else { return nil }
        if segments.count == 1 { return value }
        guard case .map(let inner) = value else { return nil }
        return inner[segments.dropFirst()]
    }

    private mutating func set(_ segments: ArraySlice<String>, to value: Value?) {
        guard let first = segments.first else { return }
        if segments.count == 1 {
            self[first] = value
            return
        }
        var inner = FieldMap()
        if case .map(let map)? = self[first] {
            inner = map
        } else if value == nil {
            return
        }
        inner.set(segments.dropFirst(), to: value)
        self[first] = .map(inner)
    }

    package func append(to bytes: inout [UInt8], tag: UInt8) {
        var encoded: [UInt8] = []
        for (name, value) in entries {
            encoded.removeAll(keepingCapacity: true)
            value.append(to: &encoded)
            bytes.appendEntry(tag: tag, name: name.utf8, value: encoded)
        }
    }
}

/// Compares UTF-8 bytes: negative, zero or positive. Ids, names and strings are compared by this and never by `String ==`,
/// which merges canonical equivalents (DM-7, VAL-8).
@inlinable
package func compareUTF8(_ left: String, _ right: String) -> Int {
    var left = left
    var right = right
    return left.withUTF8 { left in
        right.withUTF8 { right in compareBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
    }
}

/// Whether two strings have the same bytes.
@inlinable
package func equalUTF8(_ left: String, _ right: String) -> Bool {
    WorkCounter.add()
    return left.utf8.count == right.utf8.count && compareUTF8(left, right) == 0
}
