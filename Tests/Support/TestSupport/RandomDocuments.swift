// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents of an invented collection: fields with a type each, some missing, some null, and now and then a fault. The same
/// seed gives the same documents.
package struct RandomDocuments {
    package var documents: [(id: String, fields: FieldMap)] = []
    private var generator: SeededGenerator

    /// The shape of a field's values.
    private indirect enum Shape {
        case boolean, integer, big, double, number, whole, text, word([String]), url, milliseconds, microseconds, far, bytes, geoPoint
        case reference, vector, colour, isoDate, empty, emptyMap, null, timestampMap
        case array(Shape)
        case structure([Field])
        case dictionary(Shape)
        case either(Shape, Shape)
    }

    private struct Field {
        var name: String
        var shape: Shape
        /// In percent.
        var missing: Int
        var nulls: Int
        var faults: Int
    }

    package init(seed: UInt64, count: Int) {
        generator = SeededGenerator(seed: seed)
        let fields = makeFields(most: 12, depth: 0)
        var ids: [String] = []
        for number in 0..<count { ids.append("d\(number)" + letters(3)) }
        for id in ids { documents.append((id, map(fields, depth: 0))) }
    }

    private static let names = [
        "name", "title", "first_name", "firstName", "FirstName", "status", "kind", "id", "createdAt", "updated_at", "home", "size", "tags",
        "default", "class", "self", "init", "Type", "2nd", "🔥", "⭐️", "größe", "名前", "a.b", "with space", "URLPath", "IDs", "price-list",
        "likes", "stock", "stops", "items", "children", "data", "address", "date", "string", "int", "task", "news", "value", "case", "quote\"s",
        "back\\slash", "fields", "description", "hashValue", "encode", "rawValue", "unknown", "codingKeys", "decoder", "container", "x", "y",
    ]

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func letters(_ count: Int) -> String {
        var text = ""
        for _ in 0..<count { text.append(Character(UnicodeScalar(UInt8(97 + below(26))))) }
        return text
    }

    private mutating func makeFields(most: Int, depth: Int) -> [Field] {
        var names: Set<String> = []
        for _ in 0...below(most) { names.insert(below(8) == 0 ? letters(1 + below(9)) : Self.names[below(Self.names.count)]) }
        return names.sorted().map { name in
            let (missing, nulls) = (below(3) == 0 ? below(100) : 0, below(5) == 0 ? below(100) : 0)
            return Field(name: name, shape: makeShape(depth: depth), missing: missing, nulls: nulls, faults: below(6) == 0 ? 2 : 0)
        }
    }

    private mutating func makeShape(depth: Int) -> Shape {
        let choice = below(depth < 3 ? 34 : 22)
        switch choice {
        case 0: return .boolean
        case 1, 2: return .integer
        case 3: return .big
        case 4: return .double
        case 5: return .number
        case 6: return .whole
        case 7: return .text
        case 8, 9:
            var words: [String] = []
            for _ in 0..<(2 + below(5)) { words.append(below(3) == 0 ? letters(4) + " " + letters(3) : letters(1 + below(7))) }
            if below(4) == 0 { words.append(["default", "unknown", "self", "init", "in-progress", "rawValue"][below(6)]) }
            return .word(words)
        case 10: return .url
        case 11: return .milliseconds
        case 12: return .microseconds
        case 13: return .far
        case 14: return .bytes
        case 15: return .geoPoint
        case 16: return .reference
        case 17: return .vector
        case 18: return .colour
        case 19: return .isoDate
        case 20: return below(2) == 0 ? .empty : .emptyMap
        case 21: return below(3) == 0 ? .timestampMap : .null
        case 22...25:
            let element = makeShape(depth: depth + 1)
            // An array or a vector directly in an array cannot be stored.
            switch element {
            case .array, .vector: return .array(.text)
            case .empty: return .empty
            case .either: return .array(.integer)
            default: return .array(element)
            }
        case 26...29: return .structure(makeFields(most: 5, depth: depth + 1))
        case 30, 31: return .dictionary(makeShape(depth: depth + 1))
        default: return .either(makeShape(depth: depth + 1), makeShape(depth: depth + 1))
        }
    }

    private mutating func map(_ fields: [Field], depth: Int) -> FieldMap {
        var map = FieldMap()
        for field in fields where below(100) >= field.missing {
            if below(100) < field.nulls {
                map[field.name] = .null
            } else {
                map[field.name] = below(100) < field.faults ? value(makeShape(depth: 3)) : value(field.shape)
            }
        }
        return map
    }

    private mutating func value(_ shape: Shape) -> Value {
        switch shape {
        case .boolean: return .boolean(below(2) == 0)
        case .integer: return .integer(Int64(below(1_000) - 500))
        case .big: return .integer(Int64.random(in: .min ... .max, using: &generator))
        case .double: return .double(Double(below(100_000)) / 64)
        case .number: return below(2) == 0 ? .integer(Int64(below(100))) : .double(Double(below(1_000)) / 8)
        case .whole: return .double(Double(below(100)))
        case .text: return .string(below(10) == 0 ? "" : letters(1 + below(20)) + (below(5) == 0 ? " é\n" : ""))
        case .word(let words): return .string(words[below(words.count)])
        case .url: return .string("https://\(letters(5)).example/\(letters(3))?q=\(below(100))")
        case .milliseconds: return .timestamp(TimestampValue(microsecondsSince1970: Int64(below(2_000_000_000)) * 1_000_000 + Int64(below(1_000)) * 1_000))
        case .microseconds: return .timestamp(TimestampValue(microsecondsSince1970: Int64(below(2_000_000_000)) * 1_000_000 + Int64(below(1_000_000))))
        case .far: return .timestamp(TimestampValue(seconds: 253_000_000_000 + Int64(below(1_000_000)), nanoseconds: Int32(below(1_000_000)) * 1_000))
        case .bytes:
            var bytes: [UInt8] = []
            for _ in 0..<below(9) { bytes.append(UInt8(below(256))) }
            return .bytes(bytes)
        case .geoPoint: return .geoPoint(GeoPointValue(latitude: Double(below(180)) - 90, longitude: Double(below(3_600)) / 10 - 180))
        case .reference: return .reference("projects/demo-hearth/databases/(default)/documents/\(["users", "authors"][below(2)])/\(letters(4))")
        case .vector:
            var components: [Double] = []
            for _ in 0..<(1 + below(4)) { components.append(Double(below(100)) / 4) }
            return .vector(components)
        case .colour: return .string("#\(["FF8800", "0A0", "12345678"][below(3)])")
        case .isoDate: return .string("2024-0\(1 + below(9))-1\(below(10))")
        case .empty: return .array([])
        case .emptyMap: return .map(FieldMap())
        case .null: return .null
        case .timestampMap: return .map(FieldMap([("nanoseconds", .integer(Int64(below(1_000)))), ("seconds", .integer(Int64(below(1_000_000))))]))
        case .array(let element):
            var elements: [Value] = []
            for _ in 0..<below(5) { elements.append(below(12) == 0 ? .null : value(element)) }
            return .array(elements)
        case .structure(let fields): return .map(map(fields, depth: 1))
        case .dictionary(let shape):
            var map = FieldMap()
            for _ in 0..<below(6) { map[String(1_000 + below(4_000))] = value(shape) }
            return .map(map)
        case .either(let first, let second): return value(below(3) == 0 ? second : first)
        }
    }
}
