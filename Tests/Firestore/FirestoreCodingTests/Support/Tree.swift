// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport

/// Any data, for random documents. Encodes itself in as many ways as a type can.
enum Tree: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case double(Double)
    case text(String)
    case list([Tree])
    case map([(name: String, value: Tree)])

    /// Names that meet at their first bytes, at eight bytes, and across normalization.
    static let names = [
        "a", "b", "ab", "abc", "title", "titles", "pageCount", "page", "eightby", "eightbyt", "eightbyte", "eightbytf",
        "é", "e\u{301}", "\u{FF5E}", "🌉", "_x", "x_", "a.b", "0", "10", "2", "averyveryverylongnameofafield", "Z",
    ]

    static func random(depth: Int, insideArray: Bool = false, using generator: inout SeededGenerator) -> Tree {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int.random(in: -200...200, using: &generator))
        case 3: return .integer(Int(truncatingIfNeeded: generator.next()))
        case 4: return .double(Double(Int.random(in: -5...5, using: &generator)) / 4)
        case 5: return .text((0..<Int.random(in: 0...40, using: &generator)).map { _ in ["x", "é", "🌉"].randomElement(using: &generator) ?? "" }.joined())
        case 6 where !insideArray:
            return .list((0..<Int.random(in: 0...5, using: &generator)).map { _ in random(depth: depth - 1, insideArray: true, using: &generator) })
        default: return randomMap(depth: depth - 1, using: &generator)
        }
    }

    static func randomMap(depth: Int, using generator: inout SeededGenerator) -> Tree {
        let names = names.shuffled(using: &generator).prefix(Int.random(in: 0...12, using: &generator))
        return .map(names.map { ($0, random(depth: depth, using: &generator)) })
    }

    var value: Value {
        switch self {
        case .null: .null
        case .bool(let value): .boolean(value)
        case .integer(let value): .integer(Int64(value))
        case .double(let value): .double(value)
        case .text(let value): .string(value)
        case .list(let values): .array(values.map(\.value))
        case .map: .map(fields)
        }
    }

    /// The entries of a map.
    var fields: FieldMap {
        guard case .map(let entries) = self else { return FieldMap() }
        return FieldMap(entries.map { ($0.name, $0.value.value) })
    }

    /// What survives a decoder that takes numbers by value: integral doubles are integers.
    var normalized: Tree {
        switch self {
        case .double(let value): Int(exactly: value).map { .integer($0) } ?? self
        case .list(let values): .list(values.map(\.normalized))
        case .map(let entries): .map(entries.map { ($0.name, $0.value.normalized) })
        default: self
        }
    }
}

struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension Tree: Decodable {
    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            self = .map(try container.allKeys.map { ($0.stringValue, try container.decode(Tree.self, forKey: $0)) })
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var values: [Tree] = []
            while !container.isAtEnd { values.append(try container.decode(Tree.self)) }
            self = .list(values)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}
