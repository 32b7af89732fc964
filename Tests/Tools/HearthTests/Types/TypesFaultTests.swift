// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import hearth

/// What `hearth types` and `hearth schema` reject, and what they say about options that have no effect.
@Suite(.waitingForProcesses) struct TypesFaultTests {
    private static let lines = "{\"path\":\"c/1\",\"fields\":{\"n\":1,\"kind\":\"a\"}}\n{\"path\":\"c/2\",\"fields\":{\"n\":2,\"kind\":\"b\"}}\n"

    @Test func `options that mean nothing with a file, or contradict each other, are rejected`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("a.jsonl", Self.lines)
        for arguments in [
            ["--all"], ["--subcollections"], ["--server", "127.0.0.1:1"], ["--data", "x.sqlite"], ["--cloud", "p"], ["--project", "p"], ["--timeout", "5"],
        ] {
            for command in ["types", "schema"] {
                let refused = try HearthCommand([command, "c", "--from", file] + arguments, environment: [:])
                #expect(refused.exitCode == 2 && refused.output.isEmpty && refused.errors.contains("\(arguments[0]) requires a database"), "\(refused.errors)")
            }
        }
        for arguments in [["--enum", "kind", "--no-enum", "kind"], ["--map", "n", "--struct", "n"], ["--name", "CaseIterable"], ["--schema", "-"]] {
            let refused = try HearthCommand(["types", "c", "--from", file] + arguments, environment: [:])
            #expect(refused.exitCode == 2 && refused.output.isEmpty && refused.errors.contains(arguments[0]), "\(refused.errors)")
        }
        let text = try HearthCommand("types", "c", "--from", try folder.file("f.txt", "id,n\n1,2\n"), "--id-field", "id")
        #expect(text.exitCode == 2 && text.errors.contains("ends in .csv") && !text.errors.contains("--format"), "\(text.errors)")
    }

    @Test func `paths that name nothing are reported on standard error`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("a.jsonl", Self.lines)
        let types = try HearthCommand("types", "c", "--from", file, "--enum", "kin", "--enum", "n")
        #expect(types.exitCode == 0 && types.errors.contains("hearth types: warning: --enum kin names no field that was read\n"), "\(types.errors)")
        #expect(types.errors.contains("hearth types: warning: --enum n has no effect: it is never a string\n"))
        #expect(try HearthCommand("types", "c", "--from", file, "--enum", "kin", "--quiet").errors.isEmpty)
    }

    // MP-30
    @Test func `the schema is rewritten only if the types could be written, and contains the requested cases`() throws {
        let folder = try ScratchFolder()
        let (file, schema) = (try folder.file("a.jsonl", Self.lines), folder.file("c.json"))
        let failed = try HearthCommand("types", "c", "--from", file, "--schema", schema, "-o", "/nonexistent/a.swift")
        #expect(failed.exitCode == 2 && !FileManager.default.fileExists(atPath: schema), "\(failed.errors)")
        let call = ["types", "c", "--from", file, "--schema", schema, "--enum", "kind", "-o", "-"]
        for _ in 0..<3 {
            let types = try HearthCommand(call, environment: [:])
            #expect(types.exitCode == 0 && types.output.contains("enum Kind:"), "\(types.output)\(types.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.jsonl", "c.json"])
    }

    @Test func `schemas are read from pipes and standard input, and schemas of other documents are rejected`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("a.jsonl", Self.lines)
        let json = try HearthCommand("schema", "c", "--from", file, "--json").output
        let schema = try folder.file("c.json", json)
        let pipes = try HearthCommand.shell("\"$0\" schema diff <(cat \"$1\") \"$1\" && \"$0\" schema c --from \"$2\" --against <(cat \"$1\")", arguments: [schema, file])
        #expect(pipes.exitCode == 0 && pipes.output.isEmpty, "\(pipes.output)\(pipes.errors)")
        #expect(try HearthCommand(["schema", "diff", schema, "-"], environment: [:], input: json).exitCode == 0)
        #expect(try HearthCommand("schema", "diff", "-", "-").exitCode == 2)
        let directory = try HearthCommand("schema", "diff", schema, folder.path)
        #expect(directory.exitCode == 2 && directory.errors.contains("this is a directory"), "\(directory.errors)")
        let group = try HearthCommand("schema", "c", "--group", "--from", file, "--against", schema)
        #expect(group.exitCode == 2 && group.errors.contains("this is the schema of the collection c, not of the group c"), "\(group.errors)")
        let other = try HearthCommand("schema", "d", "--from", file, "--against", schema)
        #expect(other.exitCode == 2 && other.errors.contains("this is the schema of c, not of d"), "\(other.errors)")
    }

    @Test func `suggested commands quote ids for the shell`() throws {
        #expect(ShellWord.quoted("land_marks-2.x") == "land_marks-2.x")
        #expect(ShellWord.quoted("$(touch pwn)") == "'$(touch pwn)'")
        #expect(ShellWord.quoted("it's") == "'it'\\''s'")
        // Not an apostrophe to Swift, but to a shell.
        #expect(ShellWord.quoted("a'\u{301};b").unicodeScalars.elementsEqual("'a'\\''\u{301};b'".unicodeScalars))
        #expect(ShellWord.remark("c/*/-rf") == "c/*/-rf: hearth types --group -- -rf")
        #expect(ShellWord.remark("c/*/a\nb") == "c/*/a\\nb")
        let folder = try ScratchFolder()
        let file = try folder.file("a.jsonl", "{\"path\":\"c/1\",\"fields\":{}}\n{\"path\":\"c/1/$(touch  pwn)/2\",\"fields\":{}}\n{\"path\":\"c/1/-rf/2\",\"fields\":{\"n\":1}}\n")
        let types = try HearthCommand("types", "c", "--from", file)
        #expect(types.output.contains("\n// c/*/$(touch  pwn): hearth types '$(touch  pwn)' --group\n"), "\(types.output)")
        #expect(try HearthCommand("types", "--from", file, "--quiet", "--group", "--", "-rf").output.contains("var n: Int"))
    }
}
