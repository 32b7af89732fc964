// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

/// What has to be written so that one map becomes another: MP-71, MP-72.
@Suite struct FieldDifferenceTests {
    private static let vector = Value.vector([1, 2])
    private static func map(_ fields: (String, Value)...) -> Value { .map(FieldMap(fields)) }

    /// Before, after, the paths that are sent.
    static let table: [(before: Value, after: Value, mask: [String])] = [
        (map(), map(), []), (map(("a", .integer(1))), map(("a", .integer(1))), []), (map(("a", .integer(1))), map(("a", .integer(2))), ["a"]),
        (map(), map(("a", .null)), ["a"]), (map(("a", .null)), map(), ["a"]), (map(("a", .null)), map(("a", .integer(0))), ["a"]),
        // The stored type matters, and so do the sign of zero and every text's bytes; NaN is NaN.
        (map(("a", .integer(3))), map(("a", .double(3))), ["a"]), (map(("a", .double(0))), map(("a", .double(-0.0))), ["a"]),
        (map(("a", .double(.nan))), map(("a", .double(-Double.nan))), []), (map(("a", .string("e\u{301}"))), map(("a", .string("\u{e9}"))), ["a"]),
        // Names before, between and behind.
        (map(("b", .integer(1)), ("d", .integer(1))), map(("a", .integer(1)), ("b", .integer(1)), ("c", .integer(1)), ("d", .integer(1)), ("e", .integer(1))), ["a", "c", "e"]),
        (map(("a", .integer(1)), ("b", .integer(1)), ("c", .integer(1))), map(("b", .integer(2))), ["a", "b", "c"]),
        (map(("aa", .integer(1))), map(("ab", .integer(1))), ["aa", "ab"]), (map(("a", .integer(1))), map(("ab", .integer(1))), ["a", "ab"]),
        // Maps name by name, at every depth; a map that appears or goes, as a whole.
        (map(("m", map(("x", .integer(1)), ("y", .integer(1))))), map(("m", map(("x", .integer(1)), ("y", .integer(2))))), ["m.y"]),
        (map(("m", map(("n", map(("x", .integer(1)), ("y", .integer(1))))))), map(("m", map(("n", map(("y", .integer(1))))))), ["m.n.x"]),
        (map(("m", map(("x", .integer(1))))), map(("m", map())), ["m.x"]), (map(("m", map())), map(("m", map(("x", .integer(1))))), ["m.x"]),
        (map(), map(("m", map(("x", .integer(1))))), ["m"]), (map(("m", map(("x", .integer(1))))), map(), ["m"]), (map(("m", map())), map(("m", .integer(1))), ["m"]),
        (map(("m", .integer(1))), map(("m", map(("x", .integer(1))))), ["m"]), (map(("m", map())), map(("m", map())), []),
        // Names that are no identifiers are segments, not paths.
        (map(("m", map(("a.b", .integer(1)), ("c", .integer(1))))), map(("m", map(("c", .integer(1))))), ["m.`a.b`"]),
        // Arrays and vectors as a whole.
        (map(("l", .array([.integer(1), map(("x", .integer(1)))]))), map(("l", .array([.integer(1), map(("x", .integer(2)))]))), ["l"]),
        (map(("v", vector)), map(("v", .vector([1, 3]))), ["v"]), (map(("v", vector)), map(("v", map(("x", .integer(1))))), ["v"]),
        (map(("v", map(("x", .integer(1))))), map(("v", vector)), ["v"]), (map(("v", vector)), map(("v", vector)), []),
    ]

    @Test(arguments: table.indices) func `only differences are sent`(row: Int) throws {
        let (before, after, mask) = Self.table[row]
        guard case .map(let old) = before, case .map(let new) = after else { return }
        let difference = FieldDifference(from: FieldBytes(old), to: FieldBytes(new))
        #expect(difference.mask.map(\.canonical) == mask)
        #expect(difference.isEmpty == mask.isEmpty)
        #expect(try apply(difference, to: FieldBytes(old)) == FieldBytes(new))
    }

