// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import hearth

/// `hearth rules check` and `hearth rules test` as processes.
@Suite(.waitingForProcesses) struct RulesCommandTests {
    static func rules(_ body: String) -> String {
        "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n\(body)\n}}\n"
    }

    private static let good = rules("match /a/{id} { allow read: if request.auth != null; }")
    private static let doubtful = rules("match /a/{id} { allow read: if missing; }")
    private static let bad = rules("match /a/{id} { allow read: if ); }")
    private static let unproven = rules("match /a/{id} { allow list: if !('secret' in resource.data); }")

    static let checks: [(text: String?, options: [String], exitCode: Int32, output: String, errors: String)] = [
        (good, [], 0, "firestore.rules: no errors (", ""), (bad, [], 1, "firestore.rules:3:32: error: Unexpected ')'", ""), (bad, [], 1, "firestore.rules: 1 error\n", ""),
        (doubtful, [], 0, "firestore.rules:3:32: warning: Invalid variable name: missing.", ""), (doubtful, ["--strict"], 1, "no errors, 1 warning (", ""), (good, ["--strict"], 0, "no errors", ""),
        (unproven, [], 0, "or forbid such lists with strict lists.", ""), (unproven, ["--strict-lists"], 0, "strict lists refuse such a list query.", ""), (unproven, ["--strict-lists", "--strict"], 1, "warning", ""),
        ("", [], 2, "", "is empty"), (" \n\t\r\n", [], 2, "", "is empty"), (nil, [], 2, "", "does not exist"),
    ]

    @Test(arguments: checks.indices)
    func `check prints mistakes with their positions, and exits with a code`(index: Int) throws {
        let (text, options, exitCode, output, errors) = Self.checks[index]
        let folder = try ScratchFolder()
        let file = folder.file("firestore.rules")
        if let text { try text.write(toFile: file, atomically: true, encoding: .utf8) }
        let command = try HearthCommand(["rules", "check", file] + options, environment: [:])
        #expect(command.exitCode == exitCode, "\(command)")
        #expect(output.isEmpty ? command.output.isEmpty : command.output.contains(output), "\(command)")
        #expect(errors.isEmpty ? command.errors.isEmpty : command.errors.contains(errors), "\(command)")
    }

    @Test func `check prints one object for programs`() throws {
        let folder = try ScratchFolder()
        let (bad, unproven) = (try folder.file("bad.rules", Self.bad), try folder.file("unproven.rules", Self.unproven))
        let command = try HearthCommand("rules", "check", "--json", bad, unproven, folder.file("none"))
        #expect(command.exitCode == 2 && command.errors.isEmpty)
        let files = try #require(try command.object()["files"] as? [[String: Any]])
        #expect(files.map { $0["isUsable"] as? Bool } == [false, true, nil])
        let issue = try #require((files[0]["issues"] as? [[String: Any]])?.first)
        #expect(issue["line"] as? Int == 3 && issue["column"] as? Int == 32 && issue["severity"] as? String == "error")
        #expect(((files[1]["issues"] as? [[String: Any]])?.first?["field"] as? String) == "secret")
        #expect((files[2]["error"] as? String)?.contains("does not exist") == true)
    }

