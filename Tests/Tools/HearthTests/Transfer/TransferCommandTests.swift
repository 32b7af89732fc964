// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import hearth

#if canImport(Glibc)
    import Glibc
#endif

/// `hearth import` and `hearth export`, against a file and a server.
@Suite(.waitingForProcesses) struct TransferCommandTests {
    /// A folder that goes away with the test.
    private final class Folder {
        let path = NSTemporaryDirectory() + "hearth-transfer-" + AutoID.make()
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
        func file(_ name: String) -> String { path + "/" + name }
        func write(_ text: String, to name: String) throws -> String {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
            return file(name)
        }
        func text(of name: String) throws -> String { try String(contentsOf: URL(fileURLWithPath: file(name)), encoding: .utf8) }
        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    }

    /// Sorted, of every kind, one of them below a document that does not exist.
    private static let lines = """
        {"path":"cities/SF","fields":{"area":{"land":121.4},"name":"San Francisco","population":860000,"tags":["bay",null,true]}}
        {"path":"cities/SF/parks/dolores","fields":{"where":{"$geopoint":{"latitude":37.7596,"longitude":-122.4269}}}}
        {"path":"gone/away/sub/doc","fields":{}}
        {"path":"types/__id7__","fields":{"bytes":{"$bytes":"SGVhcnRo"},"city":{"$reference":"cities/SF"},"nan":{"$double":"NaN"},"vector":{"$vector":[0.5,-1.0]},"when":{"$timestamp":"2026-11-21T09:30:00.250Z"}}}
        {"path":"types/é","fields":{"max":9223372036854775807,"price":{"$map":{"$usd":-0.0}},"text":"é\\n😀"}}

        """

