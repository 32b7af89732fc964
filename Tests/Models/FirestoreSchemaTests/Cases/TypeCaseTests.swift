// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSchema
import Testing

/// Rows T1 to T36 of the table of cases: documents, and what is printed for them.
struct TypeCaseTests {
    struct Row {
        var name: String
        var documents: [TestDocument]
        var has: [String]
        var lacks: [String] = []
        var options = TypeOptions()
    }

    static let exact = DocumentVersion(microseconds: 1_700_000_000_123_457).timestamp
    /// A time in the year 9999, where a double of seconds has a resolution of 30 microseconds.
    static let far = TimestampValue(seconds: 253_402_300_000, nanoseconds: 123_457_000)

    static let rows: [Row] = [
        Row(name: "T1", documents: documents(["n": 1], ["n": 2]), has: ["    var n: Int\n"], lacks: ["import Foundation"]),
        Row(name: "T2", documents: documents(["n": 1], ["n": 2.5]), has: ["    var n: Double\n"], lacks: ["// a", "digits"]),
        Row(name: "T3", documents: documents(["n": 1.0], ["n": 2.0]), has: ["    var n: Double\n"]),
        Row(name: "T4", documents: documents(["n": 9_007_199_254_740_993], ["n": 0.5]), has: ["    // an integer beyond 2^53 loses digits: d000\n    var n: Double\n"]),
        Row(name: "T5", documents: documents(["a": 1], [:]), has: ["    // in 1 of 2\n    var a: Int?\n"]),
        Row(name: "T6", documents: documents(["a": .null], ["a": "x"]), has: ["    // null in 1 of 2\n    @ExplicitNull var a: String?\n"]),
        Row(name: "T7", documents: documents(["a": .null], [:], ["a": "x"]), has: ["    // null in 1, missing in 1; writing back turns null into missing\n    var a: String?\n"]),
        Row(name: "T7 with extras", documents: documents(["a": .null], ["a": .null], [:], ["a": "x"]), has: ["    @ExplicitNull var a: String?\n", "null in 2, missing in 1"], options: .extras),
        Row(name: "T8", documents: documents(["a": .null], ["a": .null]), has: ["@ExplicitNull var a: StoredValue?", "enum StoredValue: Codable {", "// only null was found"], lacks: ["FirestoreValue"]),
        Row(name: "T8 with extras", documents: documents(["a": .null], ["a": .null]), has: ["@ExplicitNull var a: FirestoreValue?"], lacks: ["StoredValue"], options: .extras),
        Row(name: "T9", documents: many(1_000) { ["p": $0 == 7 ? "5" : 5] }, has: ["    var p: P\n", "case int(Int)", "case string(String)", "string in 1 of 1,000, probably a mistake: d007", "integer 999, string 1"]),
        Row(name: "T10", documents: documents(["b": true], ["b": 1]), has: ["case bool(Bool)\n        case int(Int)", "if let value = try? container.decode(Bool.self)", "self = .int(try container.decode(Int.self))"]),
        Row(name: "T11", documents: documents(["home": ["zip": "1"]], ["home": ["zip": "2", "box": 3]]),
            has: ["    var home: Home\n", "    struct Home: Codable {\n        // in 1 of 2\n        var box: Int?\n        // numerals\n        var zip: String\n    }"]),
        Row(name: "T12", documents: many(40) { number in ["likes": .map(FieldMap((0..<15).map { ("uid_\((number * 15 + $0) % 300)x", .boolean(true)) }))] },
            has: ["var likes: [String: Bool]", "// a dictionary: 300 names in 40 maps, most of them rare"]),
        Row(name: "T13", documents: many(3) { _ in ["size": ["w": 1, "h": 2, "d": 3]] }, has: ["var size: Size", "struct Size: Codable {\n        var d: Int\n        var h: Int\n        var w: Int"]),
        Row(name: "T14", documents: documents(["stock": ["1001": 4, "1002": 0]]), has: ["    // a dictionary: all names are digits\n    var stock: [String: Int]\n"]),
        Row(name: "T15", documents: documents(["title": ["de": "a", "en": "b"]], ["title": ["en": "c"]]), has: ["var title: [String: String]", "codes of languages or countries"]),
        Row(name: "T16", documents: many(2) { _ in ["title": ["de": "a", "en": "b"]] }, has: ["var title: Title\n", "        var de: String\n        var en: String\n"]),
        Row(name: "T17", documents: [TestDocument("d", ["meta": .map(FieldMap((0..<2_000).map { ("n\($0)", $0 % 2 == 0 ? .integer(1) : "x") }))])],
            has: ["var meta: [String: MetaValue]", "a dictionary: more than 1,000 names", "enum MetaValue: Codable {"]),
        Row(name: "T18", documents: many(2) { _ in ["meta": [:]] }, has: ["    // always empty\n    var meta: [String: FirestoreValue]\n"], options: .extras),
        Row(name: "T18, portable", documents: many(2) { _ in ["meta": [:]] }, has: ["var meta: [String: StoredValue]"]),
        Row(name: "T19", documents: documents(["stops": [["t": 1], ["t": 2, "x": "y"]]]), has: ["var stops: [Stop]\n", "struct Stop: Codable {\n        var t: Int\n        // in 1 of 2\n        var x: String?\n"]),
        Row(name: "T20", documents: documents(["l": [1, "a", .null]]), has: ["var l: [LElement?]", "enum LElement: Codable {\n        case int(Int)\n        case string(String)"]),
        Row(name: "T21", documents: many(2) { _ in ["l": []] }, has: ["    // always empty\n    var l: [FirestoreValue]\n"], options: .extras),
        Row(name: "T21, portable", documents: many(2) { _ in ["l": []] }, has: ["var l: [StoredValue]", "enum StoredValue: Codable"]),
        Row(name: "T22", documents: documents(["v": .vector([1, 2, 3])]), has: ["    // 3 dimensions\n    var v: VectorValue\n"]),
        Row(name: "T23", documents: many(201) { ["u": $0 == 9 ? "n/a" : .string("https://a.example/\($0)")] }, has: ["    var u: String\n"], lacks: ["URL"]),
        Row(name: "T24", documents: many(200) { ["u": .string("https://a.example/\($0)")] }, has: ["    var u: URL\n", "import Foundation"]),
        Row(name: "T25", documents: many(120) { ["status": .string(["open", "done", "late"][$0 % 3])] },
            has: ["    var status: Status\n", "    // 3 values in 120\n    enum Status: RawRepresentable, Codable, Hashable, Sendable {\n        case done\n        case late\n        case open\n",
                "case unknown(String)"]),
        Row(name: "T26", documents: many(12) { ["status": .string(["open", "done", "late"][$0 % 3])] }, has: ["    var status: String\n"], lacks: ["enum"]),
        Row(name: "T27", documents: many(120) { ["status": .string("word\($0 % 60)")] }, has: ["    var status: String\n"], lacks: ["enum"]),
        Row(name: "T28", documents: many(120) { ["status": .string(["open", "in review"][$0 % 2])] }, has: ["case inReview\n", "case \"in review\": self = .inReview", "case .inReview: \"in review\""]),
        Row(name: "T28, closed", documents: many(120) { ["status": .string(["open", "in review"][$0 % 2])] },
            has: ["enum Status: String, Codable, CaseIterable {\n        case inReview = \"in review\"\n        case open\n    }"], options: .closed),
        Row(name: "T28, off", documents: many(120) { ["status": .string(["open", "in review"][$0 % 2])] }, has: ["    var status: String\n"], lacks: ["enum"], options: .noEnums),
        Row(name: "T29", documents: many(500) { ["s": .string("\($0 % 3 + 1)")] }, has: ["    // numerals\n    var s: String\n"]),
        Row(name: "T30", documents: many(60) { _ in ["s": "#FF8800"] }, has: ["    // colours in hexadecimal\n    var s: String\n"]),
        Row(name: "T31", documents: many(60) { _ in ["s": "2024-05-01T10:00:00Z"] }, has: ["    // ISO 8601 dates and times; a timestamp would sort and compare\n    var s: String\n"]),
        Row(name: "T32", documents: many(60) { ["at": .timestamp(TimestampValue(microsecondsSince1970: 1_700_000_000_123_000 + Int64($0) * 7_001_000))] }, has: ["    var at: Date\n"], lacks: ["Timestamp"]),
        Row(name: "T32 in microseconds", documents: many(60) { ["at": .timestamp(TimestampValue(microsecondsSince1970: 1_700_000_000_123_457 + Int64($0) * 7_001_003))] }, has: ["    var at: Date\n"]),
        Row(name: "T33", documents: documents(["at": .timestamp(exact)], ["at": .timestamp(far)]),
            has: ["    // `Date` would move it by a microsecond or more: d001\n    var at: Timestamp\n"], lacks: ["import Foundation"]),
        Row(name: "timestamps exact", documents: documents(["at": .timestamp(exact)]), has: ["    var at: Timestamp\n"], options: .exactTimestamps),
        Row(name: "T34", documents: (0..<20).map { TestDocument("d\($0)", ["createdAt": .timestamp(exact)], times: near) },
            has: ["    @ServerTimestamp var createdAt: Date?\n", "within 2 seconds of the document's create or update time in all 20"]),
        Row(name: "T34 without times", documents: documents(["createdAt": .timestamp(exact)]), has: ["    // a server timestamp? the source does not tell when documents were written\n    var createdAt: Date\n"]),
        Row(name: "T34 elsewhere", documents: (0..<20).map { TestDocument("d\($0)", ["createdAt": .timestamp(exact)], times: late) }, has: ["    var createdAt: Date\n"], lacks: ["server"]),
        Row(name: "T35", documents: (0..<20).map { TestDocument("d\($0)", $0 == 3 ? [:] : ["createdAt": .timestamp(exact)], times: near) },
            has: ["    var createdAt: Date?\n", "a server timestamp? within 2 seconds of the document's create or update time in all 19, but missing in 1"]),
        Row(name: "T36", documents: documents(["b": .bytes([1]), "g": .geoPoint(GeoPointValue(latitude: 1, longitude: 2)), "r": .reference("projects/p/databases/(default)/documents/authors/a1")]),
            has: ["    var b: Data\n", "    var g: GeoPoint\n", "    // authors\n    var r: DocumentReference\n"]),
    ]

