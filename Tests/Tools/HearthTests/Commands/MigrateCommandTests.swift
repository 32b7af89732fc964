// SPDX-License-Identifier: Apache-2.0
import FirestoreSchema
import Foundation
import TestSupport
import Testing

@testable import hearth

#if canImport(Glibc)
    import Glibc
#endif

/// `hearth migrate`, on a file and over the network: MP-69.
@Suite(.waitingForProcesses) struct MigrateCommandTests {
    private static let kinds = CommandPlace.Kind.allCases

    /// The documents of the location by path, as typed JSON of their fields.
    private func documents(of place: CommandPlace, _ collection: String = "cities") throws -> [String: [String: Any]] {
        let run = try place.run("query", collection, "--output", "jsonl")
        var result: [String: [String: Any]] = [:]
        for line in run.output.split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            result[try #require(object["path"] as? String)] = try #require(object["fields"] as? [String: Any])
        }
        return result
    }

    private func fill(_ place: CommandPlace, _ count: Int) throws {
        let lines = (0..<count).map { #"{"path": "cities/\#(1_000 + $0)", "fields": {"pop": \#($0), "x": "kept"}}"# }
        let run = try place.run("import", "-", input: lines.joined(separator: "\n") + "\n")
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test(arguments: kinds) func `all edits in one run, and nothing left for a second one`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([
            ("cities/a", #"{"pop": 5, "price": "12", "draft": true, "x": 1}"#), ("cities/b", #"{"pop": 6, "stars": 1, "schemaVersion": 1}"#),
            ("cities/c", #"{"pop": 7, "schemaVersion": 3}"#), ("cities/a/parts/p", #"{"pop": 1}"#),
        ])
        let arguments = ["migrate", "cities", "--rename", "pop=population", "--default", "stars=3", "--remove", "draft,none", "--convert", "price:integer", "--set-version", "3"]
        let rehearsal = try place.run(arguments + ["--dry-run"])
        #expect(rehearsal.exitCode == 0 && rehearsal.errors.isEmpty)
        #expect(rehearsal.output == """
            cities: 3 documents read, 2 to migrate
              rename pop=population  2
              remove draft           1
              remove none            0
              convert price:integer  1
              default stars          1
              set-version 3          2
            cities/a
              - draft: boolean
              - pop: integer
              + population: integer
              - price: string
              + price: integer
              + schemaVersion: integer
              + stars: integer
            cities/b
              - pop: integer
              + population: integer
              - schemaVersion: integer
              + schemaVersion: integer

            """)
        #expect(try place.run(arguments + ["--dry-run", "--show-values"]).output.contains("  - price: \"12\"\n  + price: 12\n"))
        #expect(try documents(of: place)["cities/a"]?["pop"] as? Int == 5)
        let run = try place.run(arguments)
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.hasPrefix("cities: 3 documents read, 2 migrated\n"))
        let found = try documents(of: place)
        #expect(found["cities/a"] as NSDictionary? == ["population": 5, "price": 12, "schemaVersion": 3, "stars": 3, "x": 1])
        #expect(found["cities/b"] as NSDictionary? == ["population": 6, "schemaVersion": 3, "stars": 1])
        #expect(found["cities/c"] as NSDictionary? == ["pop": 7, "schemaVersion": 3])
        let again = try place.run(arguments)
        #expect(again.exitCode == 0 && again.output.hasPrefix("cities: 3 documents read, 0 migrated\n"))
        #expect(try place.run(arguments + ["--quiet"]).output.isEmpty)
    }

    @Test(arguments: kinds) func `a group has all collections of its id`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([("a/1/parts/p", #"{"n": 1}"#), ("b/2/parts/q", #"{"n": 2}"#), ("parts/r", #"{"n": 3}"#)])
        let run = try place.run("migrate", "--group", "parts", "--rename", "n=number")
        #expect(run.exitCode == 0 && run.output.hasPrefix("parts: 3 documents read, 3 migrated\n"))
        let below = try place.run("migrate", "--group", "a/1/parts", "--rename", "number=n")
        #expect(below.output.hasPrefix("a/1/parts: 1 document read, 1 migrated\n"))
    }

    @Test(arguments: kinds) func `documents that cannot be migrated are listed, without their values`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([("c/a", #"{"price": "much", "old": 1}"#), ("c/b", #"{"price": "7"}"#), ("c/c", #"{"old": 1, "new": 2}"#)])
        let run = try place.run("migrate", "c", "--convert", "price:integer", "--rename", "old=new")
        #expect(run.exitCode == 1)
        #expect(run.errors == """
            hearth migrate: c/a: field price: string cannot become an integer without loss
            hearth migrate: c/c: field new: there is a field of the new name already
            hearth migrate: not migrated: 2 documents

            """)
        #expect(try documents(of: place, "c") as NSDictionary == ["c/a": ["price": "much", "old": 1], "c/b": ["price": 7], "c/c": ["old": 1, "new": 2]])
        #expect(try place.run("migrate", "c", "--convert", "price:integer", "--dry-run").exitCode == 1)
    }

    @Test(arguments: kinds) func `the summary is JSON for programs`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([
            ("c/a", #"{"price": "much", "old": 1}"#), ("c/b", #"{"price": "7"}"#), ("c/c", #"{"price": 1}"#), ("c/d", #"{"price": "8", "draft": 1}"#),
        ])
        let arguments = ["migrate", "c", "--remove", "draft", "--convert", "price:integer", "--json"]
        func summary(isDryRun: Bool) -> String {
            """
            {
              "version": 1,
              "collection": "c",
              "isGroup": false,
              "isDryRun": \(isDryRun),
              "read": 4,
              "changed": 2,
              "skipped": 1,
              "failed": 1,
              "conflicts": 0,
              "passes": \(isDryRun ? 1 : 2),
              "edits": [
                {
                  "edit": "remove draft",
                  "documents": 1
                },
                {
                  "edit": "convert price:integer",
                  "documents": 2
                }
              ],
              "failures": [
                {
                  "path": "c/a",
                  "problem": "field price: string cannot become an integer without loss"
                }
              ]
            }

            """
        }
        let rehearsal = try place.run(arguments + ["--dry-run"])
        #expect(rehearsal.exitCode == 1 && rehearsal.output == summary(isDryRun: true), "\(rehearsal.output)")
        // Quiet leaves out what is meant for a person.
        let run = try place.run(arguments + ["--quiet"])
        #expect(run.exitCode == 1 && run.output == summary(isDryRun: false), "\(run.output)")
        #expect(run.errors == """
            hearth migrate: c/a: field price: string cannot become an integer without loss
            hearth migrate: not migrated: 1 document

            """)
        // A run that stops has no summary.
        let stopped = try place.run("migrate", "c", "--remove", "__a__", "--json")
        #expect(stopped.exitCode == 2 && stopped.output.isEmpty)
        let group = try place.run("migrate", "--group", "c", "--remove", "draft", "--json")
        #expect(group.exitCode == 0 && group.output.contains("\"isGroup\": true,") && group.output.contains("\"skipped\": 4,"))
    }

    static let mistakes: [(arguments: [String], says: String)] = [
        ([], "nothing to do"), (["--rename", "a"], "field=new is expected"), (["--rename", "a=a"], "both names are the same"), (["--convert", "a:text"], "one of integer, double"),
        (["--convert", "a"], "field:type is expected"), (["--default", "a"], "field=value is expected"), (["--default", "a=x"], "a"), (["--remove", "a", "--resume"], "--resume requires --checkpoint"),
        (["--remove", "a", "--show-values"], "requires --dry-run"),
        (["--remove", "a", "--dry-run", "--show-values", "--json"], "exclude each other"), (["--remove", "a", "--rate", "0"], "--rate"), (["--set-version", "0"], "at least 1"),
        (["--remove", "a", "--checkpoint", "x", "--checkpoint-document", "c/x"], "exclude each other"), (["--remove", "__a__"], "__a__"),
        (["--remove", ""], "--remove : "), (["--rename", "=x"], "--rename =x: "), (["--rename", "x="], "--rename x=: "), (["--default", "=1"], "--default =1: "),
        (["--convert", ":integer"], "--convert :integer: "), (["--set-version", "2", "--version-field", ""], "--version-field : "),
        (["--remove", "a", "--version-field", "v"], "--version-field requires --set-version"),
        (["--rename", "x=y", "--default", "x=9"], "--rename x=y and --default x=9: they cannot be made together, because both concern x; run two commands"),
        (["--rename", "b=c", "--rename", "a=b"], "--rename b=c and --rename a=b: "), (["--convert", "s:seconds", "--convert", "s:string"], "--convert s:seconds and --convert s:string: "),
        (["--default", "k=1", "--default", "k=2"], "--default k=1 and --default k=2: "), (["--remove", "a,b,a"], "--remove a: it is given twice"),
        (["--rename", "a=a.b"], "--rename a=a.b: one field lies in the other"), (["--convert", "n:integer", "--default", "n=\"7\""], "both concern n"),
        (["--remove", "v", "--set-version", "2", "--version-field", "v"], "--remove v and --version-field v: "),
        (["--remove", "a", "--checkpoint-document", "c/x"], "c/x: the checkpoint would be migrated itself"),
        (["--remove", "a", "--dry-run", "--checkpoint-document", "c/x"], "c/x: the checkpoint would be migrated itself"),
        (["--group", "--remove", "a", "--checkpoint-document", "d/y/c/x"], "d/y/c/x: the checkpoint would be migrated itself"),
    ]

    @Test(arguments: mistakes.indices) func `mistakes are named`(row: Int) throws {
        let (arguments, says) = Self.mistakes[row]
        let place = try CommandPlace(.data)
        try place.fill([("c/a", #"{"n": 1}"#)])
        let run = try place.run(["migrate", "c"] + arguments)
        #expect(run.exitCode == 2 && run.output.isEmpty)
        #expect(run.errors.contains(says), "\(run.errors)")
        #expect(!run.errors.contains("--resume for the rest"))
    }

    @Test(arguments: kinds) func `a collection without documents is a finding, for a misspelt name is likely`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([("cities/a", #"{"n": 1}"#)])
        let run = try place.run("migrate", "citys", "--remove", "n")
        #expect(run.exitCode == 1 && run.errors == "hearth migrate: there are no documents in citys\n")
        #expect(run.output.hasPrefix("citys: 0 documents read, 0 migrated\n"))
    }

    @Test(arguments: kinds) func `a version that is not one is reported, and the document stays`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        let invalid = ["text": #""9""#, "null": "null", "negative": "-1", "double": "2.0"]
        try place.fill(invalid.map { ("c/\($0.key)", #"{"n": 1, "schemaVersion": \#($0.value)}"#) } + [("c/old", #"{"schemaVersion": 2}"#), ("c/zero", "{}")])
        for isDryRun in [true, false] {
            let run = try place.run(["migrate", "c", "--remove", "n", "--set-version", "3"] + (isDryRun ? ["--dry-run"] : []))
            #expect(run.exitCode == 1)
            #expect(run.errors == """
                hearth migrate: c/double: field schemaVersion: the stored double is not a version, an integer of 0 or more
                hearth migrate: c/negative: field schemaVersion: a negative integer is not a version, an integer of 0 or more
                hearth migrate: c/null: field schemaVersion: the stored null is not a version, an integer of 0 or more
                hearth migrate: c/text: field schemaVersion: the stored string is not a version, an integer of 0 or more
                hearth migrate: \(isDryRun ? "could not be migrated" : "not migrated"): 4 documents

                """)
        }
        let found = try documents(of: place, "c")
        #expect(found["c/old"] as NSDictionary? == ["schemaVersion": 3] && found["c/zero"] as NSDictionary? == ["schemaVersion": 3])
        #expect(found["c/text"] as NSDictionary? == ["n": 1, "schemaVersion": "9"] && found["c/negative"] as NSDictionary? == ["n": 1, "schemaVersion": -1])
        #expect(found["c/double"]?["n"] as? Int == 1 && found["c/null"]?["n"] as? Int == 1)
    }

    @Test func `a checkpoint that cannot be written is found before any document is written`() throws {
        let place = try CommandPlace(.data)
        let folder = try ScratchFolder()
        try fill(place, 2)
        let damaged = folder.path + "/damaged.json"
        let strange = folder.path + "/strange.json"
        try Data(#"{"fingerprint": "cities"#.utf8).write(to: URL(fileURLWithPath: damaged))
        try Data(#"{"fingerprint":"x","pass":1,"last":"cities","read":0,"migrated":0,"migratedInPass":0,"steps":[0]}"#.utf8)
            .write(to: URL(fileURLWithPath: strange))
        let rows: [(file: String, says: String)] = [
            (folder.path + "/none/checkpoint.json", "it cannot be written: No such file or directory"), (folder.path, "it is a directory; name a file"),
            ("/dev/full", "it is not a file"), (folder.path + "/" + String(repeating: "x", count: 300), "it cannot be written: "),
            (damaged, "it is damaged, or not the checkpoint of a migration"), (strange, "it is damaged, or not the checkpoint of a migration"),
        ]
        for (file, says) in rows {
            for arguments in [[], ["--resume"]] {
                let run = try place.run(["migrate", "cities", "--remove", "x", "--checkpoint", file] + arguments)
                #expect(run.exitCode == 2 && run.output.isEmpty)
                // Long names are cut.
                #expect(run.errors.hasPrefix("hearth migrate: the checkpoint \(file.prefix(150))"), "\(run.errors)")
                #expect(run.errors.contains(": \(says)"))
                #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains("Error"), "\(run.errors)")
            }
        }
        #expect(try documents(of: place).values.allSatisfy { $0["x"] != nil })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["damaged.json", "strange.json"])
        // A document that holds something else, and an invalid checkpoint of this location.
        try place.fill([("notes/a", #"{"checkpoint": "{}"}"#)])
        let document = try place.run("migrate", "cities", "--remove", "x", "--checkpoint-document", "notes/a", "--resume")
        #expect(document.exitCode == 2 && document.errors.hasPrefix("hearth migrate: the checkpoint notes/a: it is damaged"), "\(document.errors)")
    }

    @Test func `all numbers of the report are grouped`() throws {
        var outcome = MigrationOutcome(steps: 1)
        (outcome.read, outcome.migrated, outcome.steps) = (60_000, 46_950, [46_950])
        let lines = MigrationText.report(outcome, ["remove x"], of: "cities", isDryRun: true, after: .seconds(1))
        #expect(lines == ["cities: 60,000 documents read, 46,950 to migrate", "  remove x  46,950"])
        #expect(MigrationText.progress(read: 60_000, migrated: 46_950, pass: 1, after: .seconds(10)) == "60,000 documents read, 46,950 migrated, 6,000/s")
    }

    @Test func `a checkpoint that another run has left is named`() throws {
        let place = try CommandPlace(.data)
        let folder = try ScratchFolder()
        let file = folder.path + "/checkpoint.json"
        try fill(place, 3)
        try Data(#"{"fingerprint":"cities: rename pop=population","pass":1,"last":"cities/1001","read":2,"migrated":0,"migratedInPass":0,"steps":[0]}"#.utf8)
            .write(to: URL(fileURLWithPath: file))
        let arguments = ["migrate", "cities", "--rename", "pop=population", "--checkpoint", file]
        let busy = try place.run(arguments)
        #expect(busy.exitCode == 2 && busy.errors.contains(file) && busy.errors.contains("resume"))
        let other = try place.run(["migrate", "cities", "--remove", "x", "--checkpoint", file, "--resume"])
        #expect(other.exitCode == 2 && other.errors.contains("another migration"))
        // It continues behind the document it names, and then looks at all of them once more.
        let resumed = try place.run(arguments + ["--resume"])
        #expect(resumed.exitCode == 0 && resumed.output.hasPrefix("cities: 3 documents read, 3 migrated\n"), "\(resumed.output)\(resumed.errors)")
        #expect(try documents(of: place).values.allSatisfy { $0["population"] != nil })
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    // MARK: Killed and resumed

    @Test(arguments: kinds, 0..<TestScale.pick(quick: 1, full: 12))
    func `killed at any moment and resumed, every document is old or new, and none is lost`(kind: CommandPlace.Kind, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let place = try CommandPlace(kind)
        let folder = try ScratchFolder()
        let count = 400
        try fill(place, count)
        let arguments = ["migrate", "cities", "--rename", "pop=population", "--checkpoint", folder.path + "/checkpoint.json", "--resume"]
        var changed: [String: Int] = [:]
        var kills = 0
        while kills < 5 {
            let run = try RunningCommand(arguments + ["--rate", "800"] + place.options)
            usleep(UInt32.random(in: 20_000...400_000, using: &random))
            if kind != .data {
                // Another process changes a document while the migration runs. A file has one process at a time.
                let path = "cities/\(1_000 + Int.random(in: 0..<count, using: &random))"
                #expect(try place.run("update", path, "others=\(kills)").exitCode == 0)
                changed[path] = kills
            }
            run.interrupt(SIGKILL)
            _ = run.end()
            kills += 1
            try check(try documents(of: place), count, changed)
        }
        if kind == .data {
            #expect(try place.run("update", "cities/1399", "others=9").exitCode == 0)
            changed["cities/1399"] = 9
        }
        let last = try place.run(arguments)
        #expect(last.exitCode == 0, "\(last.errors)")
        let found = try documents(of: place)
        try check(found, count, changed)
        #expect(found.values.allSatisfy { $0["pop"] == nil })
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/checkpoint.json"))
    }

    private func check(_ found: [String: [String: Any]], _ count: Int, _ changed: [String: Int]) throws {
        #expect(found.count == count)
        for number in 0..<count {
            let path = "cities/\(1_000 + number)"
            let fields = try #require(found[path])
            var expected: [String: Any] = [fields["pop"] == nil ? "population" : "pop": number, "x": "kept"]
            expected["others"] = changed[path]
            #expect(fields as NSDictionary == expected as NSDictionary, "\(path)")
        }
    }
}
