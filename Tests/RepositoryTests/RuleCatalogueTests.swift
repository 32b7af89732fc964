// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// docs/semantics defines every rule that is cited, and its ids stay out of texts that users read.
struct RuleCatalogueTests {
    /// What a file cites, and what it is.
    private struct Source: Sendable {
        let file: Repository.File
        let bytes: [UInt8]
        let citations: [RuleCitations.Citation]
    }

    /// All files that may cite rules, read once for all tests. Tests of the repository itself hold examples.
    private static let sources: [Source] =
        (Repository.swiftFiles + Repository.pythonFiles + Repository.markdownFiles)
        .filter { !$0.path.hasPrefix("Tests/RepositoryTests/") }
        .compactMap { file -> Source? in
            guard let bytes = try? file.bytes else { return nil }
            return Source(file: file, bytes: bytes, citations: RuleCitations(bytes).found)
        }

    private static func isCatalogue(_ file: Repository.File) -> Bool {
        file.path.hasPrefix("docs/semantics/")
    }

    /// The ids that the catalogue defines, in its order.
    private static func definitions() throws -> [String] {
        try Repository.markdownFiles.filter(isCatalogue).flatMap { file in
            try file.lines.compactMap { line -> String? in
                guard line.hasPrefix("- **") else { return nil }
                let name = String(line.dropFirst(4).prefix { $0 != "*" })
                return RuleCitations(name).found.map(\.id) == [name] ? name : nil
            }
        }
    }

    /// An id without a hyphen may be a name in code: in code only comments can cite it.
    private static func cites(_ citation: RuleCitations.Citation, _ source: Source) -> Bool {
        guard citation.id.hasPrefix("R"), !source.file.path.hasSuffix(".md") else { return true }
        if source.file.path.hasSuffix(".swift") {
            let place = SwiftText(source.bytes).place(of: citation.offset)
            return place == .comment || place == .documentation
        }
        let start = ByteScan.lineStart(source.bytes, at: citation.offset)
        let before = String(decoding: source.bytes[start..<citation.offset], as: UTF8.self)
        return before.contains("#") || before.contains("\"\"\"")
    }

    // MARK: The catalogue

    @Test func `every rule that is cited has its definition`() throws {
        let defined = Set(try Self.definitions())
        #expect(!defined.isEmpty)
        for source in Self.sources {
            for citation in source.citations where !defined.contains(citation.id) && Self.cites(citation, source) {
                let line = ByteScan.line(source.bytes, at: citation.offset)
                Issue.record("\(source.file):\(line) cites \(citation.id), which docs/semantics does not define")
            }
        }
    }

    @Test func `every rule is defined once`() throws {
        var seen: Set<String> = []
        for id in try Self.definitions() where !seen.insert(id).inserted {
            Issue.record("docs/semantics defines \(id) twice")
        }
    }