    @Test func `test prints the reason of a failure, coverage, and ends with a code`() throws {
        let folder = try ScratchFolder()
        let rules = try folder.file(
            "firestore.rules", Self.rules("match /a/{id} { allow read: if resource.data.n == debug(1); }\nmatch /b/{id} { allow read; }"))
        let cases = try folder.file(
            "cases.json",
            #"{"documents": {"a/1": {"n": 1}, "a/2": {"n": 2}}, "cases": [{"get": "a/1", "expect": "allow"}, {"name": "second", "get": "a/2", "expect": "allow"}]}"#)
        let (lcov, json) = (folder.file("rules.info"), folder.file("rules.json"))
        let command = try HearthCommand("rules", "test", rules, cases, "--lcov", lcov, "--coverage", json)
        #expect(command.exitCode == 1 && command.errors.isEmpty, "\(command)")
        for part in ["ok    case 1\n", "FAIL  second: expected allow, got deny\n", "L3:32 match", "resource.data.n = 2", "debug L3:", "2 cases, 1 failed\n"] {
            #expect(command.output.contains(part), "\(part) in \(command.output)")
        }
        #expect(try String(contentsOfFile: lcov, encoding: .utf8).contains("DA:3,"))
        #expect(try String(contentsOfFile: json, encoding: .utf8).contains("\"report\""))
        let object = try HearthCommand("rules", "test", "--json", rules, cases).object()
        #expect(object["passed"] as? Int == 1 && object["failed"] as? Int == 1)
        let passing = try folder.file("passing.json", #"{"cases": [{"get": "b/1", "expect": "allow"}, {"get": "c/1", "expect": "deny"}]}"#)
        let all = try HearthCommand("rules", "test", rules, passing, "--verbose")
        #expect(all.exitCode == 0 && all.output.contains("2 cases, all passed") && all.output.contains("get c/1: denied."))
    }

    @Test func `a malformed query in a case is an error with the position, not a denial`() throws {
        let folder = try ScratchFolder()
        let rules = try folder.file("firestore.rules", Self.rules("match /a/{id} { allow read; }"))
        let numbers = (0..<31).map { "\($0)" }.joined(separator: ", ")
        let cases = try folder.file("cases.json", #"{"cases": [{"name": "many", "list": "a", "where": "n in [\#(numbers)]", "expect": "deny"}]}"#)
        let command = try HearthCommand("rules", "test", rules, cases)
        #expect(command.exitCode == 2 && command.output.isEmpty, "\(command)")
        for part in ["in takes at most 30 values", "cases.json, many"] { #expect(command.errors.contains(part), "\(command)") }
    }

    static let refusals: [(text: String, part: String)] = [
        ("", "malformed"), ("[]", "an object is expected"), ("{}", "\"cases\" is missing"), (#"{"cases": []}"#, "\"cases\" is empty"), (#"{"cases": [{}]}"#, "exactly one of get, list"),
        (#"{"case": []}"#, "unknown member \"case\""), (#"{"cases": [{"get": "a/1"}]}"#, "\"expect\" is missing"), (#"{"cases": [{"get": "a/1", "expect": "yes"}]}"#, "\"allow\" or \"deny\" is expected"),
        (#"{"cases": [{"get": "a", "expect": "deny"}]}"#, "cases[0].get"), (#"{"cases": [{"get": "a/1", "set": "a/1", "expect": "deny"}]}"#, "but there are 2"),
        (#"{"cases": [{"get": "a/1", "data": {}, "expect": "deny"}]}"#, "unknown member \"data\""), (#"{"cases": [{"list": "a", "where": "n ==", "expect": "deny"}]}"#, "condition n =="),
        (#"{"cases": [{"list": "a", "limit": -1, "expect": "deny"}]}"#, "between 0 and"), (#"{"cases": [{"as": "", "get": "a/1", "expect": "deny"}]}"#, "the user's id is empty"),
        (#"{"cases": [{"as": {"id": "x"}, "get": "a/1", "expect": "deny"}]}"#, "\"uid\" is missing"), (#"{"cases": [{"batch": [], "expect": "deny"}]}"#, "\"batch\" is empty"),
        (#"{"time": "noon", "cases": [{"get": "a/1", "expect": "deny"}]}"#, "a time is expected"), (#"{"documents": {"a": {}}, "cases": []}"#, "even"),
        (#"{"documents": {"a/1": {"x": {"$bytes": 1}}}, "cases": []}"#, "documents.a/1"),
    ]

    @Test(arguments: refusals.indices)
    func `an invalid file of cases is rejected with the position`(index: Int) {
        let error = #expect(throws: (any Error).self) { try RulesCaseFile([UInt8](Self.refusals[index].text.utf8), name: "cases.json") }
        #expect("\(error.map { "\($0)" } ?? "")".contains(Self.refusals[index].part), "\(error.map { "\($0)" } ?? "")")
    }
}
