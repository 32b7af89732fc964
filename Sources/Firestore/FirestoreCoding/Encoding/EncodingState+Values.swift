// SPDX-License-Identifier: Apache-2.0
import Foundation
import FirestoreCore

/// Single values in their final form.
extension EncodingState {
    @inline(__always)
    func writeNil(at place: WritePlace) throws(WriteFailure) {
        var cursor = try reserve(2, at: place)
        cursor.put(WireTag.null)
        cursor.put(0)
    }

    @inline(__always)
    func write(_ value: Bool, at place: WritePlace) throws(WriteFailure) {
        var cursor = try reserve(2, at: place)
        cursor.put(WireTag.boolean)
        cursor.put(value ? 1 : 0)
    }

    @inline(__always)
    func write(_ value: some FixedWidthInteger, at place: WritePlace) throws(WriteFailure) {
        guard let number = Int64(exactly: value) else { return try writeOverflow(value, at: place) }
        let bits = UInt64(bitPattern: number)
        var cursor = try reserve(1 + varintLength(bits), at: place)
        cursor.put(WireTag.integer)
        cursor.putVarint(bits)
    }

    /// Numbers above `Int64.max`: an error in a document (R13), an object in a structure.
    private func writeOverflow(_ value: some FixedWidthInteger, at place: WritePlace) throws(WriteFailure) {
        guard !followsFirestoreRules, let number = UInt64(exactly: value) else { throw .outsideInt64("\(value)") }
        try write(object: NSNumber(value: number), at: place)
    }

    @inline(__always)
    func write(_ value: Double, at place: WritePlace) throws(WriteFailure) {
        guard value.isFinite else { return try writeNonConforming(value, at: place) }
        try write(exactly: value, at: place)
    }

    /// Also NaN and the infinities, whatever the strategy says.
    @inline(__always)
    func write(exactly value: Double, at place: WritePlace) throws(WriteFailure) {
        var cursor = try reserve(9, at: place)
        cursor.put(WireTag.double)
        cursor.putDouble(value)
    }

    /// A NaN or an infinity as a string, or an error, according to the strategy (R18).
    private func writeNonConforming(_ value: Double, at place: WritePlace) throws(WriteFailure) {
        guard case .convertToString(let positive, let negative, let nan) = options.nonConformingFloats else {
            throw .nonConformingFloat
        }
        try write(value.isNaN ? nan : value > 0 ? positive : negative, at: place)
    }

    func write(_ value: String, at place: WritePlace) throws(WriteFailure) {
        var value = value
        let length = value.utf8.count
        var cursor = try reserve(2 + varintLength(UInt64(length)) + length, at: place)
        cursor.put(WireTag.string)
        cursor.put(WireTag.longTagSuffix)
        cursor.putVarint(UInt64(length))
        value.withUTF8 { memmoveBytes(cursor, $0.baseAddress, $0.count) }
    }

    func write(_ value: Data, at place: WritePlace) throws(WriteFailure) {
        var cursor = try reserve(2 + varintLength(UInt64(value.count)) + value.count, at: place)
        cursor.put(WireTag.bytes)
        cursor.put(WireTag.longTagSuffix)
        cursor.putVarint(UInt64(value.count))
        value.withUnsafeBytes { memmoveBytes(cursor, $0.baseAddress, $0.count) }
    }

    func write(_ value: TimestampValue, at place: WritePlace) throws(WriteFailure) {
        guard value.isValid else { throw .timestampRange }
        let stored = options.destination == .document ? value.truncatedToMicroseconds : value
        let length = stored.encodedLength
        var cursor = try reserve(2 + length, at: place)
        cursor.put(WireTag.timestamp)
        cursor.put(UInt8(length))
        if stored.seconds != 0 {
            cursor.put(WireTag.seconds)
            cursor.putVarint(UInt64(bitPattern: stored.seconds))
        }
        if stored.nanoseconds != 0 {
            cursor.put(WireTag.nanoseconds)
            cursor.putVarint(UInt64(stored.nanoseconds))
        }
    }

    func write(_ value: GeoPointValue, at place: WritePlace) throws(WriteFailure) {
        guard value.isValid else { throw .geoPointRange }
        try write(encoded: .geoPoint(value), at: place)
    }

