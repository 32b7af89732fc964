// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// What audits find: MP rows A1 to A12, and the kinds of findings.
@Suite struct AuditTests {
    struct City: Codable {
        var population: Int
    }

    struct Book: Codable {
        enum Status: String, Codable { case open, done }
        var title: String
        var pages: UInt8
        var status: Status
        var website: URL?
        var tags: [Tag]

        struct Tag: Codable {
            var t: Int
        }
    }

    @Test func `an audit of a model with versions says if older documents were not migrated`() async throws {
        let documents: [[String: Any]] = [["pop": 1]]
        let plain = try await Self.audit(documents, as: VersionedCity.self)
        #expect(plain.failedCount == 1 && plain.table.contains("VersionedCity has versions, and documents of older ones were not migrated; pass decoder: .migrating("))
        let migrating = try await Self.audit(documents, as: VersionedCity.self, decoder: .migrating(VersionedCity.self))
        #expect(migrating.failedCount == 0 && !migrating.limits.contains { $0.contains("migrated") })
    }

    struct Shelved: Codable {
        @DocumentID var id: String? = "new"
        var title: String

        enum CodingKeys: String, CodingKey { case title }
    }

    @Test func `an audit finds a default value that hides the ids of documents`() async throws {
        let report = try await Self.audit([["title": "Dune"], ["title": "Emma"]], as: Shelved.self)
        #expect(report.failedCount == 0 && !report.isClean)
        #expect(report.findings.map(\.kind) == [.hiddenID] && report.findings.first?.path == "id" && report.findings.first?.documentCount == 2)
    }

    private static var book: [String: Any] { ["title": "Dune", "pages": 5, "status": "open", "tags": [["t": 1]]] }

    /// Writes documents `a`, `b`, … and audits them.
    private static func audit<T: Decodable>(
        _ documents: [[String: Any]], as type: T.Type, options: AuditOptions = AuditOptions(checks: .decoding),
        decoder: Firestore.Decoder = Firestore.Decoder(), encoder: Firestore.Encoder = Firestore.Encoder()
    ) async throws -> AuditReport {
        let db = try TestFirestore()
        let collection = db.firestore.collection("c")
        for (index, data) in documents.enumerated() {
            try await collection.document(String(UnicodeScalar(UInt8(97 + index)))).setData(data)
        }
        return try await collection.audit(as: type, decoder: decoder, encoder: encoder, options: options)
    }

    private static func lines(_ report: AuditReport) -> [String] {
        report.findings.map {
            "\($0.kind) \($0.path) \($0.stored) \($0.expected) \($0.documentCount) \($0.examples.joined())"
        }
    }

    // MP row A1, MP-33
    @Test func `a field of another type is a mismatch, with the ids of its documents`() async throws {
        let report = try await Self.audit([["population": "x"], ["population": 1], ["population": "y"]], as: City.self)
        #expect(Self.lines(report) == ["mismatch population string Int 2 ac"])
        #expect(report.documentCount == 3 && report.decodedCount == 1 && report.failedCount == 2 && !report.isClean)
    }

