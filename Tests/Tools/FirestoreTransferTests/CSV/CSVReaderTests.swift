// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreTransfer

struct CSVReaderTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func reader(_ text: String, size: Int = 3, limit: Int = 1_000) throws -> CSVReader {
        CSVReader(try InputFile(try folder.write(text.utf8, to: "f.csv")), limit: limit, size: size)
    }

    private func cells(_ row: CSVReader.Row) -> [String] {
        row.cells.map { ($0.isQuoted ? "q:" : "") + String(decoding: row.bytes[$0.range], as: UTF8.self) }
    }

    static let files: [(text: String, rows: [[String]], lines: [Int])] = [
        ("", [], []), ("\n\r\n\n", [], []), ("a", [["a"]], [1]), ("a,b\n1,2", [["a", "b"], ["1", "2"]], [1, 2]),
        ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]], [1, 2]), ("\u{FEFF}\"a\",b\n", [["q:a", "b"]], [1]), (",\n,,\n", [["", ""], ["", "", ""]], [1, 2]),
        ("\"a,\"\"b\"\"\",\"\"\n", [["q:a,\"b\"", "q:"]], [1]), ("\"two\r\nlines\",x\r\n\"\"\r\nz", [["q:two\r\nlines", "x"], ["q:"], ["z"]], [1, 3, 4]),
        ("a\"b,c\rd\n", [["a\"b", "c\rd"]], [1]), ("\n\nx\n", [["x"]], [3]), ("é,東京,😀\r", [["é", "東京", "😀"]], [1]), ("\"a\"\r", [["q:a"]], [1]),
        (" \"a\" , b", [[" \"a\" ", " b"]], [1]),
    ]

    @Test(arguments: files.indices, [3, 4, 1_000])
    func `rows and cells follow RFC 4180, whatever the buffer's size`(index: Int, size: Int) throws {
        let (text, rows, lines) = Self.files[index]
        let reader = try reader(text, size: size)
        var found: [CSVReader.Row] = []
        while let row = try reader.row() { found.append(row) }
        #expect(found.map { cells($0) } == rows)
        #expect(found.map(\.line) == lines)
        #expect(found.allSatisfy { $0.problem == nil })
        #expect(reader.bytesRead == text.utf8.count)
    }

    @Test func `text after a closing quote is a problem of its row alone`() throws {
        let reader = try reader("a,\"b\"c,d\n\"x\"\ry\nfine\n")
        #expect(try reader.row()?.problem?.cell == 1)
        #expect(try reader.row()?.problem?.cell == 0)
        let last = try #require(try reader.row())
        #expect(last.problem == nil && cells(last) == ["fine"])
    }

    @Test func `a quote that does not end, and a row without an end, stop the reading`() throws {
        let open = try reader("a,b\n1,\"never\nclosed\n")
        _ = try open.row()
        let error = try #require(throws: FirestoreError.self) { try open.row() }
        #expect(error.location?.hasSuffix("f.csv: line 2") == true && error.message.contains("cell 2 begins with a double quote"), "\(error)")
        let long = try reader("\"" + String(repeating: "x\n", count: 1_000))
        let tooLong = try #require(throws: FirestoreError.self) { try long.row() }
        #expect(tooLong.message.contains("longer than 1000 bytes"), "\(tooLong)")
    }
}
