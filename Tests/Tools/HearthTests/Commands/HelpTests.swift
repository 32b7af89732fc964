// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import Foundation
import TestSupport
import Testing

@testable import hearth

@Suite(.waitingForProcesses) struct HelpTests {
    static let commands = [
        "get", "set", "update", "add", "delete", "query", "count", "watch", "collections", "explain", "types", "schema",
        "import", "export", "migrate", "check", "backup", "restore", "cache", "rules", "admin-key", "accounts", "console", "init",
        "databases", "indexes", "fields", "operations", "backups", "deploy",
    ]

    @Test(arguments: commands)
    func `help explains every command, with examples that can be copied`(command: String) throws {
        let help = try HearthCommand([command, "--help"], environment: ["COLUMNS": "80"])
        #expect(help.exitCode == 0)
        #expect(help.errors.isEmpty)
        for part in ["OVERVIEW: ", "EXIT CODES\n", "EXAMPLES\n", "USAGE: hearth \(command)"] { #expect(help.output.contains(part), "\(part)") }
        let examples = try #require(help.output.components(separatedBy: "EXAMPLES\n").last?.components(separatedBy: "\n\n").first)
        for line in examples.split(separator: "\n") { #expect(line.hasPrefix("  ") && line.utf8.count < 80, "wrapped: \(line)") }
        #expect(examples.split(separator: "\n").count >= 2)
        #expect(try HearthCommand("help", command).output == help.output)
    }

    @Test(arguments: ["check", "migrate", "schema show", "schema diff"])
    func `commands with a report for programs say so`(command: String) throws {
        let help = try HearthCommand(command.split(separator: " ").map(String.init) + ["--help"], environment: ["COLUMNS": "80"])
        #expect(help.output.contains("  --json  "))
    }

    // OP-92
    @Test func `the version is that of the library, with the newest storage format`() throws {
        let version = try HearthCommand("--version")
        #expect(version.exitCode == 0 && version.errors.isEmpty)
        #expect(version.output == VersionText.text + "\n")
        #expect(version.output.contains("\(LibraryVersion.text) (") && version.output.contains("storage format \(StorageFormat.newest))"))
    }

    @Test func `the version names the commit of a build that was given one`() {
        #expect(VersionText.text(version: "1.2.0", commit: "4f2a", format: 3) == "hearth 1.2.0 (commit 4f2a, storage format 3)")
        #expect(VersionText.text(version: "1.2.0", commit: "", format: 3) == "hearth 1.2.0 (storage format 3)")
    }

    static let mistyped: [(arguments: [String], says: String)] = [
        (["gett", "cities/SF"], "there is no command 'gett'; did you mean 'get'?"), (["help", "exprot"], "there is no command 'exprot'; did you mean 'export'?"),
        (["collec"], "did you mean 'collections'?"), (["qeury", "cities"], "did you mean 'query'?"), (["query", "cities", "--wher", "a == 1"], "Did you mean '--where'?"),
        (["query", "--wher", "a == 1"], "Did you mean '--where'?"), (["query", "cities", "--output", "tabel"], "Did you mean 'table'?"), (["import", "--format", "jsnl", "-"], "Did you mean 'jsonl'?"),
        (["get", "cities/SF", "--colour", "never"], "Did you mean '--color'?"), (["delete", "a/b", "--recursiv"], "Did you mean '--recursive'?"),
        (["rules", "tset", "a"], "there is no command 'rules tset'; did you mean 'rules test'?"), (["help", "cache", "usgae"], "did you mean 'cache usage'?"),
        (["accounts", "exprt"], "did you mean 'accounts export'?"), (["types", "c", "--conform", "hashabel"], "Did you mean 'hashable'?"),
        (["serve", "--durability", "ful"], "--durability must be full or relaxed, not ful; did you mean full?"),
        (["serve", "--indexes", "automtic"], "did you mean automatic?"), (["serve", "--log-level", "wraning"], "did you mean warning?"),
        (["import", "--collection", "c", "--types", "a:tiemstamp", "f.csv", "--data", "x"], "did you mean timestamp?"),
        (["migrate", "c", "--convert", "a:tmestamp", "--data", "/nonexistent/x", "--dry-run"], "did you mean timestamp?"),
        (["--verson"], "Unknown option '--verson'. Did you mean '--version'?"), (["get", "--hepl"], "Unknown option '--hepl'. Did you mean '--help'?"),
        (["query", "--wher"], "Unknown option '--wher'. Did you mean '--where'?"), (["set", "--merg=1", "--data", "x"], "Unknown option '--merg'. Did you mean '--merge'?"),
        (["get", "--data", "x"], "Missing expected argument '<paths> ...'"),
    ]

    @Test(arguments: mistyped.indices)
    func `a mistyped name is answered with the nearest one, in one line`(index: Int) throws {
        let (arguments, says) = Self.mistyped[index]
        let run = try HearthCommand(arguments, environment: [:])
        #expect(run.exitCode == 2 && run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").first?.contains(says) == true, "\(run.errors)")
    }

    @Test func `options that a server cannot start with are answered with the usage of the command`() throws {
        for (arguments, name) in [(["serve", "--auth"], "serve"), (["serve", "--port", "70000"], "serve"), (["serve", "--data", "a", "--in-memory"], "serve")] {
            let run = try HearthCommand(arguments, environment: [:])
            #expect(run.exitCode == 2 && run.errors.hasPrefix("Error: ") && run.errors.contains("\nUsage: hearth \(name) "), "\(run.errors)")
            #expect(run.errors.contains("See 'hearth \(name) --help'"), "\(run.errors)")
        }
        let variable = try HearthCommand(["serve"], environment: ["HEARTH_PORT": "many"])
        #expect(variable.errors.hasPrefix("Error: the environment variable HEARTH_PORT is not a whole number"), "\(variable.errors)")
    }

    @Test(arguments: [("gett", "get"), ("xyz", nil), ("", nil), ("q", nil), ("qeury", "query"), ("ex", "explain"), ("wtach", "watch"), ("sert", "set"), ("Import", "import")])
    func `the nearest name is not any name`(word: String, name: String?) {
        #expect(NearestName.of(word, in: Self.commands) == name)
    }

    @Test func `the first page lists all commands`() throws {
        let help = try HearthCommand("--help").output
        for command in Self.commands { #expect(help.contains("\n  \(command) "), "\(command)") }
        let nothing = try HearthCommand([], environment: [:])
        #expect(nothing.exitCode == 0)
        #expect(nothing.output.contains("OVERVIEW"))
        let mistake = try HearthCommand("qeury", "cities")
        #expect(mistake.exitCode == 2)
        #expect(mistake.output.isEmpty && mistake.errors.contains("Usage: hearth"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `there is a completion script for every shell`(shell: String) throws {
        let script = try HearthCommand("--generate-completion-script", shell)
        #expect(script.exitCode == 0)
        for word in Self.commands { #expect(script.output.contains(word), "\(word)") }
        #expect(script.output.contains("jsonl"))
        if shell == "bash" {
            let check = try HearthCommand.shell("\"$0\" --generate-completion-script bash > \"$1\" && bash -n \"$1\"; rm \"$1\"", arguments: [NSTemporaryDirectory() + UUID().uuidString])
            #expect(check.exitCode == 0 && check.errors.isEmpty, "\(check)")
        }
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `shells complete paths from the database itself`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([("cities/SF", "{}"), ("cities/SEA", "{}"), ("cities/SF/landmarks/bridge", "{}"), ("countries/US", "{}")])
        func complete(_ command: String, _ prefix: String) throws -> [String] {
            let script = try HearthCommand("--generate-completion-script", "bash").output
            let argument = ["get": "paths", "delete": "paths", "query": "collection", "count": "collection", "set": "path"][command] ?? ""
            // What the script asks the command for.
            #expect(script.contains("---completion \(command) -- positional@0"), "\(argument)")
            let words = ["hearth", command] + place.options + [prefix]
            let asked = ["---completion", command, "--", "positional@0", "\(words.count - 1)", "\(prefix.utf8.count)"] + words
            return try HearthCommand(asked, environment: ["SAP_SHELL": "bash"]).output.split(separator: "\n").map(String.init)
        }
        #expect(try complete("query", "c") == ["cities", "countries"])
        #expect(try complete("get", "cit") == ["cities/"])
        #expect(try complete("get", "cities/S") == ["cities/SEA", "cities/SF"])
        #expect(try complete("query", "cities/SF/") == ["cities/SF/landmarks"])
        #expect(try complete("delete", "cities/SF/l") == ["cities/SF/landmarks", "cities/SF/landmarks/"])
        #expect(try complete("get", "cities/SF/landmarks/") == ["cities/SF/landmarks/bridge"])
        #expect(try complete("get", "x/y/z/a/") == [])
    }

    @Test func `without a database nothing is completed or printed`() throws {
        for options in [[], ["--data", "/nonexistent"]] as [[String]] {
            let words = ["hearth", "get"] + options + ["c"]
            let asked = ["---completion", "get", "--", "positional@0", "\(words.count - 1)", "1"] + words
            let command = try HearthCommand(asked, environment: ["SAP_SHELL": "bash"])
            #expect(command.exitCode == 0 && command.errors.isEmpty, "\(command)")
            #expect(command.output.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty)
        }
    }
}
