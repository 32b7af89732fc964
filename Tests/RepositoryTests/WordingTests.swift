// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Comments use the terms of the field, and every doc comment can be read alone.
struct WordingTests {
    /// Words and phrases that always have a better one, with that one.
    private static let words: [(word: String, better: String)] = [
        ("told", "notified, or reported"), ("hears", "receives, or is notified"), ("heard", "received"), ("unheeded", "unhandled"),
        ("what becomes of", "the outcome of"), ("what became of", "the outcome of"), ("what is to be", "name the thing"),
        ("nobody", "name the caller or the client"), ("whoever", "name the caller or the client"),
        ("somebody", "name the caller or the client"), ("everybody", "name the callers or the clients"),
        ("anybody", "name the caller or the client"), ("those who", "name the callers or the clients"),
        ("at once", "immediately, or simultaneously"), ("goes on", "continues"), ("on its way", "in flight"),
        ("on their way", "in flight"), ("under way", "in flight, or in progress"), ("stands for", "represents"),
        ("stand for", "represent"), ("tell", "report, notify, or distinguish"), ("tells", "reports, notifies, or distinguishes"),
        ("hear", "receive"), ("in force", "in effect, or active"), ("bell", "wake-up pipe"),
    ]

    private static var files: [Repository.File] { Repository.swiftFiles }

    @Test func `comments of Swift files contain no word that has a better one`() throws {
        for file in Self.files { Self.check(CommentWords(try file.bytes), of: file) }
    }

    @Test func `names of tests contain no word that has a better one`() throws {
        for file in Self.files where !file.path.hasPrefix("Sources/") {
            Self.check(CommentWords(namesOfTests: try file.bytes), of: file)
        }
    }

    private static func check(_ text: CommentWords, of file: Repository.File) {
        for (word, better) in words {
            for line in text.lines(with: word) { Issue.record("\(file):\(line) has \"\(word)\": say \(better)") }
        }
    }

    /// The first has ids of differences, the second names of cases.
    private static let pagesOfNames = ["docs/reference/emulator-differences.md", "docs/reference/benchmarks.md"]

    @Test func `pages contain no word that has a better one`() throws {
        for page in Repository.markdownFiles where !Self.pagesOfNames.contains(page.path) {
            Self.check(CommentWords(page: try page.bytes), of: page)
        }
    }