    @Test(arguments: CommandPlace.Kind.allCases, ["jsonl", "emulator"])
    func `export, import and export give the same bytes`(kind: CommandPlace.Kind, format: String) throws {
        let folder = try Folder()
        let (first, second) = (try CommandPlace(kind), try CommandPlace(kind))
        let imported = try first.run("import", try folder.write(Self.lines, to: "in.jsonl"))
        #expect(imported.exitCode == 0, "\(imported)")
        #expect(imported.output.isEmpty)
        #expect(imported.errors.hasPrefix("imported 5 documents in "), "\(imported)")
        let exported = try first.run("export", "--format", format, folder.file("out"))
        #expect(exported.exitCode == 0, "\(exported)")
        #expect(exported.errors.hasPrefix("exported 5 documents in "), "\(exported)")
        if format == "jsonl" { #expect(try folder.text(of: "out") == Self.lines) }
        #expect(try second.run("import", "--quiet", folder.file("out")).errors.isEmpty)
        let text = try second.run("export", "-")
        #expect(text.exitCode == 0, "\(text)")
        #expect(text.output == Self.lines)
        #expect(folder.names == ["in.jsonl", "out"])
        // Once more changes nothing.
        #expect(try second.run("import", "--quiet", folder.file("out")).exitCode == 0)
        #expect(try second.run("export", "--quiet", "-").output == Self.lines)
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `documents pass through standard input and output, also from other programs`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        let cities = "{\"id\":\"SF\",\"n\":1}\n\n{\"id\":7,\"n\":2.5}\n"
        let run = try place.run("import", "--collection", "cities", "--id-field", "id", "-", input: cities)
        #expect(run.exitCode == 0, "\(run)")
        let export = try place.run("export", "-")
        #expect(export.output == "{\"path\":\"cities/7\",\"fields\":{\"id\":7,\"n\":2.5}}\n{\"path\":\"cities/SF\",\"fields\":{\"id\":\"SF\",\"n\":1}}\n")
        #expect(try place.run("import", "--collection", "cities", "--quiet", "-", input: "{\"made\":\"up\"}").exitCode == 0)
        #expect(try place.run("count", "cities").output == "3\n")
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `collections and groups choose`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        #expect(try place.run("import", "--quiet", "-", input: Self.lines).exitCode == 0)
        func paths(_ options: String...) throws -> [String] {
            try place.run(["export", "--quiet", "-"] + options).output.split(separator: "\n").map { String($0.dropFirst(9).prefix { $0 != "\"" }) }
        }
        #expect(try paths("--collection", "cities") == ["cities/SF", "cities/SF/parks/dolores"])
        #expect(try paths("--collection", "cities", "--shallow") == ["cities/SF"])
        #expect(try paths("--group", "sub", "--group", "parks") == ["cities/SF/parks/dolores", "gone/away/sub/doc"])
        #expect(try paths("--collection", "gone", "--collection", "nothing") == ["gone/away/sub/doc"])
        #expect(try place.run("export", "--collection", "a/b", "-").exitCode == 2)
        #expect(try place.run("export", "--group", "a/b", "-").exitCode == 2)
    }

    static let mistakes: [(line: String, says: String)] = [
        ("{\"path\":\"cities/SF\"}", "line 2, column 21: \"fields\" is missing"), ("nonsense", "line 2, column 1"),
        ("{\"path\":\"cities\",\"fields\":{}}", "even number"), ("{\"path\":\"c/d\",\"fields\":{\"__x__\":1}}", "line 2: c/d, field __x__"),
        ("{\"path\":\"c/d\",\"fields\":{\"a\":{\"b\":{\"$time\":1}}}}", "field a.b"),
    ]

    @Test(arguments: CommandPlace.Kind.allCases, mistakes.indices)
    func `a malformed line stops an import, and the documents before it are imported`(kind: CommandPlace.Kind, index: Int) throws {
        let folder = try Folder()
        let place = try CommandPlace(kind)
        let file = try folder.write("{\"path\":\"a/1\",\"fields\":{}}\n\(Self.mistakes[index].line)\n{\"path\":\"a/2\",\"fields\":{}}\n", to: "f")
        let stopped = try place.run("import", file)
        #expect(stopped.exitCode == 2)
        #expect(stopped.errors.hasPrefix("hearth import: \(file)") && stopped.errors.contains(Self.mistakes[index].says), "\(stopped)")
        #expect(stopped.errors.contains("line 2"), "\(stopped)")
        #expect(stopped.errors.hasSuffix("1 document is imported; run the command again after correcting this\n"), "\(stopped)")
        #expect(try place.run("export", "--quiet", "-").output == "{\"path\":\"a/1\",\"fields\":{}}\n")
        for options in [["--skip-bad", "1"], ["--keep-going"]] {
            let left = try place.run(["import", file] + options)
            #expect(left.exitCode == 1)
            #expect(left.errors.contains("left out: \(file)") && left.errors.contains("imported 2 documents"), "\(left)")
            #expect(left.errors.hasSuffix("hearth import: left out 1 document\n"), "\(left)")
        }
    }

    @Test func `an export replaces a file only on request, and a failure leaves the old file`() throws {
        let folder = try Folder()
        let place = try CommandPlace(.data)
        #expect(try place.run("import", "--quiet", "-", input: Self.lines).exitCode == 0)
        let file = try folder.write("precious", to: "file")
        let refused = try place.run("export", file)
        #expect(refused.exitCode == 2)
        #expect(refused.errors.contains("file: a file or folder of this name exists already") && refused.errors.contains("--overwrite"), "\(refused)")
        #expect(try folder.text(of: "file") == "precious")
        // An export in the emulator's form replaces only such an export.
        #expect(try place.run("export", "--format", "emulator", "--overwrite", file).exitCode == 2)
        #expect(try place.run("export", "--overwrite", file).exitCode == 0)
        #expect(try folder.text(of: "file") == Self.lines)
        #expect(try place.run("export", folder.file("missing/file")).exitCode == 2)
        #expect(folder.names == ["file"])
        let closed = try HearthCommand.shell("\"$0\" export --quiet - --data \"$1\" | head -1; echo ${PIPESTATUS[0]}", arguments: [place.options[1]])
        #expect(closed.output.hasSuffix("}}\n0\n") && closed.errors.isEmpty, "\(closed)")
    }

    @Test func `files that cannot be read are named`() throws {
        let folder = try Folder()
        let place = try CommandPlace(.data)
        func errors(_ arguments: String...) throws -> String {
            let run = try place.run(arguments)
            #expect(run.exitCode == 2, "\(run)")
            return run.errors
        }
        #expect(try errors("import", folder.file("nothing")).contains("nothing: the file cannot be opened: No such file"))
        #expect(try errors("import", folder.path).contains("there is no export here"))
        #expect(try errors("import", "--format", "emulator", try folder.write("x", to: "x")).contains("an export is a folder"))
        #expect(try errors("import", try folder.write("torn", to: "a.overall_export_metadata")).contains("byte 0"))
        #expect(try errors("import", "--format", "xml", "-").contains("xml"))
        #expect(try errors("import", "--id-field", "id", "-").contains("--id-field requires --collection"))
        #expect(try errors("import").contains("<file>"))
        #expect(try errors("export", "--format", "emulator", "-").contains("an export for the emulator is a folder"))
        #expect(try errors("export", "--shallow", "-").contains("--shallow requires --collection"))
        // A database that is not there is not made by looking at it.
        #expect(try HearthCommand("export", "--data", folder.file("no.sqlite"), "-").exitCode == 2)
        #expect(!folder.names.contains("no.sqlite"))
    }

    @Test func `an interrupted export reports the files it has left`() throws {
        let folder = try ScratchFolder()
        #expect(ExportCommand.left(of: "-", false) == "the output is not complete")
        #expect(ExportCommand.left(of: folder.file("a.jsonl"), false).hasSuffix("a.jsonl was not created"))
        #expect(ExportCommand.left(of: folder.file("a.jsonl"), true).hasSuffix("a.jsonl is unchanged"))
    }

    @Test func `an interrupted import reports it, and leaves a sound database or none`() throws {
        let folder = try Folder()
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let running = try RunningCommand(["import", pipe, "--data", folder.file("d.sqlite")])
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: Data("{\"path\":\"a/1\",\"fields\":{}}\n".utf8))
        try running.wait(until: { FileManager.default.fileExists(atPath: folder.file("d.sqlite")) })
        running.interrupt(SIGINT)
        // It looks up when the next line comes.
        try? writer.write(contentsOf: Data("{\"path\":\"a/2\",\"fields\":{}}\n".utf8))
        #expect(running.end() == 130)
        try? writer.close()
        // Interrupted before the first document was sent, it leaves no database behind.
        let isThere = FileManager.default.fileExists(atPath: folder.file("d.sqlite"))
        #expect(try !isThere || HearthCommand("check", folder.file("d.sqlite")).exitCode == 0)
    }
}
