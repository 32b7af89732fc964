// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Which suites `make test` runs, and that no suite runs nowhere.
struct RingTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The suites of `make test`, as the Makefile lists them.
    private static func ring() throws -> Set<String> {
        let makefile = try text("Makefile").replacing("\\\n", with: " ")
        let line = try #require(makefile.split(separator: "\n").first { $0.hasPrefix("RING := ") })
        return Set(line.split { $0 == " " || $0 == "\t" }.dropFirst(2).map(String.init))
    }

    @Test func `the page about tests lists each suite once, with the target that runs it`() throws {
        let ring = try Self.ring()
        let suites = try Manifest.package.get().targets.filter { $0.type == "test" }.map(\.name)
        #expect(ring.isSubset(of: suites), "the Makefile lists \(ring.subtracting(suites).sorted()), which Package.swift does not have")
        let wanted = suites.map { "| `\($0)` | `make \(ring.contains($0) ? "test" : "check")` |" }
        let rows = try Self.text("docs/internals/testing.md").split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("| `") && ($0.hasSuffix("Tests` | `make test` |") || $0.hasSuffix("Tests` | `make check` |")) }
        #expect(rows.sorted() == wanted.sorted())
    }

    @Test func `each step that runs only after changes is one of the Makefile, and names paths that exist`() throws {
        let makefile = try Self.text("Makefile")
        for line in try Self.text("dev/protected.txt").split(separator: "\n") {
            let words = line.split(separator: " ")
            #expect(words.count > 2 && makefile.contains("dev/protected \(words[0]) "), "\(words[0])")
            for path in words.dropFirst(2) {
                let place = Repository.root.appendingPathComponent(String(path)).path
                #expect(FileManager.default.fileExists(atPath: place), "\(words[0]): \(path)")
            }
        }
    }
}
