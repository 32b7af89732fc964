// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore
import TestSupport
import Testing

/// Whatever way a type writes itself, the bytes are the canonical ones, and they read back.
@Suite struct CanonicalBytesTests {
    @Test(arguments: 0..<20)
    func `random documents, written in random ways, are canonical`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<20 {
            let tree = Tree.randomMap(depth: 4, using: &generator)
            let written = WrittenTree(tree: tree, lot: .init(seed: generator.next()))
            let document = try DocumentEncoder.encode(written)
            #expect(document.fields.bytes.array == FieldBytes(tree.fields).bytes.array, "\(tree)")  // R50, R51, R55
            _ = try DocumentCheck.check(document.fields, of: DocumentKey(trusted: "c/d"))
            let read = try DocumentDecoder.decode(Tree.self, from: document.fields)
            #expect(FieldBytes(read.fields) == FieldBytes(tree.normalized.fields))
        }
    }

    @Test func `a map of many fields is sorted by bytes`() throws {
        let names = (0..<1_000).map { "field\($0 * 7919 % 1_000)" }
        let values = Dictionary(uniqueKeysWithValues: names.map { ($0, $0.utf8.count) })
        let expected = FieldMap(values.map { ($0.key, .integer(Int64($0.value))) })
        #expect(try DocumentEncoder.encode(values).fields == FieldBytes(expected))
        #expect(try DocumentDecoder.decode([String: Int].self, from: FieldBytes(expected)) == values)
    }

    @Test(arguments: [24, 25, 26, 50, 333])
    func `many fields, some of them written twice, are sorted, and the last value counts`(count: Int) throws {
        let tree = Tree.map((0..<count).map { ("\(["s", "i", "averylongname"][$0 % 3])\($0)", .integer($0)) })
        let written = WrittenTree(tree: tree, lot: .init(seed: UInt64(count)))
        #expect(try DocumentEncoder.encode(written).fields == FieldBytes(tree.fields))
    }

    @Test func `values around the lengths at which a varint grows`() throws {
        for length in [0, 1, 126, 127, 128, 129, 16_383, 16_384, 70_000] {
            let text = String(repeating: "x", count: length)
            let expected = FieldMap([
                ("list", .array([.string(text)])), ("map", .map(FieldMap([("deep", .map(FieldMap([("t", .string(text))])))]))),
                ("text", .string(text)),
            ])
            struct Model: Codable, Equatable {
                var text: String
                var list: [String]
                var map: [String: [String: String]]
            }
            let model = Model(text: text, list: [text], map: ["deep": ["t": text]])
            let fields = try DocumentEncoder.encode(model).fields
            #expect(fields == FieldBytes(expected))
            #expect(try DocumentDecoder.decode(Model.self, from: fields) == model)
        }
    }

    @Test func `NaN has one form, and minus zero is preserved`() throws {
        var options = EncodingOptions()
        options.nonConformingFloats = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "nan")
        #expect(try DocumentEncoder.encode(["d": Double.nan], options: options).fields == FieldBytes(FieldMap([("d", .string("nan"))])))
        #expect(try DocumentEncoder.encode(["d": -0.0]).fields == FieldBytes(FieldMap([("d", .double(-0.0))])))
        #expect(try DocumentEncoder.encode(["d": -0.0]).fields != FieldBytes(FieldMap([("d", .double(0))])))
    }
}
