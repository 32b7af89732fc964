// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSchema

/// Trees of documents: the order of reading, parts and bounds (MP-13, MP-14, MP-80).
struct TreeTests {
    static func random(_ seed: UInt64, count: Int = 120) -> [TestDocument] {
        RandomDocuments(seed: seed, count: count).documents.map { document in
            TestDocument(document.id, Dictionary(uniqueKeysWithValues: document.fields.entries.map { ($0.name, $0.value) }))
        }
    }

    private func json(_ tree: SchemaTree) -> String { SchemaFile(collection: "c", isGroup: false, tree: tree).json.text(.indented) }

    // MP-14, MP row T41
    @Test(arguments: 0..<TestScale.pick(quick: 15, full: 400))
    func `the order of documents changes nothing`(seed: Int) throws {
        let documents = Self.random(UInt64(seed))
        var generator = SeededGenerator(seed: UInt64(seed) + 1_000)
        let (one, other) = (try tree(documents), try tree(documents.shuffled(using: &generator)))
        #expect(json(one) == json(other))
        let printer = SwiftPrinter()
        #expect(printer.text(one, collection: "c") == printer.text(other, collection: "c"))
    }

    // MP-80
    @Test(arguments: 0..<TestScale.pick(quick: 15, full: 400))
    func `trees of parts merge to the tree of all`(seed: Int) throws {
        let documents = Self.random(UInt64(seed))
        var generator = SeededGenerator(seed: UInt64(seed) + 2_000)
        var parts: [[TestDocument]] = [[], [], [], []]
        for document in documents { parts[Int.random(in: 0..<4, using: &generator)].append(document) }
        let merged = SchemaTree()
        for part in parts.shuffled(using: &generator) { merged.merge(try tree(part)) }
        #expect(json(merged) == json(try tree(documents)))
    }

    // MP-80
    @Test(arguments: 0..<TestScale.pick(quick: 15, full: 400))
    func `a tree equals an inference over all values in memory`(seed: Int) throws {
        let documents = Self.random(UInt64(seed) + 50)
        let expected = NaiveSchema(documents).lines
        #expect(NaiveSchema.lines(of: try tree(documents)) == expected)
    }

    // MP-30
    @Test(arguments: 0..<TestScale.pick(quick: 15, full: 400))
    func `a schema that was written and read is the same one`(seed: Int) throws {
        let documents = Self.random(UInt64(seed))
        let written = json(try tree(documents))
        let file = try SchemaFile(written.utf8, name: "f")
        #expect(json(file.tree) == written)
        // Widening by what it knows already changes counts only: nothing is added.
        let before = try SchemaFile(written.utf8, name: "f")
        file.tree.merge(try tree(documents))
        #expect(file.tree.documents == 2 * documents.count)
        #expect(SchemaChange.between(before.tree, file.tree).isEmpty)
    }

    // MP-13, MP-20 (d)
    @Test func `a map with more than a thousand names becomes a dictionary in any order`() throws {
        let documents = many(600) { number in
            let entries: [(String, Value)] = [("n\(number)", 1), ("o\(number * 7 % 600)", "x"), ("all", ["k": 1])]
            return ["m": .map(FieldMap(entries))]
        }
        let whole = try tree(documents)
        #expect(whole.root["m"]?.map?.entry != nil)
        #expect(whole.nodes < 10)
        let halves = try tree(Array(documents[..<300]))
        halves.merge(try tree(Array(documents[300...])))
        #expect(json(halves) == json(whole))
        #expect(json(try tree(documents.reversed())) == json(whole))
    }

    // MP-13
    @Test func `beyond the bound of nodes the deepest are dropped`() throws {
        var limits = SchemaLimits()
        limits.nodes = 50
        let documents = documents(["a": .map(FieldMap((0..<20).map { ("n\($0)", ["x": ["y": 1, "z": 2], "w": [1]]) })), "b": 1])
        let cut = try tree(documents, limits: limits)
        #expect(cut.nodes <= 50 && cut.isCut)
        let text = SwiftPrinter().text(cut, collection: "c")
        #expect(text.contains("the deepest ones were not looked at") && text.contains("var b: Int"))
        // What comes later does not make them again.
        try cut.add("later", documents[0].bytes)
        #expect(cut.nodes <= 50)
        #expect(SchemaFile(collection: "c", isGroup: false, tree: cut).json.text().contains("\"deeper\":true"))
    }

    @Test func `documents with more than a thousand names are dictionaries as a whole`() throws {
        let text = try swift([TestDocument("a", Dictionary(uniqueKeysWithValues: (0..<1_500).map { ("n\($0)", $0 % 3 == 0 ? Value.null : .integer(1)) }))])
        #expect(text.contains("struct Thing: Codable {\n    var fields: [String: Int?]\n"))
    }

