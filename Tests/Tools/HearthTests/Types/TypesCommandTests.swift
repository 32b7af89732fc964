// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreSchema
import Foundation
import TestSupport
import Testing

@testable import hearth

/// `hearth types` on files, exports, databases and servers.
@Suite(.waitingForProcesses) struct TypesCommandTests {
    private static let lines = """
        {"path":"cities/SF","fields":{"name":"San Francisco","population":860000,"tags":["bay"]}}
        {"path":"cities/LA","fields":{"name":"Los Angeles","population":3900000,"tags":[],"mayor":{"$reference":"people/bass"}}}
        {"path":"cities/SF/landmarks/bridge","fields":{"name":"Golden Gate","height":227.4}}
        {"path":"countries/US/cities/NY","fields":{"name":"New York"}}

        """
    private static let expected = """
        // cities: 2 documents read, all.
        // cities/*/landmarks: hearth types landmarks --group
        import FirebaseFirestore

        struct City: Codable {
            @DocumentID var id: String?
            // people
            // in 1 of 2
            var mayor: DocumentReference?
            var name: String
            var population: Int
            var tags: [String]
        }

        """

    @Test(arguments: CommandPlace.Kind.allCases)
    func `types are printed for databases and servers`(kind: CommandPlace.Kind) throws {
        let (place, folder) = (try CommandPlace(kind), try ScratchFolder())
        #expect(try place.run("import", "--quiet", try folder.file("a.jsonl", Self.lines)).exitCode == 0)
        // Servers are asked for collections below documents on request only.
        let types = try place.run("types", "cities", "--subcollections")
        #expect(types.exitCode == 0 && types.output == Self.expected, "\(types.output)\(types.errors)")
        #expect(types.errors.contains("hearth types: read 2 documents"))
        let group = try place.run("types", "cities", "--group", "--quiet")
        #expect(group.output.contains("3 documents read") && group.output.contains("// in 2 of 3\n    var population: Int?") && group.errors.isEmpty)
        let some = try place.run("types", "cities", "--where", "population > 1000000")
        #expect(some.output.hasPrefix("// cities: 1 document read, all where population > 1000000.\n"))
        let first = try place.run("types", "cities", "--limit", "1")
        #expect(first.output.hasPrefix("// cities: 1 document read, the first 1 by name.\n"), "\(first.output)")
        let empty = try place.run("types", "nothing")
        #expect(empty.exitCode == 1 && empty.output.isEmpty && empty.errors.contains("there are no documents in nothing"))
    }