    /// The rows that the behaviour table defines, in its order.
    private static func rows() throws -> [String] {
        try Repository.text(of: "docs/semantics/offline-behaviour.md").split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| T") else { return nil }
            let name = String(line.dropFirst(2).prefix { $0 != " " })
            return RuleCitations(ofRowsIn: Array(name.utf8)).found.map(\.id) == [name] ? name : nil
        }
    }

    private static let citesRows = ["Tests/Client/FirestoreSyncTests/", "Tests/Client/SyncSpecTests/"]

    @Test func `every row that a test of offline sync cites is in the behaviour table`() throws {
        let rows = try Self.rows()
        #expect(!rows.isEmpty && Set(rows).count == rows.count)
        for source in Self.sources where Self.citesRows.contains(where: source.file.path.hasPrefix) {
            guard source.file.path.hasSuffix(".swift") else { continue }
            let text = SwiftText(source.bytes)
            for citation in RuleCitations(ofRowsIn: source.bytes).found
            where !rows.contains(citation.id) && [.comment, .documentation].contains(text.place(of: citation.offset)) {
                let line = ByteScan.line(source.bytes, at: citation.offset)
                Issue.record("\(source.file):\(line) cites \(citation.id), which docs/semantics/offline-behaviour.md does not define")
            }
        }
    }

    /// Not about Hearth: what client libraries lack, and what follows from one moment for all messages.
    private static let untestedQueryRules: Set<Int> = [44, 46]

    @Test func `every rule from R1 to R111 is cited by a test`() {
        let cited = Self.citedByTests()
        let missing = (1...111).map { "R\($0)" }.filter { !cited.contains($0) }
        #expect(missing.isEmpty, "no test cites \(missing.joined(separator: ", "))")
    }

    @Test func `every query rule from QR-1 to QR-72 is cited by a test`() {
        let cited = Self.citedByTests()
        let missing = (1...72).filter { !Self.untestedQueryRules.contains($0) }.map { "QR-\($0)" }.filter { !cited.contains($0) }
        #expect(missing.isEmpty, "no test cites \(missing.joined(separator: ", "))")
    }

    private static func citedByTests() -> Set<String> {
        var cited: Set<String> = []
        for source in sources where source.file.path.hasPrefix("Tests/") && source.file.path.hasSuffix(".swift") {
            cited.formUnion(source.citations.map(\.id))
        }
        return cited
    }

    // MARK: Texts that users read

    @Test func `no text that users read cites a rule`() {
        for source in Self.sources {
            let path = source.file.path
            if path.hasSuffix(".md") {
                guard Self.isReadByUsers(path), let citation = source.citations.first else { continue }
                Issue.record("\(path):\(ByteScan.line(source.bytes, at: citation.offset)) cites \(citation.id): say what the rule says")
            } else if path.hasPrefix("Sources/"), !source.citations.isEmpty {
                let text = SwiftText(source.bytes)
                for citation in source.citations where Self.isReadByUsers(citation, in: text) {
                    let line = ByteScan.line(source.bytes, at: citation.offset)
                    Issue.record("\(path):\(line) cites \(citation.id) in a text that users read: say what the rule says")
                }
            }
        }
    }

    /// A guide, a page of reference or of operations; not the catalogue, the decisions and what is written for maintainers.
    private static func isReadByUsers(_ path: String) -> Bool {
        if ["README.md", "CHANGELOG.md"].contains(path) || path.contains(".docc/") { return true }
        return ["docs/guides/", "docs/reference/", "docs/operations/", "docs/README.md"].contains { path.hasPrefix($0) }
    }

    /// A string, or documentation of a declaration that apps can use.
    private static func isReadByUsers(_ citation: RuleCitations.Citation, in text: SwiftText) -> Bool {
        switch text.place(of: citation.offset) {
        case .comment: false
        case .documentation: text.documentsPublic(at: citation.offset)
        case .string: true
        case .code: !citation.id.hasPrefix("R")
        }
    }

    /// The plan that the project began with is not part of it; what was decided is in docs/decisions.
    @Test func `no file cites a design that is not in the repository`() {
        for source in Self.sources where !source.file.path.hasPrefix("Benchmarks/") {
            let bytes = source.bytes
            let path = source.file.path
            let text = path.hasSuffix(".swift") ? SwiftText(bytes) : nil
            for letter in ByteScan.offsets(of: UInt8(ascii: "D"), in: bytes) where ByteScan.isDigit(bytes, at: letter + 1) {
                guard !ByteScan.isWord(bytes, at: letter - 1), !ByteScan.isByte("-", bytes, at: letter - 1) else { continue }
                // A row of a table, which its rule page has: "MP row D1".
                if bytes[..<letter].suffix(7).elementsEqual("MP row ".utf8) { continue }
                let second = ByteScan.isDigit(bytes, at: letter + 2) ? letter + 3 : letter + 2
                guard !ByteScan.isWord(bytes, at: second) else { continue }
                let isCited =
                    if let text {
                        [.comment, .documentation].contains(text.place(of: letter))
                    } else {
                        bytes[..<letter].suffix(7).elementsEqual("design ".utf8) || bytes[..<letter].suffix(7).elementsEqual("Design ".utf8)
                    }
                if isCited { Issue.record("\(path):\(ByteScan.line(bytes, at: letter)): name the decision in docs/decisions, or say it") }
            }
        }
    }

    // MARK: The scan itself

    static let samples: [(String, [String])] = [
        ("a (QR-22), b", ["QR-22"]), ("WR-9", ["WR-9"]), ("R30a.", ["R30a"]), ("R12", ["R12"]), ("`LS-3`", ["LS-3"]),
        ("LS-3 … LS-6", ["LS-3", "LS-4", "LS-5", "LS-6"]), ("DM-15…17", ["DM-15", "DM-16", "DM-17"]),
        ("R12–R14", ["R12", "R13", "R14", "R14"]), ("TX-1 to TX-3", ["TX-1", "TX-2", "TX-3", "TX-3"]),
        ("SY-31", ["SY-31"]), ("(SY-92b).", ["SY-92b"]), ("SY-D30", ["SY-D30"]), ("SY-16 … SY-18", ["SY-16", "SY-17", "SY-18"]),
        ("SY-D1 … SY-D3", ["SY-D1", "SY-D2", "SY-D3"]), ("SY-D", []), ("QR-D1", []), ("SY-92x", []), ("LS-3b", []),
        ("QR-1, QR-5", ["QR-1", "QR-5"]), ("QR-5 to 7", ["QR-5"]), ("R1-2", ["R1"]),
        ("SE-0409", []), ("UTF-8", []), ("XQR-1", []), ("A-QR-1", []), ("SR12", []), ("R12x", []), ("RS256", []), ("QR-", []), ("", []),
    ]

    @Test(arguments: samples)
    func `ids and ranges are found, names that look like them are not`(text: String, ids: [String]) {
        let found = RuleCitations(text).found.map(\.id).sorted()
        // The last one of a range is found as an id and as part of the range.
        #expect(Set(found) == Set(ids) && found.count >= ids.count, "\(text): \(found)")
    }

    @Test func `rows are found where they are asked for only`() {
        func rows(_ text: String) -> [String] { RuleCitations(ofRowsIn: Array(text.utf8)).found.map(\.id) }
        #expect(rows("T29, (T30)") == ["T29", "T30"])
        #expect(Set(rows("T1 … T3")) == ["T1", "T2", "T3"])
        #expect(rows("UT8, T1a, T-1, T, -T1, T1234") == [])
        #expect(RuleCitations("T29").found.isEmpty)
    }

    @Test func `comments, documentation and strings are distinguished`() throws {
        func place(_ line: String) throws -> SwiftText.Place {
            let offset = try #require(ByteScan.offsets(of: UInt8(ascii: "@"), in: Array(line.utf8)).first)
            return SwiftText(line).place(of: offset)
        }
        #expect(try place("let a = 1  // @") == .comment)
        #expect(try place("    /// @") == .documentation)
        #expect(try place(#"let a = "@""#) == .string)
        #expect(try place(#"let a = "http://b" + "@""#) == .string)
        #expect(try place(#"let a = "\"//" + b  // @"#) == .comment)
        #expect(try place("let a = @") == .code)
        #expect(try place("let a = \"\"\"\n    // @\n    \"\"\"") == .string)
        #expect(try place("let a = \"\"\"\n    b\n    \"\"\"\n// @") == .comment)
    }

    @Test func `documentation belongs to the declaration below it`() {
        func isPublic(_ text: String) -> Bool { SwiftText(text).documentsPublic(at: 0) }
        #expect(isPublic("/// a\npublic func b() {}"))
        #expect(isPublic("/// a\n/// b\n    @discardableResult\n    public func b() {}"))
        #expect(isPublic("/// a\n@MainActor public final class B {}"))
        #expect(!isPublic("/// a\npackage func b() {}\npublic func c() {}"))
        #expect(!isPublic("/// a\n\npublic func c() {}"))
        #expect(!isPublic("/// a"))
    }
}
