// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreRules
import Foundation

/// `hearth rules test FILE CASES…`: asks rules about requests, and compares the answers with the expected ones.
struct RulesTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Ask rules about requests, and compare the answers with what is expected.",
        discussion: """
            CASES are JSON files with documents and requests:
              {"documents": {"notes/1": {"owner": "alice"}},
               "cases": [
                 {"name": "owners read", "as": "alice", "get": "notes/1", "expect": "allow"},
                 {"name": "others do not", "as": "bob", "get": "notes/1", "expect": "deny"}]}

            A request is one of get, list, group, create, set, update, delete and batch; docs/reference/cli.md describes all members. Each \
            case is independent of the others. For a case that fails, the statements that were consulted and the values of their \
            expressions are printed.

            EXIT CODES
              0  every case passed
              1  a case failed
              2  a file cannot be read, the rules have errors, or the command was not understood

            EXAMPLES
              hearth rules test firestore.rules cases.json
              hearth rules test firestore.rules tests/*.json --lcov rules.info
              hearth rules test --json firestore.rules cases.json
            """)

    @Flag(help: "Refuse lists which filters do not prove, as hearth serve does with this option.")
    var strictLists = false

    @Option(help: ArgumentHelp("Write the coverage of lines and branches to this file, in the format of LCOV.", valueName: "file"))
    var lcov: String?

    @Option(help: ArgumentHelp("Write the coverage to this file, in the JSON format of the official emulator.", valueName: "file"))
    var coverage: String?

    @Flag(name: .shortAndLong, help: "Also print the reason of cases that pass.")
    var verbose = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Argument(help: "The file with the rules.", completion: .file(extensions: ["rules"]))
    var rules: String

    @Argument(help: "Files with cases.", completion: .file(extensions: ["json"]))
    var cases: [String]

    func run() throws {
        let ruleSet = try compiled()
        let coverage = RulesCoverage(ruleSet)
        var results: [RulesCaseResult] = []
        for path in cases {
            for testCase in try RulesCaseFile(reading: path).cases {
                let result = try testCase.run(ruleSet, strictLists: strictLists)
                coverage.add(result.trace)
                results.append(result)
            }
        }
        if let lcov { try write(coverage.lcov, to: lcov) }
        if let file = self.coverage { try write(coverage.json.text(.indented) + "\n", to: file) }
        json ? show(results) : say(results)
        if results.contains(where: { !$0.passed }) { throw Outcome.findings }
    }

    private func compiled() throws -> RuleSet {
        let file: RulesFile
        do throws(RulesFile.Unreadable) {
            file = try RulesFile(reading: rules)
        } catch {
            throw FirestoreError(.invalidArgument, error.message)
        }
        do throws(RulesError) {
            return try file.compile()
        } catch {
            for issue in error.errors { StandardError.say(issue.text(in: error.source)) }
            throw Outcome.failure
        }
    }

    private func write(_ text: String, to file: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw FirestoreError(.invalidArgument, "the file cannot be written; its directory must exist and be writable", at: file)
        }
    }

    // MARK: Text

    private func say(_ results: [RulesCaseResult]) {
        for result in results {
            if result.passed {
                print("ok    \(result.name)")
            } else {
                print("FAIL  \(result.name): expected \(result.expected.rawValue), got \(result.actual.rawValue)")
            }
            for (position, value) in result.debugged { print("      debug \(position): \(value.text())") }
            guard !result.passed || verbose else { continue }
            for line in "\(result.explanation)".split(separator: "\n") { print("      \(line)") }
        }
        let failed = results.count { !$0.passed }
        print("\(RulesText.count(results.count, "case")), \(failed == 0 ? "all passed" : "\(failed) failed")")
    }

    // MARK: JSON

    private func show(_ results: [RulesCaseResult]) {
        let objects = results.map { result -> JSON in
            let statements = result.explanation.statements.map { statement -> JSON in
                let values = statement.values.map { value -> JSON in
                    .object([
                        ("line", .number(value.position.line)), ("column", .number(value.position.column)),
                        ("expression", .string(value.expression)), ("result", .string(value.result)),
                    ])
                }
                return .object([
                    ("line", .number(statement.position.line)), ("column", .number(statement.position.column)),
                    ("match", .string(statement.matchPath)), ("outcome", .string(statement.outcome)), ("values", .array(values)),
                ])
            }
            return .object([
                ("file", .string(result.file)), ("name", .string(result.name)), ("passed", .boolean(result.passed)),
                ("expected", .string(result.expected.rawValue)), ("actual", .string(result.actual.rawValue)),
                ("operation", .string(result.explanation.operation)), ("statements", .array(statements)),
            ])
        }
        let failed = results.count { !$0.passed }
        print(
            JSON.object([
                ("rules", .string(rules)), ("passed", .number(results.count - failed)), ("failed", .number(failed)),
                ("cases", .array(objects)),
            ]).text(.indented))
    }
}
