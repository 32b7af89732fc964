// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `hearth import` of what other programs write: plain JSON, CSV, gzip.
@Suite(.waitingForProcesses) struct PlainImportTests {
    private let folder: ScratchFolder
    private let place: CommandPlace

    init() throws {
        folder = try ScratchFolder()
        place = try CommandPlace(.data)
    }

    private static let json = #"{"id":"SF","n":1,"x":1.5,"no":null,"m":{"a":[1,{"b":true}]}}"#
    private static let exported = #"{"path":"c/SF","fields":{"id":"SF","m":{"a":[1,{"b":true}]},"n":1,"no":null,"x":1.5}}"# + "\n"

    @Test func `lines, arrays and gzip of them give the same documents`() throws {
        for (name, text) in [("a.jsonl", Self.json + "\n"), ("a.json", "[\n  \(Self.json)\n]\n"), ("b.json", Self.json.replacing(",", with: ",\n"))] {
            let file = try folder.file(name, text)
            #expect(try HearthCommand.shell("gzip -k \"$1\"", arguments: [file]).exitCode == 0)
            for path in [file, file + ".gz"] {
                let place = try CommandPlace(.data)
                let run = try place.run("import", "--collection", "c", "--id-field", "id", path)
                #expect(run.exitCode == 0 && run.errors.hasPrefix("imported 1 document in "), "\(run)")
                #expect(try place.run("export", "--quiet", "-").output == Self.exported, "\(path)")
            }
        }
    }

    @Test func `CSV is imported with guessed types, which are shown, or with given ones`() throws {
        let file = try folder.file("c.csv", "\u{FEFF}code,name,people,since\r\nSF,\"San\r\nFrancisco\",860000,1776-06-29T00:00:00Z\r\nLA,\"\",,\r\n")
        let run = try place.run("import", "--collection", "cities", "--id-field", "code", file)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.errors.hasPrefix("hearth import: \(file): types code:string,name:string,people:int,since:timestamp (guessed from the first 2 rows; change them with --types)\nimported 2 documents"), "\(run)")
        #expect(try place.run("export", "--quiet", "-").output == """
            {"path":"cities/LA","fields":{"code":"LA","name":""}}
            {"path":"cities/SF","fields":{"code":"SF","name":"San\\r\\nFrancisco","people":860000,"since":{"$timestamp":"1776-06-29T00:00:00Z"}}}

