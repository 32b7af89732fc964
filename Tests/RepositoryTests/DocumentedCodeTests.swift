// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The Swift code of the README and of the articles is compiled and run.
///
/// `Tests/App/SnippetTests` holds it between `// snippet: name` and `// end snippet`; snippets may be nested.
struct DocumentedCodeTests {
    private struct Code {
        /// The name of a snippet, or the position of a block.
        let name: String
        let text: String
    }

    private static let pages = Repository.markdownFiles.filter { page in
        // dev/readme follows the README besides: its manifest and its test of rules are no snippets.
        ["README.md", "docs/guides/moving.md", "docs/guides/offline.md", "docs/guides/events.md", "docs/guides/pipelines.md"].contains(page.path)
            || page.path.hasPrefix("docs/guides/mapping") || page.path.contains(".docc/")
    }

    @Test func `every Swift block of the README and the articles is a snippet`() throws {
        let snippets = try Set(Self.snippets().map(\.text))
        for page in Self.pages {
            for block in try Self.blocks(of: page) where !Self.isFollowed(block.text) {
                #expect(snippets.contains(block.text), "\(block.name) is no snippet of Tests/App/SnippetTests: change both alike")
            }
        }
    }

    private static func isFollowed(_ text: String) -> Bool {
        [".package(", ".testTarget(", "import Testing"].contains { text.contains($0) }
    }

    @Test func `every snippet has a unique name and is shown`() throws {
        let snippets = try Self.snippets()
        #expect(Set(snippets.map(\.name)).count == snippets.count)
        let shown = try Set(Self.pages.flatMap { try Self.blocks(of: $0) }.map(\.text))
        for snippet in snippets {
            #expect(shown.contains(snippet.text), "no page shows the snippet \(snippet.name)")
        }
    }

    private static func snippets() throws -> [Code] {
        var found: [Code] = []
        for file in Repository.swiftFiles where file.path.hasPrefix("Tests/App/SnippetTests/") {
            var open: [(name: String, lines: [Substring])] = []
            for (index, line) in try file.lines.enumerated() {
                let text = line.drop { $0 == " " }
                if text.hasPrefix("// snippet: ") {
                    open.append((name: String(text.dropFirst("// snippet: ".count)), lines: []))
                } else if text == "// end snippet" {
                    let last = open.popLast()
                    let snippet = try #require(last, "\(file):\(index + 1) ends no snippet")
                    found.append(Code(name: snippet.name, text: Self.text(of: snippet.lines)))
                } else {
                    for position in open.indices { open[position].lines.append(line) }
                }
            }
            #expect(open.isEmpty, "\(file) has a snippet without an end")
        }
        return found
    }

    /// The blocks of a page. Only a program has `@main`, a snippet never.
    private static func blocks(of page: Repository.File) throws -> [Code] {
        var found: [Code] = []
        var open: (line: Int, lines: [Substring])?
        for (index, line) in try page.lines.enumerated() {
            if line == "```swift" {
                open = (line: index + 1, lines: [])
            } else if line == "```", let block = open {
                found.append(Code(name: "\(page):\(block.line)", text: text(of: block.lines)))
                open = nil
            } else if line != "@main" {
                open?.lines.append(line)
            }
        }
        return found
    }

    /// Lines without their common indentation.
    private static func text(of lines: [Substring]) -> String {
        let indentations = lines.filter { !$0.isEmpty }.map { line in line.prefix { $0 == " " }.count }
        let text = lines.map { $0.dropFirst(indentations.min() ?? 0) }.joined(separator: "\n")
        return text.trimmingCharacters(in: .newlines)
    }
}
