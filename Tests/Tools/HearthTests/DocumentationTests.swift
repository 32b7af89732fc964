// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// What docs/reference/cli.md shows is what happens.
@Suite(.waitingForProcesses) struct DocumentationTests {
    private static let page = repositoryRoot.appendingPathComponent("docs/reference/cli.md")

    /// An example: a command, and what it prints.
    private struct Example {
        let line: Int
        let command: String
        var output: [String] = []
    }

    /// HEARTH_WRITE_CLI_DOCS=1 writes what happens into the page; look at the difference before it is committed.
    @Test func `every example of the page on the command line has the output shown`() throws {
        let lines = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "\n")
        var examples: [Example] = []
        var isConsole = false
        // Files that the page shows: their block begins with ```json file=NAME.
        var files: [String: String] = [:]
        var file: String?
        for (number, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
                file = line.components(separatedBy: " file=").dropFirst().last
            } else if let file {
                files[file, default: ""] += line + "\n"
            } else if isConsole, line.hasPrefix("$ ") {
                examples.append(Example(line: number, command: String(line.dropFirst(2))))
            } else if isConsole {
                examples[examples.count - 1].output.append(line)
            }
        }
        #expect(examples.count >= 35)
        let outputs = try Self.run(examples.map(\.command), files)
        try #require(outputs.count == examples.count)
        var page = lines
        for (example, output) in zip(examples, outputs).reversed() {
            if ProcessInfo.processInfo.environment["HEARTH_WRITE_CLI_DOCS"] != nil {
                let last = example.line + example.output.count
                if output.map(Self.lasting) != example.output.map(Self.lasting) {
                    page.replaceSubrange(example.line...last, with: [lines[example.line]] + output)
                }
            } else {
                #expect(output.map(Self.lasting) == example.output.map(Self.lasting), "docs/reference/cli.md:\(example.line + 1): \(example.command)")
            }
        }
        if page != lines { try page.joined(separator: "\n").write(to: Self.page, atomically: true, encoding: .utf8) }
    }

    /// Lines without the parts that differ each time.
    private static func lasting(_ line: String) -> String {
        line.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME").replacing(/\b[A-Za-z0-9]{20}\b/, with: "ID")
    }

    /// Runs the commands one after the other in one shell, in a temporary folder; returns the output of each, including errors.
    private static func run(_ commands: [String], _ files: [String: String]) throws -> [[String]] {
        let folder = NSTemporaryDirectory() + "hearth-docs-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in files { try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8) }
        var script = "cd \"$1\"; PATH=\"$(dirname \"$0\"):$PATH\"\n"
        // The next command sees how this one ended.
        for command in commands { script += "\(command)\ncode=$?; printf '\\001'; (exit $code)\n" }
        let shell = try HearthCommand.shell("exec 2>&1\n" + script, arguments: [folder])
        return shell.output.components(separatedBy: "\u{1}").dropLast().map { output in
            output.isEmpty ? [] : output.dropLast().components(separatedBy: "\n")
        }
    }
}
