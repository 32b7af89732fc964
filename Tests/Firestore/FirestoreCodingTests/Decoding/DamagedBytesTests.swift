// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// Bytes that no encoder wrote: reading them answers or throws, and never reads past the end.
@Suite struct DamagedBytesTests {
    struct Model: Codable {
        var title: String?
        var page: Int?
        var a: [Double]?
        var b: [String]?
        var ab: [String: Tree2]?
        var abc: Date?
        var titles: Data?
        struct Tree2: Codable { var a: Bool? }
    }

    private func read(_ bytes: [UInt8]) {
        let fields = FieldBytes(canonical: ByteSlice(bytes))
        _ = try? DocumentDecoder.decode(Tree.self, from: fields)
        _ = try? DocumentDecoder.decode(Model.self, from: fields)
        _ = try? DocumentDecoder.decode([String: [Double]].self, from: fields)
        _ = try? DocumentDecoder.decode([String: Model].self, from: fields)
        var options = DecodingOptions()
        options.keys = .convertFromSnakeCase
        _ = try? DocumentDecoder.decode(Model.self, from: fields, options: options)
    }

    @Test(arguments: 0..<6)
    func `cut off or changed at any byte`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(1_000 + seed))
        let tree = Tree.randomMap(depth: 3, using: &generator)
        let bytes = FieldBytes(tree.fields).bytes.array
        for end in 0..<bytes.count where bytes.count < 150 || end % 11 == 0 { read(Array(bytes[..<end])) }
        for _ in 0..<60 where !bytes.isEmpty {
            var changed = bytes
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                changed[Int.random(in: 0..<changed.count, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
            read(changed)
        }
    }

    @Test func `a document that ends in the middle is corrupted data, not a missing field`() throws {
        let bytes = FieldBytes(FieldMap([("a", .integer(1)), ("title", .string("a long enough text"))])).bytes.array
        let cut = FieldBytes(canonical: ByteSlice(Array(bytes.dropLast(4))))
        do {
            _ = try DocumentDecoder.decode(Model.self, from: cut, documentPath: "books/b1")
            Issue.record("no error")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.debugDescription.contains("books/b1"))
            #expect(!context.debugDescription.contains("long enough"))
        }
    }
}
