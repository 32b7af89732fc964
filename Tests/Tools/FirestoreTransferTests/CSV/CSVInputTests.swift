// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreTransfer

struct CSVInputTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func input(_ text: String, id: String? = nil, types: [String] = []) throws -> CSVInput {
        try CSVInput(
            try InputFile(try folder.write(text.utf8, to: "f.csv")), collection: CollectionPath(trusted: "c"), idField: id,
            types: try ColumnType.list(types), database: DatabaseID(projectID: "p"), makeID: { "new" })
    }

    private func items(_ text: String, id: String? = nil, types: [String] = []) throws -> [Result<String, FirestoreError>] {
        var input = try input(text, id: id, types: types)
        var items: [Result<String, FirestoreError>] = []
        while let item = try input.next() {
            items.append(
                item.content.map { document in
                    document.key.path + " " + ((try? TypedJSON.text(document.fields, in: DatabaseID(projectID: "p"))) ?? "unreadable")
                })
        }
        return items
    }

    @Test func `cells become fields of their column's type, and empty ones no fields`() throws {
        let text = "z,n,x,b,t,s\n1,1,1.5,true,2026-11-21T09:30:00Z,é\n-2,,2,FALSE,2026-11-21T09:30:00.5+01:00,\"\"\n,3,,,,\n"
        let found = try items(text, id: "z", types: ["z:string"]).prefix(2).map { try $0.get() }
        #expect(found == [
            #"c/1 {"b":true,"n":1,"s":"é","t":{"$timestamp":"2026-11-21T09:30:00Z"},"x":1.5,"z":"1"}"#,
            #"c/-2 {"b":false,"s":"","t":{"$timestamp":"2026-11-21T08:30:00.500Z"},"x":2.0,"z":"-2"}"#,
        ])
    }

    static let delimited: [(text: String, found: String?)] = [
        ("a,b\n1,2\n", nil), ("a;b\n1;2\n", "semicolons"), ("a\tb\n1\t2\n", "tabs"), ("\"x,y,z\";b\n1;2\n", "semicolons"), ("a;b,c\n1;2,3\n", nil), ("a\n1\n", nil),
        ("\u{FEFF}a;b\r\n1;2\r\n", "semicolons"),
    ]

    @Test(arguments: delimited.indices) func `cells are separated by the most frequent separator of the first row`(index: Int) throws {
        let (text, found) = Self.delimited[index]
        let input = try input(text)
        #expect(input.delimiters == (found.map { [$0] } ?? []), "\(text)")
        #expect(try #require(input.guesses).hasSuffix(text.hasPrefix("a\n") ? "a:int" : "int"))
    }

    @Test func `a delimiter that is given is not looked for`() throws {
        var input = try CSVInput(
            try InputFile(try folder.write("a;b,c\n1;2,3\n".utf8, to: "g.csv")), collection: CollectionPath(trusted: "c"), idField: nil, delimiter: .semicolon,
            database: DatabaseID(projectID: "p"), makeID: { "new" })
        #expect(input.delimiters.isEmpty && input.guesses == "a:int,`b,c`:string")
        #expect(try input.next()?.content.get().fields.view[utf8: "b,c"]?.string == "2,3")
        #expect(CSVDelimiter(text: ";") == .semicolon && CSVDelimiter(text: "TAB") == .tab && CSVDelimiter(text: "\t") == .tab && CSVDelimiter(text: "|") == nil)
    }

    static let guesses: [(cells: [String], type: String)] = [
        (["1", "-20", ""], "int"), (["9223372036854775807", "1"], "int"), (["9223372036854775808"], "string"), (["01234", "1"], "string"), (["1", "2.5"], "double"),
        (["1e3"], "double"), (["9007199254740993", "0.5"], "string"), (["1e999"], "string"), (["true", "False"], "bool"), (["true", "1"], "string"), (["yes"], "string"),
        (["2026-11-21T09:30:00Z"], "timestamp"), (["2026-11-21"], "string"), ([""], "string"), (["NaN"], "string"), ([" 7 ", "8"], "int"), (["+7"], "string"), (["0x10"], "string"),
    ]

    @Test(arguments: guesses.indices)
    func `a type is guessed only if every cell reads back the same`(index: Int) throws {
        let (cells, type) = Self.guesses[index]
        let input = try input("id,n\n" + cells.map { "x,\($0)\n" }.joined())
        let rows = cells.count == 1 ? "row" : "\(cells.count) rows"
        #expect(input.notes.last == .types("id:string,n:\(type)", sample: "the first \(rows)", file: folder.file("f.csv")))
    }

    static let typed: [(type: String, cell: String, json: String?)] = [
        ("string", "1", #""1""#), ("int", " 007 ", "7"), ("int", "1.0", nil), ("int", "9223372036854775808", nil), ("double", "1", "1.0"), ("double", "-Infinity", #"{"$double":"-Infinity"}"#),
        ("double", "0x1p3", nil), ("double", "1e999", nil), ("double", "inf", nil), ("bool", "1", "true"), ("bool", "yes", nil), ("timestamp", "2026-11-21", #"{"$timestamp":"2026-11-21T00:00:00Z"}"#),
        ("timestamp", "2026-11-21 09:30:00", #"{"$timestamp":"2026-11-21T09:30:00Z"}"#), ("timestamp", "2026-02-30", nil), ("bytes", "SGVhcnRo", #"{"$bytes":"SGVhcnRo"}"#), ("bytes", "!", nil),
        ("geopoint", "\"37.5, -122\"", #"{"$geopoint":{"latitude":37.5,"longitude":-122.0}}"#), ("geopoint", "37", nil), ("reference", "cities/SF", #"{"$reference":"cities/SF"}"#),
        ("reference", "cities", nil), ("json", "\"[1,{\"\"a\"\":null}]\"", #"[1,{"a":null}]"#), ("json", "[1", nil),
    ]

    @Test(arguments: typed.indices)
    func `declared types are enforced`(index: Int) throws {
        let (type, cell, json) = Self.typed[index]
        let found = try items("n,m\n\(cell),x\n", types: ["n:\(type)"])
        if let json {
            #expect(try found.map { try $0.get() } == [#"c/new {"m":"x","n":\#(json)}"#])
        } else {
            let error = try #require(throws: FirestoreError.self) { try found[0].get() }
            #expect(error.location?.hasSuffix("f.csv: line 2, field n") == true && !error.message.contains("guessed"), "\(error)")
        }
    }

    static let bad: [(text: String, id: String?, message: String, location: String)] = [
        ("a,b\n1\n", nil, "the row has 1 cell, and the first row 2 cells", "line 2"), ("a,b\n1,2,3\n", nil, "3 cells", "line 2"), ("a,b\n1,\"x\"y\n", nil, "double quote", "line 2, field b"),
        ("id,b\n,2\n", "id", "empty", "line 2, field id"), ("id\na/b\n", "id", "\"a/b\": the document id", "line 2, field id"), ("i d\n__x__\n", "i d", "reserved", "line 2, field `i d`"),
    ]

    @Test(arguments: bad.indices)
    func `a bad row is reported with its line and field, and the next one is read`(index: Int) throws {
        let (text, id, message, location) = Self.bad[index]
        let row = text.split(separator: "\n")[0].replacing("i d", with: "x").replacing("id", with: "x").replacing("a", with: "x").replacing("b", with: "x")
        let found = try items(text + row + "\n", id: id)
        #expect(found.count == 2)
        let error = try #require(throws: FirestoreError.self) { try found[0].get() }
        #expect(error.message.contains(message), "\(error)")
        #expect(error.location?.hasSuffix("/f.csv: \(location)") == true, "\(error)")
        #expect(throws: Never.self) { try found[1].get() }
    }

    @Test func `a cell that does not fit the guessed type is reported`() throws {
        let rows = (0..<1_000).map { "\($0)\n" }.joined()
        let found = try items("n\n" + rows + "n/a\n5\n")
        #expect(found.count == 1_002)
        let error = try #require(throws: FirestoreError.self) { try found[1_000].get() }
        #expect(error.message.contains("\"n/a\" is not a whole number of 64 bits (guessed from the first 1000 rows)"), "\(error)")
        #expect(error.cause as? TransferReason == .guessedType(column: "n"))
        #expect(error.location?.hasSuffix("line 1002, field n") == true)
    }

    static let refused: [(text: String, id: String?, types: [String], says: String)] = [
        ("", nil, [], "the file is empty"), ("a,a\n", nil, [], "line 1, field a: two columns have this name"), ("a,\n", nil, [], "cell 2: a name is missing"),
        ("a,b\n", "id", [], "there is no column id; the first row has a, b"), ("a\n", nil, ["x y:int"], "there is no column `x y`"), ("a\n", nil, ["a:integer"], "use one of string, int,"),
        ("a\n", nil, ["a"], "written name:type"), ("a\n", nil, [":int"], "written name:type"), ("\"a\"b\n", nil, [], "double quote"),
    ]

    @Test(arguments: refused.indices)
    func `a first row or types that make no sense are rejected before anything is read`(index: Int) throws {
        let (text, id, types, says) = Self.refused[index]
        let error = try #require(throws: FirestoreError.self) { try input(text, id: id, types: types) }
        #expect("\(error)".contains(says), "\(error)")
    }

    @Test func `bytes that are not UTF-8 are named`() throws {
        let file = try folder.write(Array("a,b\n1,".utf8) + [0xE9, 0x0A], to: "latin.csv")
        var input = try CSVInput(try InputFile(file), collection: CollectionPath(trusted: "c"), idField: nil, database: DatabaseID(projectID: "p"))
        let item = try #require(try input.next())
        let error = try #require(throws: FirestoreError.self) { try item.content.get() }
        #expect("\(error)".contains("line 2, field b: the text is not valid UTF-8"), "\(error)")
    }
}

extension CSVInput {
    fileprivate var delimiters: [String] { notes.compactMap { if case .delimiter(let plural, _) = $0 { plural } else { nil } } }
    fileprivate var guesses: String? { notes.lazy.compactMap { if case .types(let types, _, _) = $0 { types } else { nil } }.first }
}