    // MP row T42, T41
    @Test func `files in any format and order give the same bytes, and no database is opened`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("a.jsonl", Self.lines)
        let reversed = try folder.file("b.jsonl", Self.lines.split(separator: "\n").reversed().joined(separator: "\n"))
        let database = folder.file("a.sqlite")
        #expect(try HearthCommand("import", "--data", database, "--quiet", file).exitCode == 0)
        #expect(try HearthCommand("export", "--data", database, "--quiet", "--format", "emulator", folder.file("seed")).exitCode == 0)
        for from in [file, reversed, folder.file("seed")] {
            let types = try HearthCommand(["types", "cities", "--from", from], environment: ["HEARTH_DATABASE": "/nonexistent/x.sqlite"])
            #expect(types.exitCode == 0 && types.output == Self.expected, "\(from): \(types.output)\(types.errors)")
        }
        let group = try HearthCommand("types", "countries/US/cities", "--from", file)
        #expect(group.output.contains("struct City: Codable {\n    @DocumentID var id: String?\n    var name: String\n}"))
        #expect(try HearthCommand("types", "landmarks", "--group", "--from", file).output.contains("var height: Double"))
    }

    // MP row T42
    @Test func `an export of the emulator and the same documents as JSON lines give the same bytes`() throws {
        let folder = try ScratchFolder()
        let fixture = repositoryRoot.appendingPathComponent("Tests/Tools/FirestoreTransferTests/Fixtures/emulator-default").path
        let database = folder.file("a.sqlite")
        #expect(try HearthCommand("import", "--data", database, "--quiet", fixture).exitCode == 0)
        #expect(try HearthCommand("export", "--data", database, "--quiet", folder.file("a.jsonl")).exitCode == 0)
        let (export, lines) = (try HearthCommand("types", "types", "--from", fixture), try HearthCommand("types", "types", "--from", folder.file("a.jsonl")))
        #expect(export.exitCode == 0 && export.output == lines.output && export.output.contains("struct TypeValue") == false && export.output.contains("documents read, all."))
    }

    @Test func `objects of other programs have their ids in a field`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("a.jsonl", "{\"code\":\"DE\",\"name\":\"Germany\"}\n{\"code\":\"FR\",\"name\":\"France\"}\n")
        let plain = try HearthCommand("types", "countries", "--from", file)
        #expect(plain.exitCode == 2 && plain.errors.contains("--id-field NAME") && !plain.errors.contains("--collection"))
        let types = try HearthCommand("types", "countries", "--from", file, "--id-field", "code")
        #expect(types.output.contains("struct Country: Codable") && types.output.contains("var code: String"))
        let broken = try HearthCommand("types", "countries", "--from", try folder.file("b.jsonl", Self.lines + "{\n"))
        #expect(broken.exitCode == 2 && broken.errors.contains("b.jsonl: line 5") && broken.output.isEmpty)
    }

    // MP-30
    @Test func `a file is written once, and a schema is widened`() throws {
        let folder = try ScratchFolder()
        let (first, second) = (try folder.file("a.jsonl", "{\"path\":\"c/1\",\"fields\":{\"n\":1}}\n"), try folder.file("b.jsonl", "{\"path\":\"c/2\",\"fields\":{\"n\":\"x\"}}\n"))
        let (output, schema) = (folder.file("C.swift"), folder.file("c.json"))
        #expect(try HearthCommand("types", "c", "--from", first, "-o", output, "--schema", schema).exitCode == 0)
        #expect(try String(contentsOfFile: output, encoding: .utf8).contains("var n: Int\n"))
        let refused = try HearthCommand("types", "c", "--from", second, "-o", output)
        #expect(refused.exitCode == 2 && refused.errors.contains("--overwrite"))
        let widened = try HearthCommand("types", "c", "--from", second, "-o", output, "--overwrite", "--schema", schema)
        #expect(widened.exitCode == 0)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.hasPrefix("// c: 2 documents read, 1 of them earlier.") && text.contains("case int(Int)"))
        let other = try HearthCommand("types", "d", "--from", try folder.file("d.jsonl", "{\"path\":\"d/1\",\"fields\":{}}"), "--schema", schema)
        #expect(other.exitCode == 2 && other.errors.contains("this is the schema of c"))
    }

    @Test func `a document that is read again for a schema is not counted again, unless it has changed`() throws {
        let folder = try ScratchFolder()
        let (schema, lines) = (folder.file("c.json"), (0..<5).map { "{\"path\":\"c/\($0)\",\"fields\":{\"n\":\($0)}}\n" })
        let first = try folder.file("1.jsonl", lines.joined())
        func text(_ file: String) throws -> String { try HearthCommand("types", "c", "--from", file, "--schema", schema, "--quiet").output }
        #expect(try text(first).hasPrefix("// c: 5 documents read, all."))
        #expect(try text(first).hasPrefix("// c: 5 documents read, all of them earlier."))
        let second = try folder.file("2.jsonl", lines.dropLast().joined() + "{\"path\":\"c/4\",\"fields\":{\"n\":\"4\"}}\n{\"path\":\"c/5\",\"fields\":{\"n\":5}}\n")
        let widened = try text(second)
        #expect(widened.hasPrefix("// c: 7 documents read, 5 of them earlier.") && widened.contains("// integer 6, string 1"))
    }

    @Test func `only Cloud Firestore is said to charge for reads`() throws {
        let place = try CommandPlace(.server)
        try place.fill([("c/1", "{}")])
        let types = try place.run("types", "c")
        #expect(types.exitCode == 0 && types.errors.contains("read 1 document") && !types.errors.contains("bills"), "\(types)")
    }

    @Test func `options that contradict each other are rejected`() throws {
        for arguments in [
            ["--portable", "--hearth"], ["--fields", "--macro"], ["--portable", "--macro"], ["--overwrite"], ["--all", "--limit", "3"], ["--limit", "0"], ["--name", "Date"], ["--name", "a b"],
            ["--id-field", "x"], ["--from", "x", "--where", "a == 1"], ["--enums", "maybe"], ["--conform", "sendable"],
        ] {
            let types = try HearthCommand(["types", "cities", "--data", "/nonexistent/x.sqlite"] + arguments, environment: [:])
            #expect(types.exitCode == 2 && types.output.isEmpty && !types.errors.contains("there is no such file"), "\(arguments): \(types.errors)")
        }
    }

    @Test func `a connection that breaks continues behind the last document`() async throws {
        let database = DatabaseID(projectID: "p")
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: database))
        var writes: [Write] = []
        for number in 0..<20 { writes.append(Write(key: DocumentKey(trusted: "c/d\(100 + number)"), operation: .set(FieldBytes(FieldMap([("n", .integer(Int64(number)))]))))) }
        _ = try await engine.commit(writes, context: .embedded)
        let gone = FirestoreError(.unavailable, "gone")
        let service = FlakyService(engine, .init(queries: [gone, gone, gone]), isShared: true)
        let open = OpenPlace(service: service, database: database, name: "test", timeout: nil)
        let reading = try SchemaReading(SchemaRequest(collection: "c", isQuiet: true), database: database)
        try await reading.read(open, command: "hearth types")
        try reading.finish { found in
            #expect(found.tree.documents == 20 && found.tree.root["n"]?.present == 20 && found.extent == "all")
        }
        #expect(service.plan.withLock { $0.moments.count } == 4)
        await engine.shutdown()
    }

    @Test func `documents of a pattern are distinguished from others and from those below`() throws {
        func match(_ text: String, group: Bool = false, _ path: String) throws -> CollectionPattern.Match {
            try CollectionPattern(text, isGroup: group).match(DocumentKey(trusted: path))
        }
        #expect(try match("a", "a/1") == .document("1"))
        #expect(try match("a", "ab/1") == .other)
        #expect(try match("a", "a/1/b/2") == .below("a/*/b"))
        #expect(try match("a", "a/1/b/2/c/3") == .other)
        #expect(try match("a/1/b", "a/1/b/2") == .document("2"))
        #expect(try match("b", group: true, "a/1/b/2") == .document("a/1/b/2"))
        #expect(try match("b", group: true, "b/2") == .document("b/2"))
        #expect(try match("b", group: true, "a/1/b/2/c/3") == .below("**/b/*/c"))
        #expect(try match("a/1/b", group: true, "a/1/x/1/b/2") == .document("a/1/x/1/b/2"))
        #expect(try match("a/1/b", group: true, "a/2/b/2") == .other)
        #expect(throws: FirestoreError.self) { try CollectionPattern("a/1", isGroup: false) }
    }
}
