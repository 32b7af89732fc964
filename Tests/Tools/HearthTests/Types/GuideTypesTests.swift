// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The types of the guide's chapter "Types from data" are what the command prints now, from the data beside them.
@Suite(.waitingForProcesses) struct GuideTypesTests {
    private static let guide = repositoryRoot.appendingPathComponent("Examples/Guide/Sources/Guide")

    private static func resource(_ name: String) -> URL { guide.appendingPathComponent("Resources/\(name)") }

    /// Runs the command that the second line of the file names, with the documents of a file.
    private func expectCurrent(_ type: String, from file: String) throws {
        let committed = try String(contentsOf: Self.guide.appendingPathComponent("TypesFromData/\(type).swift"), encoding: .utf8)
        let head = committed.split(separator: "\n").prefix(2)
        let quoted = try #require(head.last?.split(separator: "`"))
        try #require(quoted.count == 3 && quoted[0] == "// Written by ")
        var arguments = quoted[1].split(separator: " ").map(String.init)
        #expect(arguments.removeFirst() == "hearth")
        if let from = arguments.firstIndex(of: "--from") { arguments.removeSubrange(from...(from + 1)) }
        let types = try HearthCommand(arguments + ["--from", file, "--quiet"], environment: [:])
        try #require(types.exitCode == 0, "\(types.errors)")
        let expected = head.joined(separator: "\n") + "\n" + types.output
        #expect(committed == expected, "write \(type).swift again, with the command in its second line")
    }

    @Test func `the type of the books equals the command's output`() throws {
        try expectCurrent("StoredBook", from: Self.resource("books.jsonl").path)
    }

    @Test func `the type of the cities equals the command's output`() throws {
        let folder = try ScratchFolder()
        let lines = try String(contentsOf: Self.resource("cities-large.jsonl"), encoding: .utf8).split(separator: "\n").map { line in
            // The id is the document's, and no field.
            let city = try #require(line.wholeMatch(of: /\{"id":"([0-9]+)",(.*)/))
            return "{\"path\":\"cities/\(city.1)\",\"fields\":{\(city.2)}"
        }
        try expectCurrent("StoredCity", from: try folder.file("cities.jsonl", lines.joined(separator: "\n")))
    }
}
