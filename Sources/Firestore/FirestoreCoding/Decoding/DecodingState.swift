// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The shared state of one decoding call: the owner of the bytes, the options, and the position of the last field.
///
/// Containers retain the state and the state retains the bytes, so a container that outlives the call does not read
/// freed memory. Nothing else outlives the call (R5).
final class DecodingState {
    let owner: ByteSlice
    /// nil if all options have their defaults, as in nearly every call, which then costs nothing.
    private let customOptions: DecodingOptions?
    let usesDefaultKeys: Bool
    /// Only for a standalone `FirebaseDataDecoder`: objects that have no form as bytes.
    let objects: StructureObjects?
    /// The path of the document, for messages; nil for other values.
    let documentPath: String?
    /// The document's reference, for `@DocumentID`.
    let documentReference: AnyObject?
    /// An object of the caller that its types find in the decoder.
    let companion: AnyObject?
    /// Records requests and failures; nil except in audits.
    let audit: DecodingAudit?
    /// The value that the call decodes.
    let root: DecodingSlot
    @exclusivity(unchecked) var isRootExemptFromKeyStrategy = false
    /// The map of the document, once a keyed container was requested.
    @exclusivity(unchecked) var map = DecodedMap()
    /// Set when the bytes end inside a value.
    @exclusivity(unchecked) var isDamaged = false

    /// The map of the last field, and the position after that field: types mostly request fields in order.
    @exclusivity(unchecked) private var hintedMap: UnsafeRawPointer?
    @exclusivity(unchecked) private var hint: UnsafeRawPointer?

    init(
        owner: ByteSlice, root: DecodingSlot, options: DecodingOptions?, documentPath: String?,
        documentReference: AnyObject?, companion: AnyObject? = nil, audit: DecodingAudit? = nil
    ) {
        self.root = root
        self.owner = owner
        customOptions = options
        objects = options?.objects
        self.documentPath = documentPath
        self.documentReference = documentReference
        self.companion = companion
        self.audit = audit
        if let options {
            if case .useDefaultKeys = options.keys { usesDefaultKeys = true } else { usesDefaultKeys = false }
        } else {
            usesDefaultKeys = true
        }
    }

    var options: DecodingOptions { customOptions ?? DecodingOptions() }
    var hasOptions: Bool { customOptions != nil }
    var dates: FirebaseDataDecoder.DateDecodingStrategy { customOptions?.dates ?? .timestamp }

    /// The content of `userInfo`: the caller's entries and the reference (R58, R73). Made only when requested.
    var userInfo: [CodingUserInfoKey: Any] {
        var result = options.userInfo
        if let key = CodingUserInfoKey.documentReference, let documentReference { result[key] = documentReference }
        return result
    }

    /// The value of a field, searched after the last field first, then from the start.
    @inline(__always)
    func find(_ key: String, in fields: FieldsView) -> ValueView? {
        var key = key
        return key.withUTF8 { find(UnsafeRawBufferPointer($0), in: fields) }
    }

    func find(_ name: UnsafeRawBufferPointer, in fields: FieldsView) -> ValueView? {
        guard let start = fields.bytes.baseAddress else { return nil }
        let end = start + fields.bytes.count
        let name = SoughtName(name)
        var begin = start
        if hintedMap == start, let hint { begin = hint }
        if let value = find(name, from: begin, to: end, in: start) { return value }
        return begin == start ? nil : find(name, from: start, to: begin, in: start)
    }

    @inline(__always)
    private func find(
        _ name: SoughtName, from begin: UnsafeRawPointer, to end: UnsafeRawPointer, in map: UnsafeRawPointer
    ) -> ValueView? {
        var position = begin
        while true {
            position = name.skippingOthers(from: position, to: end, like: map)
            guard position < end else { return nil }
            let entry: (name: UnsafeRawBufferPointer, value: ValueView)
            if let short = Self.shortEntry(position, end) {
                position = short.value.end
                entry = short
            } else {
                var reader = WireReader(position: position, end: end)
                guard let long = reader.entry() else {
                    isDamaged = true
                    return nil
                }
                position = reader.position
                entry = long
            }
            if entry.name.count == name.bytes.count, compareBytes(entry.name, name.bytes) == 0 {
                hintedMap = map
                hint = position
                return entry.value
            }
        }
    }