            """)
        let said = try place.run("import", "--quiet", "--collection", "said", "--id-field", "code", "--types", "people:double,since:string", "--types", "code:string", file)
        #expect(said.exitCode == 0 && said.errors.isEmpty, "\(said)")
        #expect(try place.run("get", "said/SF").output.contains(#""people":860000.0,"since":"1776-06-29T00:00:00Z""#))
        let input = try place.run("import", "--quiet", "--format", "csv", "--collection", "made", "-", input: "n\n1\n2\n")
        #expect(input.exitCode == 0, "\(input)")
        #expect(try place.run("count", "made", "--sum", "n").output == "{\"count\":2,\"sum(n)\":3}\n")
    }

    @Test func `a path names the id, and tabs and semicolons are recognised`() throws {
        let place = try CommandPlace(.data)
        let path = try place.run("import", "--collection", "p", "--id-field", "meta.id", "--quiet", try folder.file("p.jsonl", "{\"meta\": {\"id\": 7}}\n{\"meta.id\": \"x\"}\n"))
        #expect(path.exitCode == 0, "\(path)")
        #expect(try place.run("count", "p").output == "2\n" && place.run("get", "p/7").exitCode == 0 && place.run("get", "p/x").exitCode == 0)
        let tabs = try place.run("import", "--collection", "t", "--id-field", "id", try folder.file("t.tsv", "id\tn\na\t1,5\n"))
        #expect(try tabs.exitCode == 0 && place.run("get", "t/a").output.contains(#""n":"1,5""#), "\(tabs)")
        let semicolons = try place.run("import", "--collection", "s", "--id-field", "id", try folder.file("s.csv", "id;n\na;1\n"))
        #expect(semicolons.errors.contains("s.csv: cells are separated by semicolons; --delimiter"), "\(semicolons)")
        let given = try place.run("import", "--collection", "g", "--id-field", "id", "--delimiter", ",", try folder.file("g.csv", "id,a;b;c\nx,1\n"))
        #expect(given.exitCode == 0 && !given.errors.contains("separated"), "\(given)")
        let wrapped = try place.run("import", "--collection", "w", try folder.file("w.json", "{\"cities\": [{\"id\": 1}]}"))
        #expect(wrapped.exitCode == 0 && wrapped.errors.contains("the file is one object, which becomes one document. Its member \"cities\""), "\(wrapped)")
        let lines = try place.run("import", "--collection", "o", try folder.file("o.json", "{\"lines\": [{\"id\": 1}]}\n{\"lines\": []}"))
        #expect(lines.exitCode == 0 && !lines.errors.contains("Its member"), "\(lines)")
    }

    static let mistakes: [(name: String, text: String, options: [String], says: [String])] = [
        ("a.jsonl", "{\"name\":\"SF\"}\n", [], ["a.jsonl: line 1: this is an ordinary JSON object", "--collection PATH", "--id-field NAME"]), ("a.csv", "a\n1\n", [], ["a.csv: a row of CSV", "--collection PATH"]),
        ("a.json", "[{\"id\":\"a\"},\n{\"id\":\"a\"}]", ["--collection", "c", "--id-field", "id"], ["line 2, field id: an earlier document of the file has the id \"a\" already"]),
        ("a.json", "{\"id\":\"a/b\"}", ["--collection", "c", "--id-field", "id"], ["line 1, field id: \"a/b\"", "slash"]),
        ("a.csv", "id,n\n,1\n", ["--collection", "c", "--id-field", "id"], ["line 2, field id", "empty"]),
        ("a.jsonl", "{\"a\":{\"b\":[1,[2]]}}", ["--collection", "c"], ["a.jsonl, line 1", "field a.b[1]", "array"]),
        ("a.csv", "n\n1\n", ["--collection", "c", "--types", "n:number"], ["--types n:number", "string, int, double"]),
        ("a.jsonl", "{}", ["--collection", "c", "--types", "n:int"], ["only columns of CSV have types", "omit --types"]), ("a.txt", "a;b\n", ["--collection", "c"], ["a.txt: the file is neither JSON nor named .csv"]),
        ("a.json", "{\"cities\": [{\"id\": 1}, {\"id\": 2}]}", [], ["an ordinary JSON object", "member \"cities\" is an array of objects", "jq -c '.cities[]' FILE | hearth import"]),
        ("a.json", "{\"n\": 1, \"my list\": [{\"id\": 1}]}", ["--collection", "c", "--id-field", "id"], ["field id: the field with the document's id is missing. Its member \"my list\"", ".[…][]"]),
        ("a.jsonl", "{\"a\":{\"b\":1}}", ["--collection", "c", "--id-field", "a.c"], ["field a.c: the field with the document's id is missing"]),
        ("a.jsonl", "{}", ["--collection", "c", "--delimiter", "tab"], ["only cells of CSV have a delimiter", "omit --delimiter"]),
        ("a.csv", "a,b\n1,\"2\n", ["--collection", "c"], ["a.csv: line 2: cell 2 begins with a double quote"]),
    ]

    @Test(arguments: mistakes.indices)
    func `mistakes are named with file, line and field, and without a document there is no database`(index: Int) throws {
        let (name, text, options, says) = Self.mistakes[index]
        let file = try folder.file(name, text)
        let run = try HearthCommand(["import", file, "--data", folder.file("new/d.sqlite")] + options, environment: [:])
        #expect(run.exitCode == 2, "\(run)")
        for part in says { #expect(run.errors.contains(part), "\(run)") }
        // The first document of the two with one id is in.
        let isEmpty = ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("new"))) ?? []).isEmpty
        #expect(isEmpty != run.errors.contains("\n1 document is imported"))
    }

    @Test func `a failed command leaves no empty database, and a filled one stays`() throws {
        let file = folder.file("d.sqlite")
        for arguments in [["import", folder.file("nothing")], ["set", "a/b", "{"], ["add", "a", "nonsense"], ["set", "a/b", "{}", "--if-exists"]] {
            let run = try HearthCommand(arguments + ["--data", file], environment: [:])
            #expect(run.exitCode != 0, "\(run)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "\(arguments)")
        }
        let half = try folder.file("half.jsonl", "{\"path\":\"a/1\",\"fields\":{}}\nnonsense\n")
        #expect(try HearthCommand("import", half, "--data", file).exitCode == 2)
        #expect(try HearthCommand("count", "a", "--data", file).output == "1\n")
        // One that was there before stays, though nothing is in it.
        let empty = folder.file("empty.sqlite")
        #expect(try HearthCommand("import", "--quiet", "--data", empty, try folder.file("none.jsonl", "")).exitCode == 0)
        #expect(try HearthCommand("import", "--data", empty, folder.file("nothing")).exitCode == 2)
        #expect(FileManager.default.fileExists(atPath: empty))
    }

    @Test func `a damaged or truncated file ends the import with the location`() throws {
        let file = try folder.file("a.jsonl", "{\"path\":\"a/1\",\"fields\":{}}\n")
        #expect(try HearthCommand.shell("cd \"$1\" && gzip -k a.jsonl && head -c 30 a.jsonl.gz > cut.gz", arguments: [folder.path]).exitCode == 0)
        let cut = try place.run("import", folder.file("cut.gz"))
        #expect(cut.exitCode == 2 && cut.errors.contains("cut.gz, byte 30: the compressed file is cut off"), "\(cut)")
        #expect(try place.run("import", file + ".gz").exitCode == 0)
    }

    @Test(.enabled(if: !TestScale.isSanitized, "a sanitizer does not work in a bounded address space"))
    func `a small file that inflates to gigabytes ends with a message`() throws {
        // Two gigabytes of blanks on one line, in an address space of one gigabyte.
        let bomb = try HearthCommand.shell(
            "head -c 2147483648 /dev/zero | tr '\\0' ' ' | gzip -1 > \"$1/bomb.jsonl.gz\"; ulimit -v 1048576; \"$0\" import --data \"$1/b.sqlite\" \"$1/bomb.jsonl.gz\"",
            arguments: [folder.path])
        #expect(bomb.exitCode == 2 && bomb.errors.contains("line 1: the line is longer than 16777216 bytes"), "\(bomb)")
    }
}