    static let near = SchemaTree.Times(create: exact, update: TimestampValue(seconds: exact.seconds + 900, nanoseconds: 0))
    static let late = SchemaTree.Times(create: TimestampValue(seconds: exact.seconds + 3, nanoseconds: 0), update: TimestampValue(seconds: exact.seconds + 900, nanoseconds: 0))

    @Test(arguments: rows.indices)
    func `documents get the types of the table`(index: Int) throws {
        let row = Self.rows[index]
        let text = try swift(row.documents, options: row.options)
        for part in row.has { #expect(text.contains(part), "\(row.name): \(part) is not in\n\(text)") }
        for part in row.lacks { #expect(!text.contains(part), "\(row.name): \(part) is in\n\(text)") }
    }

    // MP row T36, MP-25
    @Test func `references into several collections or other databases are noted`() throws {
        func reference(_ project: String, _ path: String) -> Value { .reference("projects/\(project)/databases/(default)/documents/\(path)") }
        let own = DatabaseID(projectID: "p")
        let nested = try swift(documents(["r": reference("p", "users/a/books/b")], ["r": reference("p", "users/c/books/d")]), database: own)
        #expect(nested.contains("// users/*/books\n    var r: DocumentReference"))
        let various = try swift(documents(["r": reference("p", "users/a")], ["r": reference("p", "authors/d")]), database: own)
        #expect(various.contains("{\n    @DocumentID var id: String?\n    var r: DocumentReference"))
        let foreign = try swift(documents(["r": reference("q", "users/a")]), database: own)
        #expect(foreign.contains("// users\n    // into another database: d000\n    var r: DocumentReference"))
    }

    // MP row T39, MP-26
    @Test func `a field named id has that name, and the document's id gets another one`() throws {
        let equal = try swift([TestDocument("a", ["id": "a"]), TestDocument("b", ["id": "b"])])
        #expect(equal.contains("@DocumentID var documentID: String?\n    // always equal to the document's id\n    var id: String\n"))
        let partly = try swift([TestDocument("a", ["id": "a"]), TestDocument("b", ["id": "c"])])
        #expect(partly.contains("// the field `id` is equal to it in 1 of 2\n    @DocumentID var documentID"))
        let both = try swift([TestDocument("a", ["id": 1, "documentID": 2])])
        #expect(both.contains("@DocumentID var documentIdentifier: String?"))
        let path = try swift([TestDocument("things/a", ["id": "a"])])
        #expect(path.contains("always equal"))
    }

    // MP row T43
    @Test func `a rare field says where it occurs`() throws {
        let text = try swift(many(10_000) { [1_234, 5_000, 7_777, 9_000].prefix(3).contains($0) ? ["beta": 1] : [:] })
        #expect(text.contains("    // in 3 of 10,000: d1234, d5000, d7777\n    var beta: Int?\n"))
    }

    // MP-15, MP-96
    @Test func `the first line decides, and values are in the output only as cases of enumerations`() throws {
        let text = try swift(many(60) { ["kind": .string(["north", "south"][$0 % 2]), "secret": .string("value \($0)"), "n": .integer(4_711)] }, collection: "sites")
        #expect(text.hasPrefix("// sites: 60 documents read, all.\nimport FirebaseFirestore\n\nstruct Site: Codable {\n    @DocumentID var id: String?\n"))
        #expect(text.contains("case north") && !text.contains("value 1") && !text.contains("4711"))
    }

    // MP-23
    @Test func `fields named like free text need more values to become enumerations`() throws {
        func text(_ name: String, _ count: Int) throws -> String { try swift(many(count) { [name: .string(["alpha", "beta"][$0 % 2])] }) }
        #expect(try text("homeCity", 499).contains("var homeCity: String\n"))
        #expect(try text("homeCity", 500).contains("var homeCity: HomeCity\n"))
        #expect(try text("kind", 50).contains("var kind: Kind\n"))
        #expect(try text("kind", 49).contains("var kind: String\n"))
    }

    // MP-11
    @Test func `options take precedence over the data`() throws {
        var options = TypeOptions()
        options.enumPaths = ["a"]
        options.stringPaths = ["b"]
        options.mapPaths = ["m"]
        options.structPaths = ["s"]
        let documents = many(60) { ["a": .string("x\($0 % 2)"), "b": .string(["u", "v"][$0 % 2]), "m": ["k": 1], "s": ["1": 1, "2": 2]] }
        let text = try swift(documents, options: options)
        #expect(text.contains("var a: A\n") && text.contains("var b: String\n") && text.contains("var m: [String: Int]") && text.contains("var s: SValue\n") || text.contains("var s: S\n"))
        #expect(text.contains("case _1 = \"1\""))
        #expect(SwiftPrinter(types: options).warnings(try tree(documents)).isEmpty)
    }

    @Test func `options that name nothing, or that the data does not allow, are reported`() throws {
        var options = TypeOptions()
        options.enumPaths = ["empty", "many", "number", "either", "word", "sings", "m.k"]
        options.stringPaths = ["gone"]
        options.mapPaths = ["number", "m"]
        options.structPaths = ["m{}", "no.where"]
        let documents = many(70) { number in
            ["empty": "", "many": .string("w\(number)"), "number": 1, "either": number == 0 ? 1 : "x", "word": number == 0 ? "zwei Wörter" : "a", "m": ["k": "a"]]
        }
        let tree = try tree(documents)
        #expect(SwiftPrinter(types: options).warnings(tree).map { "\($0.choice) \($0.path) \($0.problem)" } == [
            "enumeration either has no effect: it is not always a string", "enumeration empty has no effect: a string is empty", "enumeration m.k names no field that was read",
            "enumeration many has no effect: there are more than 64 different strings", "enumeration number has no effect: it is never a string", "enumeration sings names no field that was read",
            "enumeration word has no effect: a string is not a word: one ASCII letter, then up to 31 ASCII letters, digits, spaces, `_` or `-`",
            "string gone names no field that was read", "map number has no effect: it is never a map",
            "structure m{} has no effect: it is never a map", "structure no.where names no field that was read",
        ])
        let text = SwiftPrinter(types: options).text(tree, collection: "things")
        for reason in ["a string is empty", "there are more than 64 different strings", "a string is not a word: "] { #expect(text.contains("// no enumeration: \(reason)"), "\(text)") }
    }
}

extension TypeOptions {
    static let closed: TypeOptions = {
        var options = TypeOptions()
        options.enums = .closed
        return options
    }()
    static let noEnums: TypeOptions = {
        var options = TypeOptions()
        options.enums = .off
        return options
    }()
    static let exactTimestamps: TypeOptions = {
        var options = TypeOptions()
        options.keepsTimestamps = true
        return options
    }()
}