    /// An entry of less than 128 bytes, as most are, so that each of its lengths is one byte; nil for any other.
    ///
    ///     12 0D · 0A 05 t i t l e · 12 04 · 8A 01 02 H i
    @inline(__always)
    private static func shortEntry(
        _ start: UnsafeRawPointer, _ end: UnsafeRawPointer
    ) -> (name: UnsafeRawBufferPointer, value: ValueView)? {
        guard end - start >= 6 else { return nil }
        let length = Int(start.load(fromByteOffset: 1, as: UInt8.self))
        let nameCount = Int(start.load(fromByteOffset: 3, as: UInt8.self))
        let valueCount = length - nameCount - 4
        let tag = start.load(as: UInt8.self)
        guard length < 0x80, length <= end - start - 2, valueCount >= 0,
            tag == WireTag.mapEntry || tag == WireTag.documentEntry,
            start.load(fromByteOffset: 2, as: UInt8.self) == WireTag.entryKey
        else { return nil }
        let name = start + 4
        let value = name + nameCount
        guard value.load(as: UInt8.self) == WireTag.entryValue,
            Int(value.load(fromByteOffset: 1, as: UInt8.self)) == valueCount
        else { return nil }
        return (
            UnsafeRawBufferPointer(start: name, count: nameCount),
            ValueView(UnsafeRawBufferPointer(start: value + 2, count: valueCount))
        )
    }
}

/// A name to look for. Its first eight bytes are compared as one little-endian word.
private struct SoughtName {
    let bytes: UnsafeRawBufferPointer
    private let word: UInt64
    private let mask: UInt64

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        let count = bytes.count
        mask = count < 8 ? ~(~0 << UInt64(8 * count)) : ~0
        // Overlapping halves: a copy byte by byte delays the processor when it reads them as one word.
        func part<Part: FixedWidthInteger & UnsignedInteger>(_ type: Part.Type, at offset: Int) -> UInt64 {
            UInt64(Part(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))) << UInt64(8 * offset)
        }
        switch count {
        case 8...: word = part(UInt64.self, at: 0)
        case 4...: word = part(UInt32.self, at: 0) | part(UInt32.self, at: count - 4)
        case 2...: word = part(UInt16.self, at: 0) | part(UInt16.self, at: count - 2)
        case 1: word = part(UInt8.self, at: 0)
        default: word = 0
        }
    }

    /// The position after the entries that are short and certainly have another name, as most are. All have the tag of the first one.
    @inline(__always)
    func skippingOthers(
        from start: UnsafeRawPointer, to end: UnsafeRawPointer, like first: UnsafeRawPointer
    ) -> UnsafeRawPointer {
        var position = start
        // The tag, the length, the tag of the name and its length, then the name and, if that is short, the value.
        while end - position >= 12 {
            let header = UInt32(littleEndian: position.loadUnaligned(as: UInt32.self))
            let length = Int(header >> 8 & 0xFF)
            let tags = UInt32(WireTag.entryKey) << 16 | UInt32(first.load(as: UInt8.self))
            guard header & 0xFF_80FF == tags, length <= end - position - 2 else { break }
            if Int(header >> 24) == bytes.count {
                guard UInt64(littleEndian: (position + 4).loadUnaligned(as: UInt64.self)) & mask != word else { break }
            }
            position += 2 + length
        }
        return position
    }
}

/// A value below the document: its key and its content. A list that grows at its end, so paths are never copied; the
/// decoder of a nested value consists only of a node and the state.
final class DecodingNode {
    let parent: DecodingNode?
    let key: any CodingKey
    let slot: DecodingSlot
    /// Whether the keys are those of a `[String: T]`, to which the key strategy does not apply (R67).
    var isExemptFromKeyStrategy = false
    /// The map, once a keyed container was requested.
    @exclusivity(unchecked) var map = DecodedMap()

    init(_ parent: DecodingNode?, _ key: any CodingKey, _ slot: DecodingSlot) {
        self.parent = parent
        self.key = key
        self.slot = slot
    }

    static func path(_ node: DecodingNode?) -> [any CodingKey] {
        var result: [any CodingKey] = []
        var next = node
        while let current = next {
            result.append(current.key)
            next = current.parent
        }
        return result.reversed()
    }
}

/// The map that a keyed container reads, with its fields under converted names if there is a key strategy.
struct DecodedMap {
    var fields = FieldsView(UnsafeRawBufferPointer(start: nil, count: 0))
    var renamed: RenamedFields?
}

enum DecodingSlot {
    /// The document itself.
    case fields(FieldsView)
    case value(ValueView)
    /// A document that does not exist, or a missing field.
    case nothing
}

/// A location in a document: a path, and optionally a key below it. Costs nothing until an error needs it.
struct DecodingPlace {
    let node: DecodingNode?
    /// nil: the node itself.
    var key: (any CodingKey)?

    var codingPath: [any CodingKey] { DecodingNode.path(node) + (key.map { [$0] } ?? []) }
}
