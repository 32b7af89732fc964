// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import TestSupport
import Testing

struct LineReaderTests {
    /// nil: too long.
    private func lines(_ text: String, limit: Int = 1_000, size: Int) throws -> [String?] {
        let folder = try ScratchFolder()
        let reader = LineReader(try InputFile(try folder.write(text.utf8, to: "file")), limit: limit, size: size)
        var lines: [String?] = []
        while let line = try reader.next({ (line) -> String? in
            if case .text(let bytes) = line { String(decoding: bytes, as: UTF8.self) } else { nil }
        }) {
            lines.append(line)
            #expect(reader.number == lines.count)
        }
        #expect(reader.bytesRead == text.utf8.count)
        return lines
    }

    static let cases: [(text: String, lines: [String])] = [
        ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\n\nb\n", ["a", "", "b"]), ("a\r\nb\r\n", ["a", "b"]),
        ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\r", [""]), ("ü😀\né", ["ü😀", "é"]),
        (String(repeating: "x", count: 300) + "\ny", [String(repeating: "x", count: 300), "y"]),
    ]

    @Test(arguments: cases.indices, [1, 2, 3, 7, 64, 4_096])
    func `lines are split wherever the buffer ends`(index: Int, size: Int) throws {
        #expect(try lines(Self.cases[index].text, size: size) == Self.cases[index].lines)
    }

    @Test(arguments: [1, 4, 16, 1_024])
    func `a line that is too long is skipped, the next one is read`(size: Int) throws {
        let long = String(repeating: "x", count: 100)
        #expect(try lines("a\n\(long)\nb\n\(long)", limit: 99, size: size) == ["a", nil, "b", nil])
        #expect(try lines("a\n\(long)\nb\n\(long)", limit: 100, size: size) == ["a", long, "b", long])
    }

    @Test func `a file that is not there or is a folder is named`() throws {
        let folder = try ScratchFolder()
        let missing = try #require(throws: FirestoreError.self) { try InputFile(folder.file("nothing")) }
        #expect(missing.code == .notFound)
        #expect(missing.location == folder.file("nothing"))
        let directory = try #require(throws: FirestoreError.self) { try InputFile(folder.path) }
        #expect(directory.message.contains("directory"))
    }
}
