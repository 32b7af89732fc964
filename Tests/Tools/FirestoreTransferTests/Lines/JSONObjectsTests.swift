// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreTransfer

struct JSONObjectsTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func reader(_ text: String, size: Int, limit: Int = 1_000) throws -> JSONObjectReader {
        JSONObjectReader(try InputFile(try folder.write(text.utf8, to: "f.json")), limit: limit, size: size)
    }

    private func objects(_ text: String, size: Int) throws(FirestoreError) -> [String] {
        guard let reader = try? reader(text, size: size) else { return [] }
        var found: [String] = []
        while let object = try reader.next({ "\($0.line):\($0.column) " + String(decoding: $0.text, as: UTF8.self) }) { found.append(object) }
        #expect(reader.bytesRead == text.utf8.count)
        return found
    }

    static let texts: [(text: String, objects: [String])] = [
        ("", []), (" \n", []), ("[]", []), ("\u{FEFF}[ ]\n", []), ("[{}]", ["1:1 {}"]), ("[{\"a\":1},\n {\"b\":[{}]} ]\n", ["1:1 {\"a\":1}", "2:1 {\"b\":[{}]}"]), ("{}{}", ["1:0 {}", "1:2 {}"]),
        ("{\n\"a\":\"}\\\"{\"\n}\n\n  {\"é\":1} {}", ["1:0 {\n\"a\":\"}\\\"{\"\n}", "5:2 {\"é\":1}", "5:10 {}"]), ("[\"é\"]", []), ("[{\"s\":\"\\\\\"},{}]", ["1:1 {\"s\":\"\\\\\"}", "1:12 {}"]),
    ]

    @Test(arguments: texts.indices, [1, 2, 7, 1_000])
    func `objects are found wherever they begin and end, whatever the buffer's size`(index: Int, size: Int) throws {
        let (text, objects) = Self.texts[index]
        if text == "[\"é\"]" {
            let error = try #require(throws: FirestoreError.self) { try self.objects(text, size: size) }
            #expect("\(error)".contains("f.json: line 1, column 2: an object is expected"), "\(error)")
        } else {
            #expect(try self.objects(text, size: size) == objects)
        }
    }

    static let mistakes: [(text: String, says: String)] = [
        ("[{}", "the file ends in the middle of the array"), ("[{},", "the file ends in the middle of the array"),
        ("[{}{}]", "line 1, column 4: a comma or a bracket is missing"), ("[{},]", "column 5: an object is expected"),
        ("[{}]\n{}", "line 2, column 1: there is more text after the end of the array"), ("\n {\"a\":{}", "line 2, column 2: the object that begins here does not end"),
        ("1", "an object is expected"), ("[,{}]", "column 2: an object is expected"),
        ("{\"a\":\"" + String(repeating: "x", count: 1_100) + "\"}", "longer than 1000 bytes"),
    ]

    @Test(arguments: mistakes.indices, [2, 4_000])
    func `text other than objects ends the reading with the position`(index: Int, size: Int) throws {
        let error = try #require(throws: FirestoreError.self) { try objects(Self.mistakes[index].text, size: size) }
        #expect("\(error)".contains(Self.mistakes[index].says), "\(error)")
    }

    @Test func `mistakes inside an object are reported with their line and column in the file`() throws {
        let text = "[{\"id\": 1}, {\"id\": nul}, {\"id\": 2,\n  \"é\": [1, x]}, {\"id\": [[1]]}]"
        var input = JSONObjectsInput(
            try InputFile(try folder.write(text.utf8, to: "f.json")), form: .fields(of: CollectionPath(trusted: "c"), idField: nil),
            database: DatabaseID(projectID: "p"))
        var places: [String] = []
        while let item = try input.next() {
            if case .failure(let error) = item.content { places.append(error.location ?? "") } else { places.append("") }
        }
        #expect(places.map { $0.split(separator: "/").last.map(String.init) ?? "" } == ["", "f.json: line 1, column 20, field id", "f.json: line 2, column 12, field `é`[1]", ""])
    }
}
