// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Builds the bytes of an array, element by element.
struct ArrayBuilder {
    private var body: [UInt8] = []

    var byteCount: Int { body.count }

    /// Nothing becomes null.
    mutating func append(_ value: EvaluatedValue) {
        value.withView { view in append(view) }
    }

    mutating func append(_ view: ValueView) {
        body.append(WireTag.arrayElement)
        body.appendLengthDelimited(view.buffer)
    }

    mutating func append(contentsOf elements: ArrayView) { body.append(contentsOf: elements.bytes) }

    func value() -> EvaluatedValue {
        var bytes = [WireTag.array]
        bytes.reserveCapacity(body.count + 6)
        bytes.appendLengthDelimited(body)
        return EvaluatedValue(ByteSlice(bytes)).bounded
    }
}

/// Builds the bytes of a map from entries in any order. Of several entries with one name the last one counts.
struct MapBuilder {
    /// In insertion order; nil marks a removed entry.
    private var entries: [(name: [UInt8], value: EvaluatedValue)] = []
    /// Whether the names ascend. Most entries come from maps, where they do.
    private var isOrdered = true

    /// The approximate size of the entries that were set.
    private(set) var byteCount = 0

    /// Nothing leaves the entry out, or takes it away.
    mutating func set(_ name: UnsafeRawBufferPointer, _ value: EvaluatedValue) {
        byteCount += name.count + value.weight
        if isOrdered, let last = entries.last {
            let order = last.name.withUnsafeBytes { compareBytes($0, name) }
            if order == 0 { return entries[entries.count - 1].value = value }
            isOrdered = order < 0
        }
        entries.append(([UInt8](name), value))
    }

    /// Sorted by name, each once.
    private var ordered: [(name: [UInt8], value: EvaluatedValue)] {
        if isOrdered { return entries }
        let order = entries.indices.sorted { left, right in
            let order = compare(left, right)
            return order == 0 ? left < right : order < 0
        }
        let last = order.indices.filter { $0 + 1 == order.count || compare(order[$0], order[$0 + 1]) != 0 }
        return last.map { entries[order[$0]] }
    }

    private func compare(_ left: Int, _ right: Int) -> Int {
        entries[left].name.withUnsafeBytes { left in entries[right].name.withUnsafeBytes { right in compareBytes(left, right) } }
    }

    mutating func set(_ name: String, _ value: EvaluatedValue) {
        var name = name
        name.withUTF8 { set(UnsafeRawBufferPointer($0), value) }
    }

    subscript(name: String) -> EvaluatedValue? {
        entries.last { $0.name.elementsEqual(name.utf8) }.flatMap { $0.value.isAbsent ? nil : $0.value }
    }

    /// Adds the entries of a map. `map` owns them.
    mutating func set(_ fields: FieldsView, of map: EvaluatedValue) {
        for (name, view) in fields { set(name, map.part(view)) }
    }

    func value() -> EvaluatedValue {
        var body: [UInt8] = []
        append(to: &body, tag: WireTag.mapEntry)
        var bytes = [WireTag.map]
        bytes.reserveCapacity(body.count + 6)
        bytes.appendLengthDelimited(body)
        return EvaluatedValue(ByteSlice(bytes)).bounded
    }

    /// The entries as the fields of a row.
    func fields() -> ByteSlice {
        var body: [UInt8] = []
        append(to: &body, tag: WireTag.documentEntry)
        return ByteSlice(body)
    }

    private func append(to body: inout [UInt8], tag: UInt8) {
        for (name, value) in ordered where !value.isAbsent {
            value.withView { view in body.appendEntry(tag: tag, name: name, value: view.buffer) }
        }
    }
}

extension EvaluatedValue {
    /// A failure in place of a value that nests too deeply: the order of values calls what is deeper equal.
    var bounded: EvaluatedValue {
        withView { view in view.nests(deeperThan: PipelineLimits.valueDepth) }
            ? .fail("a value nests more than \(PipelineLimits.valueDepth) levels deep") : self
    }
}

extension ValueView {
    func nests(deeperThan levels: Int) -> Bool {
        switch kind {
        case .array:
            guard levels > 0 else { return true }
            return elements?.contains { $0.nests(deeperThan: levels - 1) } ?? false
        case .map:
            guard levels > 0 else { return true }
            return fields?.contains { $0.value.nests(deeperThan: levels - 1) } ?? false
        default: return false
        }
    }
}