    /// The command words the advice (`CommandAdvice`): a library can be used by another program.
    @Test func `no text of a library names an option of the command`() throws {
        // For `hearth cache drop`; styles of pages.
        let others = ["Sources/Client/FirestoreSync/Store/LocalStore+Dropping.swift", "Sources/Server/FirestoreAccounts/HTTP/AccountPage.swift"]
        for file in Repository.swiftFiles where file.path.hasPrefix("Sources/") && !file.path.hasPrefix("Sources/Tools/hearth/") && !others.contains(file.path) {
            for (index, line) in try file.lines.enumerated() where line.contains("--") {
                let code = line.drop { $0 == " " }
                guard !code.hasPrefix("//"), code.contains(/(^|[ ("`])--[a-z]/) else { continue }
                Issue.record("\(file):\(index + 1) names an option: give a reason, and let the command word the advice")
            }
        }
    }

    /// Quick Help shows a doc comment without the ones above it.
    @Test func `no doc comment begins with The same`() throws {
        for file in Self.files {
            var isFirst = true
            for (index, line) in try file.lines.enumerated() {
                let text = line.drop { $0 == " " }
                let isDocumentation = text.hasPrefix("///")
                if isDocumentation, isFirst, text.hasPrefix("/// The same ") || text.hasPrefix("/// The same,") {
                    Issue.record("\(file):\(index + 1) begins with \"The same\": say what it does")
                }
                isFirst = !isDocumentation
            }
        }
    }

    // MARK: The scan itself

    static let samples: [(String, [Int])] = [
        ("/// Is told.", [1]), ("let a = 1  // Told.", [1]), ("/// It is\n/// told.", [2]), ("// untold, tolds", []),
        ("// `told` and\nlet told = 1", []), ("\"// told\"", []), ("\"\"\"\n// told\n\"\"\"", []), ("let told = \"told\"", []),
        ("// (told)\n\n// a told-b", [1, 3]), ("", []), ("//", []), ("/", []),
    ]

    @Test(arguments: samples)
    func `words are found in comments only, and outside of code`(text: String, lines: [Int]) {
        #expect(CommentWords(Array(text.utf8)).lines(with: "told") == lines, "\(text)")
    }

    @Test func `words of pages are found outside of code, phrases also across lines`() {
        let page = CommentWords(page: Array("Told.\n```\ntold\n```\n`told` and at\nonce\n\nat\n\nonce".utf8))
        #expect(page.lines(with: "told") == [1])
        #expect(page.lines(with: "at once") == [5])
    }

    @Test func `words are found in the names of tests, and not in their code`() {
        // Not in one piece, which the check of this file would find.
        let function = "func `"
        let names = "@Test \(function)all are told`() {}\n@Test(\"a told name\")\n\(function)told twice`() {}"
        let text = names + "\nfunc told() { \"`told`\" }\n/// A told name."
        #expect(CommentWords(namesOfTests: Array(text.utf8)).lines(with: "told") == [1, 3, 2])
    }

    @Test func `phrases are found across lines`() {
        let comments = CommentWords(Array("/// What\n    /// becomes of it.\n\n// What becomes\nlet a = 1\n// of it.".utf8))
        #expect(comments.lines(with: "what becomes of") == [1])
    }
}

/// The words of a file's comments, of its tests' names, or of a page: lowercase, with one blank between two words and a line break where a
/// comment or a paragraph ends.
private struct CommentWords {
    private let file: [UInt8]
    private var text: [UInt8] = [UInt8(ascii: "\n")]
    /// The offset in the file of each byte of the text.
    private var offsets = [0]

    init(_ file: [UInt8]) {
        self.file = file
        let swift = SwiftText(file)
        var end = 0
        for slash in ByteScan.offsets(of: UInt8(ascii: "/"), in: file) where slash >= end && ByteScan.isByte("/", file, at: slash + 1) {
            // `place` recognizes a comment behind its slashes.
            guard [.comment, .documentation].contains(swift.place(of: slash + 2)) else { continue }
            if !isBlank(end..<slash) { append(UInt8(ascii: "\n"), at: slash) }
            end = slash
            while end < file.count, file[end] != UInt8(ascii: "\n") { end += 1 }
            appendWords(slash..<end)
        }
        append(UInt8(ascii: "\n"), at: file.count)
    }

    /// The words between the delimiters of `` func `…` `` and `@Test("…")`.
    init(namesOfTests file: [UInt8]) {
        self.file = file
        for beginning in ["func `", "@Test(\"", "@Suite(\""] {
            let bytes = Data(file)
            var start = 0
            while let found = bytes.range(of: Data(beginning.utf8), in: start..<bytes.count) {
                var end = found.upperBound
                while end < file.count, file[end] != file[found.upperBound - 1], file[end] != UInt8(ascii: "\n") { end += 1 }
                append(UInt8(ascii: " "), at: found.upperBound)
                appendWords(found.upperBound..<end)
                append(UInt8(ascii: "\n"), at: end)
                start = end
            }
        }
    }

    /// The words of a Markdown page, without blocks of code.
    init(page: [UInt8]) {
        file = page
        let fence = Array("```".utf8)
        var isCode = false
        var start = 0
        while start < page.count {
            var end = start
            while end < page.count, page[end] != UInt8(ascii: "\n") { end += 1 }
            let line = page[start..<end].drop { $0 == UInt8(ascii: " ") }
            if line.starts(with: fence) { isCode.toggle() }
            if line.isEmpty || line.starts(with: fence) {
                append(UInt8(ascii: "\n"), at: start)
            } else if !isCode {
                append(UInt8(ascii: " "), at: start)
                appendWords(start..<end)
            }
            start = end + 1
        }
        append(UInt8(ascii: "\n"), at: page.count)
    }

    /// Whether there is nothing but one line break and indentation: the comment continues in the next line.
    private func isBlank(_ range: Range<Int>) -> Bool {
        var breaks = 0
        for byte in file[range] {
            if byte == UInt8(ascii: "\n") { breaks += 1 } else if byte != UInt8(ascii: " ") { return false }
        }
        return breaks == 1
    }

    /// Appends the words of a line, without those between backticks.
    private mutating func appendWords(_ line: Range<Int>) {
        var isCode = false
        for offset in line {
            if file[offset] == UInt8(ascii: "`") { isCode.toggle() }
            let isLetter = !isCode && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(file[offset] | 0x20)
            append(isLetter ? file[offset] | 0x20 : UInt8(ascii: " "), at: offset)
        }
        append(UInt8(ascii: " "), at: line.upperBound)
    }

    private mutating func append(_ byte: UInt8, at offset: Int) {
        let blank = UInt8(ascii: " ")
        if byte == blank, text.last == blank { return }
        text.append(byte)
        offsets.append(offset)
    }

    /// The lines in which a word or a phrase begins.
    func lines(with phrase: String) -> [Int] {
        let (text, phrase) = (Data(text), Data(" \(phrase) ".utf8))
        var lines: [Int] = []
        var first = 0
        while let hit = text.range(of: phrase, in: first..<text.count) {
            lines.append(ByteScan.line(file, at: offsets[hit.lowerBound + 1]))
            first = hit.lowerBound + 1
        }
        return lines
    }
}