    // MP-13
    @Test func `distinct strings are counted exactly up to 64, then estimated`() throws {
        func distinct(_ count: Int) throws -> Int { try #require(try tree(many(count) { ["s": .string("text \($0)")] }).root["s"]?.texts).distinct.count }
        #expect(try distinct(64) == 64)
        for count in [65, 500, 5_000, 50_000] {
            let found = try distinct(count)
            #expect(abs(found - count) * 10 < count, "\(found) for \(count)")
        }
    }

    @Test func `damaged documents are rejected with their id`() throws {
        let tree = SchemaTree()
        #expect(throws: FirestoreError.self) { try tree.add("d1", FieldBytes(canonical: ByteSlice([0x12, 0x05, 0x0A, 0x01, 0x61, 0x12, 0x09]))) }
    }

    // MP-23, MP-95: strings of other fields than enumerations are not in the file.
    @Test func `a schema file holds no strings but the cases of enumerations`() throws {
        let documents = many(60) { ["kind": .string(["north", "south"][$0 % 2]), "person": .string(["Ada", "Grace", "Barbara"][$0 % 3] + " \($0)"), "who": .string($0 == 0 ? "Mary" : "Emmy")] }
        let text = json(try tree(documents))
        #expect(text.contains("\"north\""))
        for secret in ["Ada", "Grace", "Mary", "Emmy"] { #expect(!text.contains(secret)) }
    }

    // MP-20, MP-96: names that are data are not in the file either.
    @Test func `a schema file holds no names of a dictionary, and knows the same without them`() throws {
        func documents(_ names: [String], _ value: Value = 1) -> [TestDocument] { many(4) { ["votes": .map(FieldMap([(names[$0 % 2], value), (names[2], value)])), "home": ["zip": 1]] } }
        let addresses = documents(["ada@example.com", "grace@example.com", "emmy@example.com"])
        let first = try tree(addresses)
        let text = json(first)
        #expect(!text.contains("example.com") && text.contains("\"zip\"") && text.contains("e-mail addresses"), "\(text)")
        let file = try SchemaFile(text.utf8, name: "f")
        #expect(json(file.tree) == text && SwiftPrinter().text(file.tree, collection: "c") == SwiftPrinter().text(first, collection: "c"))
        #expect(SchemaChange.between(file.tree, first).isEmpty && SchemaChange.between(first, file.tree).isEmpty)
        let drift = SchemaChange.between(file.tree, try tree(documents(["a@example.com", "b@example.com", "c@example.com"], "x")))
        #expect(drift.map(\.path) == ["votes{}"])
        file.tree.merge(first)
        #expect(SwiftPrinter().text(file.tree, collection: "c").contains("a dictionary: all names are e-mail addresses\n    var votes: [String: Int]"))
        file.tree.merge(try tree(documents(["plain", "words", "here"], "x")))
        #expect(SwiftPrinter().text(file.tree, collection: "c").contains("a dictionary: its names are data\n"))
        // A map that is declared as a structure has its names, also in the file.
        var options = TypeOptions()
        options.structPaths = ["votes"]
        let kept = SchemaFile(collection: "c", isGroup: false, tree: first, options: options).json.text(.indented)
        #expect(kept.contains("ada@example.com"))
        #expect(SwiftPrinter(types: options).warnings(try SchemaFile(text.utf8, name: "f").tree).map { "\($0.choice) \($0.path) \($0.problem.prefix(14))" } == ["structure votes has no effect:"])
    }

    // MP-30
    @Test func `requested cases are stored in the file`() throws {
        var options = TypeOptions()
        options.enumPaths = ["kind"]
        let documents = documents(["kind": "a"], ["kind": "b"])
        let first = SchemaFile(collection: "c", isGroup: false, tree: try tree(documents), options: options)
        let second = try SchemaFile(first.json.text().utf8, name: "f")
        second.tree.merge(try tree(documents))
        #expect(SwiftPrinter(types: options).text(second.tree, collection: "c").contains("enum Kind:"))
        let plain = try SchemaFile(json(try tree(documents)).utf8, name: "f")
        #expect(SwiftPrinter(types: options).warnings(plain.tree).map { "\($0.choice) \($0.path) \($0.problem)" } == ["enumeration kind has no effect: the schema holds the number of the strings only"])
    }

    @Test func `files that are not schemas are rejected with the reason`() throws {
        let cases: [(text: String, says: String)] = [
            ("[]", "an object is expected"), ("{}", "this is not a schema"), ("{\"version\": 2}", "version 2"), ("{", "malformed"),
            ("{\"version\":1,\"collection\":\"c\",\"documents\":-1}", "a count is expected"),
            ("{\"version\":1,\"collection\":\"c\",\"documents\":1,\"fields\":[{\"name\":\"a\",\"types\":[{\"type\":\"number\",\"count\":1}]}]}", "there is no such type"),
            ("{\"version\":1,\"collection\":\"c\",\"documents\":1,\"fields\":[{\"name\":\"b\",\"types\":[]},{\"name\":\"a\",\"types\":[]}]}", "not sorted"),
            ("{\"version\":1,\"collection\":\"c\",\"documents\":1,\"fields\":[{\"name\":\"a\",\"types\":[{\"type\":\"map\",\"count\":1}]}]}", "do not fit"),
        ]
        for (text, says) in cases {
            #expect { _ = try SchemaFile(text.utf8, name: "old.json") } throws: { error in
                "\(error)".contains(says) && "\(error)".contains("old.json")
            }
        }
    }
}