    // MP row A2, MP-34
    @Test func `one document with three wrong fields has three findings`() async throws {
        var data = Self.book
        data["title"] = 7
        data["pages"] = 300
        data["tags"] = [["t": 1], ["t": "x"], [:] as [String: Any], ["t": NSNull()]]
        let report = try await Self.audit([data], as: Book.self)
        #expect(
            Self.lines(report) == [
                "missing tags[].t missing Int 1 a", "null tags[].t null Int 1 a", "mismatch tags[].t string Int 1 a",
                "mismatch title integer String 1 a", "range pages integer UInt8 1 a",
            ])
        #expect(report.cutShortCount == 0)
    }

    // MP row A3, MP-95
    @Test func `a rejected value is shown only if values are asked for`() async throws {
        var data = Self.book
        data["status"] = "lost"
        let report = try await Self.audit([data], as: Book.self)
        #expect(Self.lines(report) == ["value status string Status 1 a"])
        #expect(!report.table.contains("lost"))
        #expect(!String(decoding: report.json, as: UTF8.self).contains("lost"))
        let shown = try await Self.audit([data], as: Book.self, options: AuditOptions(checks: .decoding, showsValues: true))
        #expect(shown.findings.first?.values == ["\"lost\""])
    }

    // MP row A4, MP-33, MP-36
    @Test func `a field that the type does not know is unknown and would be deleted`() async throws {
        let documents = (0..<5).map { ["population": $0, "legacy": true] as [String: Any] } + [["population": 9]]
        let report = try await Self.audit(documents, as: City.self, options: AuditOptions())
        #expect(
            Self.lines(report) == ["unknown legacy boolean  5 abc", "deletes legacy boolean missing 5 abc"])
        #expect(report.summary == "6 documents, 6 decode, 0 do not; 1 field unknown")
    }

    struct Person: Codable {
        var name: String
        var nick: String?
        var age: Int?
    }

    // MP row A5
    @Test func `an optional that no document has, and one that all have`() async throws {
        let report = try await Self.audit([["name": "x", "age": 1], ["name": "y", "age": 2]], as: Person.self, options: AuditOptions())
        #expect(Self.lines(report) == ["neverPresent nick missing String 2 ", "alwaysPresent age  Int 2 "])
        #expect(!report.isClean)
        let clean = try await Self.audit([["name": "x", "age": 1, "nick": "n"]], as: Person.self, options: AuditOptions())
        #expect(Self.lines(clean) == ["alwaysPresent age  Int 1 ", "alwaysPresent nick  String 1 "] && clean.isClean)
    }

    struct Measured: Codable {
        var f: Float?
        var d: Double?
        var i: Int?
        var id: UUID?
        var at: Date?
        var price: Decimal?
        var names: Set<String>?
    }

    // MP rows A6, A7, A8, A10
    @Test(arguments: [
        (["f": 0.1], "precision f double double", "0.1 → 0.10000000149011612"),
        (["d": 3], "kind d integer double", "3 → 3.0"),
        (["d": 9_007_199_254_740_993], "precision d integer double", "9007199254740993 → 9007199254740992.0"),
        (["i": 3.0], "kind i double integer", "3.0 → 3"),
        (["id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"], "precision id string string", ""),
        (["at": ["seconds": 1, "nanoseconds": 0]], "kind at map timestamp", "map → 1.0 s"),
        (["i": NSNull()], "kind i null missing", "null → –"),
        (["price": 2], "kind price integer double", "2 → 2.0"),
    ] as [([String: any Sendable], String, String)])
    func `values that writing back would change`(data: [String: any Sendable], finding: String, values: String) async throws {
        let options = AuditOptions(checks: [.precision, .roundTrip], showsValues: true)
        let report = try await Self.audit([data], as: Measured.self, options: options)
        let found = report.findings.map { "\($0.kind) \($0.path) \($0.stored) \($0.expected)" }
        #expect(found == [finding])
        if !values.isEmpty { #expect(report.findings.first?.values == [values]) }
    }

    struct Stock: Codable {
        var stock: [String: Int]
        var byNumber: [Int: Tag]
        struct Tag: Codable { var t: Int }
    }

    // MP row A9
    @Test func `a dictionary has no unknown keys, the values in it have`() async throws {
        let data: [String: Any] = ["stock": ["a": 1, "b": 2], "byNumber": ["1": ["t": 1], "2": ["t": 2, "x": 3]]]
        let report = try await Self.audit([data], as: Stock.self, options: AuditOptions(checks: .unknownFields))
        #expect(Self.lines(report) == ["unknown byNumber{}.x integer  1 a"])
        let wrong: [String: Any] = ["stock": ["a": "x", "b": 2], "byNumber": [String: Any]()]
        let failing = try await Self.audit([wrong], as: Stock.self)
        #expect(Self.lines(failing) == ["mismatch stock{} string Int 1 a"])
    }

    // MP row A11, MP-35
    @Test func `an empty collection is clean, and its keys come from a dry probe`() async throws {
        let report = try await Self.audit([], as: Person.self, options: AuditOptions())
        #expect(report.isClean && report.documentCount == 0)
        #expect(report.keys.map { "\($0.path) \($0.expected) \($0.isOptional)" } == ["age Int true", "name String false", "nick String true"])
        #expect(report.table == "0 documents, 0 decode, 0 do not")
    }

    // MP row A12, MP-38
    @Test func `JSON has the same bytes twice`() async throws {
        let documents: [[String: Any]] = [["name": 1], ["name": "x", "z": 1, "y": 2]]
        let first = try await Self.audit(documents, as: Person.self, options: AuditOptions())
        let second = try await Self.audit(documents, as: Person.self, options: AuditOptions())
        #expect(first.json == second.json)
        let tree = try #require(try JSONSerialization.jsonObject(with: first.json) as? [String: Any])
        #expect(tree["version"] as? Int == 1 && tree["documents"] as? Int == 2 && tree["type"] as? String == "Person")
    }

    // MP-38
    @Test func `the table lists kinds in order and sums up`() async throws {
        let documents: [[String: Any]] = [["name": 1], ["name": "x", "z": 1], ["age": 3]]
        let report = try await Self.audit(documents, as: Person.self, options: AuditOptions(checks: [.decoding, .unknownFields]))
        #expect(
            report.description == """
                kind      path  stored   expected  documents    share  examples
                missing   name  missing  String            1  33.33 %  c
                mismatch  name  integer  String            1  33.33 %  a
                unknown   z     integer                    1  33.33 %  b
                3 documents, 1 decode, 2 do not; 1 field unknown
                """)
    }

    struct Choice: Decodable {
        var value: String

        enum CodingKeys: String, CodingKey { case value, other }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let number = try? container.decode(Int.self, forKey: .value) {
                value = "\(number)"
            } else {
                value = try container.decode(String.self, forKey: .value)
            }
            _ = try container.decode(Bool.self, forKey: .other)
        }
    }

    // MP-34, MP-35
    @Test func `an attempt that a type abandons is not a failure`() async throws {
        let report = try await Self.audit(
            [["value": 1, "other": 1], ["value": "x", "other": true], ["value": true, "other": true], ["value": "x"]], as: Choice.self)
        #expect(
            Self.lines(report) == [
                "missing other missing Bool 1 d", "mismatch other integer Bool 1 a", "mismatch value boolean String 1 c",
            ])
    }

    struct Checked: Decodable {
        var n: Int
        var last: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            n = try container.decode(Int.self, forKey: .n)
            guard n > 0 else {
                throw DecodingError.dataCorruptedError(forKey: .n, in: container, debugDescription: "not positive")
            }
            last = try container.decode(String.self, forKey: .last)
        }
        enum CodingKeys: String, CodingKey { case n, last }
    }

    // MP-34
    @Test func `an error of init(from:) is a finding, one that follows from a stand-in is not`() async throws {
        let refused = try await Self.audit([["n": 0, "last": "x"]], as: Checked.self)
        #expect(Self.lines(refused) == ["value n integer Checked 1 a"])
        #expect(refused.cutShortCount == 1)
        let poisoned = try await Self.audit([["n": "x"]], as: Checked.self)
        #expect(Self.lines(poisoned) == ["mismatch n string Int 1 a"])
        #expect(poisoned.cutShortCount == 1)
    }

    struct Home: Codable {
        var homeTown: String
        var addressBook: [String: Line]?
        struct Line: Codable { var firstLine: String }
    }

    // MP-35
    @Test func `key strategies are applied, and paths show stored names`() async throws {
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let documents: [[String: Any]] = [
            ["home_town": "x", "address_book": ["some_key": ["first_line": "l"]], "old_field": 1], ["home_town": 5],
        ]
        let report = try await Self.audit(documents, as: Home.self, options: AuditOptions(), decoder: decoder, encoder: encoder)
        #expect(
            Self.lines(report) == [
                "mismatch home_town integer String 1 b", "unknown old_field integer  1 a", "deletes old_field integer missing 1 a",
            ])
    }

    struct Stamped: Codable {
        @ServerTimestamp var at: Date?
        @ExplicitNull var nick: String?
        @DocumentID var id: String?
    }

    // MP-36
    @Test func `timestamps that are nil are stamped again, explicit nulls are added`() async throws {
        let report = try await Self.audit(
            [["at": NSNull(), "nick": "n", "id": "mine"], [:]], as: Stamped.self, options: AuditOptions(checks: [.roundTrip, .unknownFields]))
        #expect(
            Self.lines(report) == [
                "unknown id string  1 a", "kind nick missing null 1 b", "deletes id string missing 1 a",
                "restamped at missing server timestamp 1 b", "restamped at null server timestamp 1 a",
            ])
    }

    // MP-32
    @Test func `any query is read in pages, with its own limit and the one of the options`() async throws {
        let db = try TestFirestore()
        let collection = db.firestore.collection("c")
        for number in 0..<25 { try await collection.document("d\(10 + number)").setData(["population": number]) }
        try await db.firestore.document("other/x/c/deep").setData(["population": "x"])
        var options = AuditOptions()
        options.pageSize = 4
        func count(_ query: Query, _ options: AuditOptions) async throws -> Int {
            try await query.audit(as: City.self, options: options).documentCount
        }
        #expect(try await count(collection, options) == 25)
        #expect(try await count(collection.limit(to: 7), options) == 7)
        #expect(try await count(collection.limit(to: 8), options) == 8)
        #expect(try await count(collection.whereField("population", isGreaterThan: 4).order(by: "population"), options) == 20)
        #expect(try await count(collection.order(by: "population").limit(toLast: 6), options) == 6)
        let group = try await db.firestore.collectionGroup("c").audit(as: City.self, options: options)
        #expect(group.documentCount == 26 && group.source == "c")
        #expect(Self.lines(group) == ["mismatch population string Int 1 other/x/c/deep"])
        options.limit = 5
        #expect(try await count(collection, options) == 5)
        options.limit = 0
        #expect(try await count(collection, options) == 0)
    }

    @Test func `an invalid query fails, and writes nothing`() async throws {
        let db = try TestFirestore()
        await #expect(throws: (any Error).self) {
            try await db.firestore.collection("c").limit(to: 0).audit(as: City.self)
        }
    }
}