    func write(reference name: String, at place: WritePlace) throws(WriteFailure) {
        try write(encoded: .reference(name), at: place)
    }

    func write(vector components: [Double], at place: WritePlace) throws(WriteFailure) {
        try write(encoded: .vector(components), at: place)
    }

    /// For values too rare for a separate method.
    func write(encoded value: Value, at place: WritePlace) throws(WriteFailure) {
        var encoded: [UInt8] = []
        value.append(to: &encoded)
        let cursor = try reserve(encoded.count, at: place)
        encoded.withUnsafeBytes { memmoveBytes(cursor, $0.baseAddress, $0.count) }
    }

    /// Only in structures: an object that has no form as bytes is stored separately and referenced by number.
    func write(object: Any, at place: WritePlace) throws(WriteFailure) {
        guard let objects = options.objects else { throw .notCurrent }
        try write(reference: objects.add(object), at: place)
    }

    // MARK: Arrays of scalars

    @inline(__always)
    func writeArray(
        at place: WritePlace, bodyLength: Int, fill: (inout UnsafeMutableRawPointer) -> Void
    ) throws(WriteFailure) {
        try checkArray(at: place)
        var cursor = try reserve(1 + varintLength(UInt64(bodyLength)) + bodyLength, at: place)
        cursor.put(WireTag.array)
        cursor.putVarint(UInt64(bodyLength))
        fill(&cursor)
    }

    private func checkArray(at place: WritePlace) throws(WriteFailure) {
        guard followsFirestoreRules else { return }
        let outer: UnsafeMutablePointer<EncodingFrame>
        switch place {
        case .entry, .element: outer = top
        case .single: outer = frameCount > 1 ? top - 1 : top
        }
        if outer.pointee.kind == .unkeyed || (outer.pointee.kind == .holder && origin.isArrayElement) {
            throw .nestedArray
        }
        guard outer.pointee.depth < Limits.nestingLevels else { throw .tooDeep }
    }

    func write(_ values: [Double], at place: WritePlace) throws(WriteFailure) {
        try writeArray(at: place, bodyLength: values.count * 11) { cursor in
            for value in values {
                cursor.put(WireTag.arrayElement)
                cursor.put(9)
                cursor.put(WireTag.double)
                cursor.putDouble(value)
            }
        }
    }

    func write(_ values: [Int], at place: WritePlace) throws(WriteFailure) {
        var length = 0
        for value in values { length += 3 + varintLength(UInt64(bitPattern: Int64(value))) }
        try writeArray(at: place, bodyLength: length) { cursor in
            for value in values {
                let bits = UInt64(bitPattern: Int64(value))
                cursor.put(WireTag.arrayElement)
                cursor.put(UInt8(1 + varintLength(bits)))
                cursor.put(WireTag.integer)
                cursor.putVarint(bits)
            }
        }
    }

    func write(_ values: [Bool], at place: WritePlace) throws(WriteFailure) {
        try writeArray(at: place, bodyLength: values.count * 4) { cursor in
            for value in values {
                cursor.put(WireTag.arrayElement)
                cursor.put(2)
                cursor.put(WireTag.boolean)
                cursor.put(value ? 1 : 0)
            }
        }
    }

    func write(_ values: [String], at place: WritePlace) throws(WriteFailure) {
        var length = 0
        for value in values {
            let inner = EncodingState.stringLength(value.utf8.count)
            length += 1 + varintLength(UInt64(inner)) + inner
        }
        try writeArray(at: place, bodyLength: length) { cursor in
            for value in values {
                var value = value
                value.withUTF8 { utf8 in
                    cursor.put(WireTag.arrayElement)
                    cursor.putVarint(UInt64(EncodingState.stringLength(utf8.count)))
                    cursor.put(WireTag.string)
                    cursor.put(WireTag.longTagSuffix)
                    cursor.putVarint(UInt64(utf8.count))
                    memmoveBytes(cursor, utf8.baseAddress, utf8.count)
                    cursor += utf8.count
                }
            }
        }
    }

    @inline(__always)
    private static func stringLength(_ count: Int) -> Int { 2 + varintLength(UInt64(count)) + count }
}