    @Test func `paths of transforms count as there`() {
        let old = FieldBytes(FieldMap([("a", .integer(1)), ("b", .integer(1)), ("m", .map(FieldMap([("x", .integer(1))])))]))
        let new = FieldBytes(FieldMap([("b", .integer(1)), ("m", .map(FieldMap()))]))
        let kept = [FieldPathSegments("a"), FieldPathSegments(["m", "x"])]
        #expect(FieldDifference(from: old, to: new, keeping: kept).isEmpty)
    }

    /// A naive update: each path of the mask is set to its value, or removed.
    private func apply(_ difference: FieldDifference, to stored: FieldBytes) throws -> FieldBytes {
        var map = try stored.map
        let values = try difference.fields.map
        for path in difference.mask { map[path] = values[path] }
        return FieldBytes(map)
    }

    @Test(arguments: 0..<TestScale.pick(quick: 40, full: 2_000))
    func `an update of the stored document gives the new fields, and preserves fields that neither side knows`(seed: Int) throws {
        var random = RandomFields(seed: UInt64(seed))
        for _ in 0..<25 {
            let old = random.map(depth: 3)
            let new = Bool.random(using: &random.generator) ? random.changed(old) : random.map(depth: 3)
            let (oldBytes, newBytes) = (FieldBytes(old), FieldBytes(new))
            let difference = FieldDifference(from: oldBytes, to: newBytes)
            #expect(difference.isEmpty == (oldBytes == newBytes))
            #expect(try apply(difference, to: oldBytes) == newBytes)
            // The bytes are canonical, and hold the masked paths only.
            #expect(FieldBytes(try difference.fields.map) == difference.fields)
            for (path, next) in zip(difference.mask, difference.mask.dropFirst()) { #expect(path < next && !path.isPrefix(of: next)) }
            for leaf in difference.fields.leafPaths { #expect(difference.mask.contains { $0.isPrefix(of: leaf) }) }
            // A field beside them, at the top and in a map that both have, is untouched.
            var stored = old
            stored["zzz unknown"] = .integer(9)
            var expected = new
            expected["zzz unknown"] = .integer(9)
            if case .map? = old["m"], case .map? = new["m"], old["m"]?.isVector == false, new["m"]?.isVector == false {
                stored[FieldPathSegments(["m", "zzz unknown"])] = .integer(9)
                expected[FieldPathSegments(["m", "zzz unknown"])] = .integer(9)
            }
            #expect(try apply(difference, to: FieldBytes(stored)) == FieldBytes(expected))
        }
    }
}

extension Value {
    fileprivate var isVector: Bool {
        if case .map(let map) = self, case .string("__vector__")? = map["__type__"] { true } else { false }
    }
}

/// Random fields with few names, so that two maps often share some.
private struct RandomFields {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let names = ["a", "ab", "a.b", "b", "m", "é", "longer than eight bytes", "longer than eight bytez", "x"]

    mutating func map(depth: Int) -> FieldMap {
        var result = FieldMap()
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            result[Self.names.randomElement(using: &generator) ?? "a"] = value(depth: depth - 1)
        }
        return result
    }

    mutating func value(depth: Int) -> Value {
        switch Int.random(in: 0...(depth > 0 ? 9 : 6), using: &generator) {
        case 0: .null
        case 1: .boolean(.random(using: &generator))
        case 2: .integer([0, 1, 3, 127, 128, -1, .max].randomElement(using: &generator) ?? 0)
        case 3: .double([0, -0.0, 3, .nan, 0.1].randomElement(using: &generator) ?? 0)
        case 4: .string(String(repeating: "s", count: Int.random(in: 0...200, using: &generator)))
        case 5: .array([.integer(1), .string("é")])
        case 6: .vector([0.5, 1])
        default: .map(map(depth: depth))
        }
    }

    /// The document with a few changes.
    mutating func changed(_ fields: FieldMap) -> FieldMap {
        var result = fields
        for (name, value) in fields.entries where Int.random(in: 0..<3, using: &generator) == 0 {
            if case .map(let inner) = value, !value.isVector {
                result[name] = .map(changed(inner))
            } else {
                result[name] = Bool.random(using: &generator) ? nil : self.value(depth: 1)
            }
        }
        if Bool.random(using: &generator) { result[Self.names.randomElement(using: &generator) ?? "a"] = value(depth: 1) }
        return result
    }
}
