// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Encodes values in unusual ways that every protobuf parser must accept: entries shuffled and repeated, varints
/// longer than needed, unknown fields, messages in several parts, oneofs changed midway, times finer than stored.
struct SloppyEncoder {
    var random: RandomValues

    /// Of 100, how often each of the oddities happens.
    var oddity = 15

    /// Parsers differ in how long a tag or a length they take; five bytes are what its 32 bits may need.
    mutating func varint(_ value: UInt64, longest: Int = 9) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendVarint(value)
        guard random.chance(oddity), bytes.count < longest else { return bytes }
        bytes[bytes.count - 1] |= 0x80
        return bytes + [UInt8](repeating: 0x80, count: random.number(0...(longest - 1 - bytes.count))) + [0]
    }

    mutating func tag(_ number: Int, _ type: UInt64) -> [UInt8] { varint(UInt64(number) << 3 | type, longest: 5) }

    mutating func delimited(_ number: Int, _ content: [UInt8]) -> [UInt8] {
        tag(number, 2) + varint(UInt64(content.count), longest: 5) + content
    }

    /// A field no message here has, of any wire type; among them groups.
    mutating func unknown() -> [UInt8] {
        guard random.chance(oddity) else { return [] }
        let number = random.number(1_000...200_000)
        switch random.number(0...4) {
        case 0: return tag(number, 0) + varint(12_345)
        case 1: return tag(number, 1) + [1, 2, 3, 4, 5, 6, 7, 8]
        case 2: return delimited(number, [9, 8, 7])
        case 3: return tag(number, 3) + tag(7, 0) + varint(1) + tag(8, 3) + tag(8, 4) + tag(number, 4)
        default: return tag(number, 5) + [1, 2, 3, 4]
        }
    }

    mutating func fields(_ map: FieldMap, number: Int) -> [UInt8] {
        var parts: [[UInt8]] = []
        for (name, value) in map.entries.shuffled(using: &random.generator) {
            // Of entries with the same name the last wins.
            if random.chance(oddity) { parts.append(entry(name, .string("overwritten"), number)) }
            parts.append(entry(name, value, number))
        }
        return parts.flatMap { unknown() + $0 } + unknown()
    }

    private mutating func entry(_ name: String, _ value: Value, _ number: Int) -> [UInt8] {
        let key = delimited(1, Array(name.utf8))
        let content = self.value(value)
        var body = random.chance(50) ? key + delimited(2, content) : delimited(2, content) + key
        if random.chance(oddity) {
            // The value in two messages, which are merged; the cut lies between two fields.
            let (first, second) = parts(value)
            body = key + delimited(2, first) + unknown() + delimited(2, second)
        }
        if random.chance(oddity) { body = delimited(1, Array("not this name".utf8)) + body + key }
        return delimited(number, body + unknown())
    }

    /// Two messages that together are the value.
    private mutating func parts(_ value: Value) -> ([UInt8], [UInt8]) {
        switch value {
        case .array(let elements):
            let cut = random.number(0...elements.count)
            return (self.value(.array(Array(elements[..<cut]))), self.value(.array(Array(elements[cut...])), isFirst: false))
        case .map(let map):
            let cut = random.number(0...map.entries.count)
            return (
                self.value(.map(FieldMap(map.entries[..<cut].map { ($0.name, $0.value) }))),
                self.value(.map(FieldMap(map.entries[cut...].map { ($0.name, $0.value) })), isFirst: false)
            )
        default: return (self.value(.boolean(true)), self.value(value))
        }
    }

    mutating func value(_ value: Value, isFirst: Bool = true) -> [UInt8] {
        var bytes = unknown()
        // Another member of the oneof first: the last one wins.
        if isFirst, random.chance(oddity) { bytes += tag(2, 0) + varint(77) }
        switch value {
        case .null: bytes += tag(11, 0) + varint(0)
        case .boolean(let flag): bytes += tag(1, 0) + varint(flag ? 1 : 0)
        case .integer(let number): bytes += tag(2, 0) + varint(UInt64(bitPattern: number))
        case .double(let number):
            // Any NaN will do.
            let bits = number.isNaN ? 0x7FF8_0000_0000_0000 | UInt64(random.number(0...99)) : number.bitPattern
            bytes += tag(3, 1) + withUnsafeBytes(of: bits.littleEndian) { [UInt8]($0) }
        case .timestamp(let time): bytes += timestamp(time)
        case .string(let text): bytes += delimited(17, Array(text.utf8))
        case .bytes(let content): bytes += delimited(18, content)
        case .reference(let name): bytes += delimited(5, Array(name.utf8))
        case .geoPoint(let point): bytes += geoPoint(point)
        case .array(let elements):
            var content: [UInt8] = []
            for element in elements { content += unknown() + delimited(1, self.value(element)) }
            bytes += delimited(9, content)
        case .map(let map): bytes += delimited(6, fields(map, number: 1))
        }
        return bytes + unknown()
    }

    private mutating func timestamp(_ time: TimestampValue) -> [UInt8] {
        let seconds = tag(1, 0) + varint(UInt64(bitPattern: time.seconds))
        let nanoseconds = tag(2, 0) + varint(UInt64(time.nanoseconds) + UInt64(random.number(0...999)))
        switch random.number(0...2) {
        case 0: return delimited(10, seconds + nanoseconds)
        case 1: return delimited(10, tag(1, 0) + varint(5) + nanoseconds + unknown() + seconds)
        default: return delimited(10, nanoseconds) + delimited(10, seconds)
        }
    }

    private mutating func geoPoint(_ point: GeoPointValue) -> [UInt8] {
        let latitude = tag(1, 1) + withUnsafeBytes(of: point.latitude.bitPattern.littleEndian) { [UInt8]($0) }
        let longitude = tag(2, 1) + withUnsafeBytes(of: point.longitude.bitPattern.littleEndian) { [UInt8]($0) }
        return random.chance(50) ? delimited(8, longitude + latitude) : delimited(8, longitude) + delimited(8, latitude)
    }
}
