// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What the documents point at exists.
struct MarkdownTests {
    @Test func `every relative link leads to a file`() throws {
        for file in Repository.markdownFiles {
            let folder = (file.path as NSString).deletingLastPathComponent
            for target in try links(in: file) {
                let path = target.prefix { $0 != "#" }
                if path.isEmpty { continue }
                let full = (folder as NSString).appendingPathComponent(String(path))
                #expect(Repository.exists((full as NSString).standardizingPath), "\(file) links to \(target)")
            }
        }
    }

    @Test func `every page of docs is in one of its folders, and the table of contents links to it`() throws {
        let contents = try Set(links(in: Repository.File(path: "docs/README.md")).map { "docs/\($0)" })
        // Rules, decisions and the articles of the mapping have tables of contents of their own.
        let listed = ["docs/semantics/", "docs/decisions/", "docs/guides/mapping-", "docs/README.md"]
        for file in Repository.markdownFiles where file.path.hasPrefix("docs/") && !listed.contains(where: file.path.hasPrefix) {
            #expect(contents.contains(file.path), "\(file) is not in docs/README.md")
        }
    }

    @Test func `every decision begins with its number and its status, and is in the table`() throws {
        let table = try Repository.text(of: "docs/decisions/README.md")
        for file in Repository.markdownFiles where file.path.hasPrefix("docs/decisions/0") {
            let name = (file.path as NSString).lastPathComponent
            let number = try #require(Int(name.prefix(4)))
            let lines = try file.lines
            #expect(lines[0].hasPrefix("# \(number). "), "\(file) has another number in its title")
            let hasStatus = ["Accepted", "Superseded", "Merged"].contains { lines[2].hasPrefix("**Status.** \($0)") }
            #expect(hasStatus, "\(file) does not begin with its status")
            #expect(table.contains("| [\(number)](\(name)) | \(lines[0].dropFirst("# \(number). ".count)) |"), "\(file) is not in docs/decisions/README.md")
        }
    }

    @Test func `every make target a document mentions is in the Makefile`() throws {
        let makefile = try Repository.text(of: "Makefile")
        for file in Repository.markdownFiles {
            for line in try file.lines {
                for match in line.matches(of: /(?:^|`|\$ )make ([a-z][a-z-]*)/) {
                    #expect(makefile.contains("\n\(match.output.1): "), "\(file) mentions make \(match.output.1)")
                }
            }
        }
    }

    @Test func `help lists every target`() throws {
        let makefile = try Repository.text(of: "Makefile")
        let phony = try #require(makefile.firstMatch(of: /\.PHONY: (.*)/)).output.1.split(separator: " ")
        for target in phony {
            let described = makefile.split(separator: "\n").contains { $0.hasPrefix("\(target):") && $0.contains("## ") }
            #expect(described, "make \(target) has no description")
        }
    }

    @Test func `scripts can be run`() throws {
        let scripts = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appendingPathComponent("dev").path)
            .map { "dev/\($0)" } + [".ci/run", ".ci/bench-gate"]
        for path in scripts {
            guard let text = try? Repository.text(of: path), text.hasPrefix("#!") else { continue }
            #expect(FileManager.default.isExecutableFile(atPath: Repository.root.appendingPathComponent(path).path), "\(path)")
        }
    }

    /// Targets of inline links, without those on the web and those inside code.
    private func links(in file: Repository.File) throws -> [String] {
        var isCode = false
        return try file.lines.flatMap { line -> [String] in
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode else { return [] }
            return line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
        }
        .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") && !$0.hasPrefix("doc:") && !$0.hasPrefix("<doc:") }
    }
}
