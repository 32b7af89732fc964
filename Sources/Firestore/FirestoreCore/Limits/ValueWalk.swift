// SPDX-License-Identifier: Apache-2.0

/// The recursion of `DocumentCheck`: every function returns the storage size of the checked value.
///
/// `level` counts the maps and arrays around a value (DM-27), which also bounds the recursion.
enum ValueWalk {
    static func entries(_ bytes: UnsafeRawBufferPointer, tag: UInt8, level: Int) throws(DocumentViolation) -> Int {
        var reader = WireReader(bytes)
        var previous: UnsafeRawBufferPointer?
        var size = 0
        while !reader.isAtEnd {
            guard reader.byte() == tag, let body = reader.canonicalBytes() else { throw DocumentViolation(.malformed) }
            var inner = WireReader(body)
            guard inner.byte() == WireTag.entryKey, let name = inner.canonicalBytes(),
                inner.byte() == WireTag.entryValue, let value = inner.canonicalBytes(), inner.isAtEnd
            else { throw DocumentViolation(.malformed) }
            if let previous, compareBytes(previous, name) >= 0 { throw DocumentViolation(.unsorted).inside(name) }
            previous = name
            if let violation = NameRules.fieldName(name) { throw DocumentViolation(.name(violation)).inside(name) }
            guard isValidUTF8(name) else { throw DocumentViolation(.name(.invalidUTF8)).inside(name) }
            do {
                size += name.count + 1 + (try self.value(ValueView(value), level: level))
            } catch {
                throw error.inside(name)
            }
        }
        return size
    }

    static func value(_ view: ValueView, level: Int) throws(DocumentViolation) -> Int {
        guard var reader = WireReader(behindTagOf: view) else { throw DocumentViolation(.malformed) }
        switch view.kind {
        case .null:
            guard reader.byte() == 0, reader.isAtEnd else { throw DocumentViolation(.malformed) }
            return 1
        case .boolean:
            guard let byte = reader.byte(), byte <= 1, reader.isAtEnd else { throw DocumentViolation(.malformed) }
            return 1
        case .integer:
            guard reader.canonicalVarint() != nil, reader.isAtEnd else { throw DocumentViolation(.malformed) }
            return 8
        case .double:
            guard let bits = reader.fixed64(), reader.isAtEnd, isCanonical(Double(bitPattern: bits)) else {
                throw DocumentViolation(.malformed)
            }
            return 8
        case .string:
            let text = try payload(&reader)
            guard isValidUTF8(text) else { throw DocumentViolation(.utf8) }
            return text.count + 1
        case .bytes: return try payload(&reader).count
        case .reference:
            let name = try payload(&reader)
            guard isValidUTF8(name), let reference = ReferenceName(name) else { throw DocumentViolation(.reference) }
            return StorageSize.name(ofPath: reference.path)
        case .timestamp: return try timestamp(payload(&reader))
        case .geoPoint: return try geoPoint(payload(&reader))
        case .array: return try array(payload(&reader, isContainer: true), level: level + 1)
        case .map: return try map(payload(&reader, isContainer: true), level: level)
        case .malformed: throw DocumentViolation(.malformed)
        }
    }

    /// The rest of the value: a length and exactly that many bytes.
    private static func payload(
        _ reader: inout WireReader, isContainer: Bool = false
    ) throws(DocumentViolation) -> UnsafeRawBufferPointer {
        guard let bytes = reader.canonicalBytes(), reader.isAtEnd else { throw DocumentViolation(.malformed) }
        guard isContainer || bytes.count <= Limits.valueBytes else { throw DocumentViolation(.tooLong) }
        return bytes
    }

    private static func array(_ bytes: UnsafeRawBufferPointer, level: Int) throws(DocumentViolation) -> Int {
        guard level <= Limits.nestingLevels else { throw DocumentViolation(.tooDeep) }
        var reader = WireReader(bytes)
        var size = 0
        var index = 0
        while !reader.isAtEnd {
            guard reader.byte() == WireTag.arrayElement, let element = reader.canonicalBytes() else {
                throw DocumentViolation(.malformed).inside(index)
            }
            let view = ValueView(element)
            guard view.kind != .array else { throw DocumentViolation(.arrayInArray).inside(index) }
            // Like the service and the emulator, rejects vectors inside arrays.
            guard view.vector == nil else { throw DocumentViolation(.vectorInArray).inside(index) }
            do { size += try value(view, level: level) } catch { throw error.inside(index) }
            index += 1
        }
        return size
    }

    private static func map(_ bytes: UnsafeRawBufferPointer, level: Int) throws(DocumentViolation) -> Int {
        if let components = vectorComponents(bytes) { return try vector(components) }
        guard level < Limits.nestingLevels else { throw DocumentViolation(.tooDeep) }
        return try entries(bytes, tag: WireTag.mapEntry, level: level + 1)
    }

    private static func isCanonical(_ double: Double) -> Bool {
        !double.isNaN || double.bitPattern == Double.nan.bitPattern
    }
}

