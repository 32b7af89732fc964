// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreRules
import Foundation

/// `hearth rules check FILE…`: compiles rules and prints their errors and warnings.
struct RulesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compile files of security rules; print errors and warnings.",
        discussion: """
            Each finding is a line FILE:LINE:COLUMN: error or warning: what is wrong. Rules with warnings can be used. Some \
            warnings are about lists that rules grant although filters do not prove it; with --strict-lists, as with the option \
            of the same name of `hearth serve`, such lists are refused, and the warnings say so.

            EXIT CODES
              0  the rules can be used
              1  there are errors; with --strict also if there are warnings
              2  a file cannot be read, or the command was not understood

            EXAMPLES
              hearth rules check firestore.rules
              hearth rules check --strict --strict-lists firestore.rules
              hearth rules check --json *.rules | jq '.files[].issues[]'
            """)

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @Flag(help: "Check for a server that refuses lists which filters do not prove.")
    var strictLists = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Argument(help: "Files with security rules.", completion: .file(extensions: ["rules"]))
    var files: [String]

    /// A finding in one file.
    private enum Finding {
        case compiled(RuleSet)
        case refused(RulesError)
        case unreadable(path: String, RulesFile.Unreadable)
    }

    func run() throws {
        let findings = files.map(check)
        if json {
            print(JSON.object([("files", .array(findings.map(object)))]).text(.indented))
        } else {
            findings.forEach(say)
        }
        if findings.contains(where: { if case .unreadable = $0 { true } else { false } }) { throw Outcome.failure }
        if !findings.allSatisfy(isGood) { throw Outcome.findings }
    }

    private func check(_ path: String) -> Finding {
        let file: RulesFile
        do throws(RulesFile.Unreadable) {
            file = try RulesFile(reading: path)
        } catch {
            return .unreadable(path: path, error)
        }
        do throws(RulesError) {
            return .compiled(try file.compile())
        } catch {
            return .refused(error)
        }
    }

    private func isGood(_ finding: Finding) -> Bool {
        if case .compiled(let rules) = finding { !strict || shown(rules.issues).isEmpty } else { false }
    }

    private func shown(_ issues: [RulesIssue]) -> [RulesIssue] { strictLists ? issues.map(\.withStrictLists) : issues }

    // MARK: Text

    private func say(_ finding: Finding) {
        switch finding {
        case .compiled(let rules):
            let issues = shown(rules.issues)
            for issue in issues { print(issue.text(in: rules.source)) }
            let warnings = issues.isEmpty ? "" : ", \(RulesText.count(issues.count, "warning"))"
            print("\(rules.source.name): no errors\(warnings) (\(rules.hash))")
        case .refused(let error):
            let issues = shown(error.issues)
            for issue in issues { print(issue.text(in: error.source)) }
            let warnings = issues.count - error.errors.count
            let also = warnings == 0 ? "" : ", \(RulesText.count(warnings, "warning"))"
            print("\(error.source.name): \(RulesText.count(error.errors.count, "error"))\(also)")
        case .unreadable(_, let reason): StandardError.say("hearth rules check: \(reason.message)")
        }
    }

    // MARK: JSON

    private func object(_ finding: Finding) -> JSON {
        switch finding {
        case .compiled(let rules):
            object(rules.source, shown(rules.issues), isUsable: true, [("hash", .string(rules.hash)), ("version", .number(rules.version))])
        case .refused(let error): object(error.source, shown(error.issues), isUsable: false, [])
        case .unreadable(let path, let reason): .object([("file", .string(path)), ("error", .string(reason.message))])
        }
    }

    private func object(
        _ source: RulesSource, _ issues: [RulesIssue], isUsable: Bool, _ more: [(name: String, value: JSON)]
    ) -> JSON {
        let issues = issues.map { issue -> JSON in
            var members: [(name: String, value: JSON)] = [("severity", .string(issue.severity.rawValue.lowercased()))]
            if let range = issue.range {
                let position = source.position(of: range)
                members += [("line", .number(position.line)), ("column", .number(position.column))]
            }
            members.append(("message", .string(issue.message)))
            if let field = issue.field { members.append(("field", .string(field))) }
            return .object(members)
        }
        return .object([("file", .string(source.name)), ("isUsable", .boolean(isUsable))] + more + [("issues", .array(issues))])
    }
}

/// Words that the commands about rules share.
enum RulesText {
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