extension ValueWalk {
    /// The first entry of every vector: `__type__` = `"__vector__"`.
    private static let vectorMarker: [UInt8] = {
        var value: [UInt8] = []
        Value.string("__vector__").append(to: &value)
        var entry: [UInt8] = []
        entry.appendEntry(tag: WireTag.mapEntry, name: "__type__".utf8, value: value)
        return entry
    }()

    /// The `value` of a map that is exactly `__type__` = `"__vector__"` and `value`.
    ///
    /// Any other map with a `__type__` is rejected by the rule of reserved names.
    private static func vectorComponents(_ bytes: UnsafeRawBufferPointer) -> ArrayView? {
        guard bytes.starts(with: vectorMarker) else { return nil }
        var reader = WireReader(UnsafeRawBufferPointer(rebasing: bytes[vectorMarker.count...]))
        guard reader.byte() == WireTag.mapEntry, let entry = reader.canonicalBytes(), reader.isAtEnd else { return nil }
        var inner = WireReader(entry)
        guard inner.byte() == WireTag.entryKey, let name = inner.canonicalBytes(), name.elementsEqual("value".utf8),
            inner.byte() == WireTag.entryValue, let value = inner.canonicalBytes(), inner.isAtEnd,
            ValueView(value).kind == .array, var elements = WireReader(behindTagOf: ValueView(value)),
            let components = elements.canonicalBytes(), elements.isAtEnd
        else { return nil }
        return ArrayView(components)
    }

    private static func vector(_ components: ArrayView) throws(DocumentViolation) -> Int {
        var reader = WireReader(components.bytes)
        var count = 0
        while !reader.isAtEnd {
            guard reader.byte() == WireTag.arrayElement, let element = reader.canonicalBytes() else {
                throw DocumentViolation(.malformed)
            }
            guard ValueView(element).kind == .double else { throw DocumentViolation(.vectorComponent).inside(count) }
            do { _ = try value(ValueView(element), level: 0) } catch { throw error.inside(count) }
            count += 1
        }
        guard count <= Limits.vectorDimensions else { throw DocumentViolation(.vectorDimensions(count)) }
        return count * 8
    }

    private static func timestamp(_ bytes: UnsafeRawBufferPointer) throws(DocumentViolation) -> Int {
        var reader = WireReader(bytes)
        var parts: (seconds: Int64, nanoseconds: Int32) = (0, 0)
        var last: UInt8 = 0
        while let tag = reader.byte() {
            // In order, at most once, never zero.
            guard tag > last, let number = reader.canonicalVarint(), number != 0 else {
                throw DocumentViolation(.malformed)
            }
            last = tag
            switch tag {
            case WireTag.seconds: parts.seconds = Int64(bitPattern: number)
            case WireTag.nanoseconds:
                guard number < 1_000_000_000 else { throw DocumentViolation(.timestamp) }
                parts.nanoseconds = Int32(number)
            default: throw DocumentViolation(.malformed)
            }
        }
        let timestamp = TimestampValue(seconds: parts.seconds, nanoseconds: parts.nanoseconds)
        guard timestamp.isValid else { throw DocumentViolation(.timestamp) }
        guard timestamp.truncatedToMicroseconds == timestamp else { throw DocumentViolation(.malformed) }
        return 8
    }

    private static func geoPoint(_ bytes: UnsafeRawBufferPointer) throws(DocumentViolation) -> Int {
        var reader = WireReader(bytes)
        var point = GeoPointValue(latitude: 0, longitude: 0)
        var last: UInt8 = 0
        while let tag = reader.byte() {
            guard tag > last, let bits = reader.fixed64(), bits != 0 else { throw DocumentViolation(.malformed) }
            last = tag
            switch tag {
            case WireTag.latitude: point.latitude = Double(bitPattern: bits)
            case WireTag.longitude: point.longitude = Double(bitPattern: bits)
            default: throw DocumentViolation(.malformed)
            }
        }
        guard point.isValid else { throw DocumentViolation(.geoPoint) }
        return 16
    }
}

extension WireReader {
    init(_ bytes: UnsafeRawBufferPointer) {
        // Empty bytes may come without an address; then nothing is read from this one.
        let start = ValueView(bytes).start
        self.init(position: start, end: start + bytes.count)
    }

    /// After the tag of a value, which has one or two bytes.
    fileprivate init?(behindTagOf view: ValueView) {
        guard view.count >= 2 else { return nil }
        switch view.start.load(as: UInt8.self) {
        case WireTag.string, WireTag.bytes:
            guard view.start.load(fromByteOffset: 1, as: UInt8.self) == WireTag.longTagSuffix else { return nil }
            self.init(position: view.start + 2, end: view.end)
        default: self.init(position: view.start + 1, end: view.end)
        }
    }

    /// A varint in its shortest form.
    fileprivate mutating func canonicalVarint() -> UInt64? {
        let start = position
        guard let number = varint(), position - start == varintLength(number) else { return nil }
        return number
    }

    fileprivate mutating func canonicalBytes() -> UnsafeRawBufferPointer? {
        guard let length = canonicalVarint(), length <= UInt64(end - position) else { return nil }
        defer { position += Int(length) }
        return UnsafeRawBufferPointer(start: position, count: Int(length))
    }
}
