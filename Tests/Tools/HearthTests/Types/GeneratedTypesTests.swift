// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import Foundation
import TestSupport
import Testing

/// What `hearth types` prints is compiled without warnings, decodes every document that was read, and writes it back without
/// loss (MP-31, MP-79).
#if os(Linux)
    @Suite(.waitingForProcesses, .serialized, .disabled(if: TestScale.isSanitized, "the objects beside the test are instrumented"))
    struct GeneratedTypesTests {
        /// A collection for which types are printed.
        private struct Source {
            var collection: String
            var type: String
            var options: [String]
            /// Documents with values that the encoder rejects.
            var unwritten: Set<String> = []
        }

        private static let main = """
            import FirebaseCore
            import FirebaseFirestore

            func check<T: Codable>(_ type: T.Type, _ collection: String, _ name: String) async throws {
                let database = Firestore.firestore()
                var (decoded, batch) = (0, database.batch())
                for document in try await database.collection(collection).getDocuments().documents {
                    let value: T
                    do {
                        value = try document.data(as: type)
                    } catch {
                        print("FAILED \\(name): \\(error)")
                        continue
                    }
                    decoded += 1
                    do {
                        try batch.setData(from: value, forDocument: database.collection(name).document(document.documentID))
                    } catch {
                        print("UNWRITTEN \\(collection)/\\(document.documentID): \\(error)")
                    }
                    if decoded % 400 == 0 {
                        try await batch.commit()
                        batch = database.batch()
                    }
                }
                try await batch.commit()
                print("DECODED \\(name) \\(decoded)")
            }

            FirebaseApp.configure()

            """

        private static func lines(_ documents: [(path: String, fields: FieldMap)]) throws -> String {
            var text = ""
            for document in documents {
                var writer = TypedJSONWriter(database: DatabaseID(projectID: DatabaseID.fallbackProject))
                let key = DocumentKey(trusted: document.path)
                try writer.append(Document(key: key, createTime: .none, updateTime: .none, fields: FieldBytes(document.fields)))
                text += writer.text + "\n"
            }
            return text
        }

        /// Imports, prints types, compiles them in one program, runs it, and compares.
        private func prove(_ sources: [Source], in folder: ScratchFolder, _ database: String) throws {
            var main = Self.main
            var files: [String] = []
            for (number, source) in sources.enumerated() {
                let types = try HearthCommand(["types", source.collection, "--data", database, "--name", source.type, "--quiet"] + source.options, environment: [:])
                try #require(types.exitCode == 0, "\(types.errors)")
                files.append(try folder.file("\(source.type).swift", types.output))
                main += "try await check(\(source.type).self, \"\(source.collection)\", \"\(source.collection)-back\(number)\")\n"
            }
            let program = folder.file("program")
            do {
                try GeneratedProgram.compile(files + [try folder.file("main.swift", main)], to: program, in: folder)
            } catch let failure as GeneratedProgram.Failure {
                Issue.record("\(failure)")
                return
            }
            let run = try ProcessRun(program, [], environment: ["HEARTH_DATABASE": database])
            try #require(run.exitCode == 0, "\(run.output.suffix(3_000))\n\(run.errors.suffix(3_000))")
            for line in run.output.split(separator: "\n") where line.hasPrefix("FAILED") { Issue.record("\(line)") }
            let export = folder.file("back.jsonl")
            #expect(try HearthCommand("export", "--data", database, "--quiet", "--overwrite", export).exitCode == 0)
            let all = try RoundTrip.read(export)
            for (number, source) in sources.enumerated() {
                // The comparison knows one name for what was written.
                let copy = Dictionary(
                    uniqueKeysWithValues: all.map { key, fields in
                        equalUTF8(key.collection.path, "\(source.collection)-back\(number)")
                            ? (DocumentKey(trusted: "\(source.collection)-back/\(key.id)"), fields) : (key, fields)
                    })
                let trip = RoundTrip(copy, name: source.collection, except: source.unwritten)
                #expect(!trip.stored.isEmpty && run.output.contains("DECODED \(source.collection)-back\(number) \(trip.stored.count)\n"))
                #expect(trip.differences.isEmpty, "\(source): \(trip.differences.prefix(8))")
            }
            for line in run.output.split(separator: "\n") where line.hasPrefix("UNWRITTEN") {
                let path = line.dropFirst("UNWRITTEN ".count).prefix { $0 != ":" }
                #expect(sources.contains { $0.unwritten.contains(String(path)) }, "\(line)")
            }
        }

        @Test func `types of random documents decode all of them and write them back`() throws {
            let folder = try ScratchFolder()
            let seeds = 0..<TestScale.pick(quick: 6, full: 50)
            var text = ""
            var sources: [Source] = []
            for seed in seeds {
                let documents = RandomDocuments(seed: UInt64(seed) + 10, count: 150).documents
                text += try Self.lines(documents.map { ("seed\(seed)/\($0.id)", $0.fields) })
                sources.append(Source(collection: "seed\(seed)", type: "Seed\(seed)", options: []))
                let options = [["--hearth"], ["--hearth", "--public"], ["--hearth", "--enums", "off", "--timestamps", "exact"]][seed % 3]
                sources.append(Source(collection: "seed\(seed)", type: "Extra\(seed)", options: options))
            }
            let database = folder.file("seeds.sqlite")
            let loaded = try HearthCommand("import", "--data", database, "--quiet", try folder.file("seeds.jsonl", text))
            try #require(loaded.exitCode == 0, "\(loaded.errors)")
            try prove(sources, in: folder, database)
        }

        @Test func `types of cities, of the guide's data and of an emulator's export decode and write them back`() throws {
            let folder = try ScratchFolder()
            let database = folder.file("data.sqlite")
            let root = repositoryRoot
            let cities = root.appendingPathComponent("Examples/Guide/Sources/Guide/Resources/cities-large.jsonl").path
            let fixture = root.appendingPathComponent("Tests/Tools/FirestoreTransferTests/Fixtures/emulator-default").path
            for arguments in [["--collection", "cities", "--id-field", "id", cities], [fixture], [try folder.file("guide.jsonl", GuideDocuments.lines)]] {
                let loaded = try HearthCommand(["import", "--data", database, "--quiet"] + arguments, environment: [:])
                try #require(loaded.exitCode == 0, "\(loaded.errors)")
            }
            var sources = [("City", []), ("EveryCity", ["--enums", "closed"]), ("OpenCity", ["--hearth", "--public"])].map {
                Source(collection: "cities", type: $0.0, options: $0.1)
            }
            for collection in ["books", "programming-languages", "locations", "articles", "colors"] {
                let type = "Guide" + collection.prefix(1).uppercased() + collection.dropFirst().prefix { $0.isLetter }
                sources.append(Source(collection: collection, type: type, options: []))
            }
            for options in [[], ["--hearth"]] {
                // NaN and the infinities are rejected by the encoder; a note says so.
                sources.append(Source(collection: "types", type: options.isEmpty ? "Fixture" : "FixtureExtra", options: options, unwritten: ["types/double"]))
            }
            try prove(sources, in: folder, database)
        }

        // MP-29: what the Apple SDK declares is enough.
        @Test func `portable types compile against the declarations of the Apple SDK`() throws {
            let folder = try ScratchFolder()
            let stubs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("AppleStubs/FirebaseFirestore.swift.txt")
            let source = try folder.file("FirebaseFirestore.swift", try String(contentsOf: stubs, encoding: .utf8))
            try GeneratedProgram.swiftc(
                ["-parse-as-library", "-emit-module", "-module-name", "FirebaseFirestore", source, "-emit-module-path", folder.file("FirebaseFirestore.swiftmodule")])
            var files: [String] = []
            for seed in 0..<TestScale.pick(quick: 6, full: 50) {
                let documents = RandomDocuments(seed: UInt64(seed) + 10, count: 100).documents
                let file = try folder.file("s\(seed).jsonl", try Self.lines(documents.map { ("seeds/\($0.id)", $0.fields) }))
                let types = try HearthCommand(["types", "seeds", "--from", file, "--name", "Seed\(seed)", "--quiet"] + (seed % 2 == 0 ? ["--public"] : []), environment: [:])
                try #require(types.exitCode == 0, "\(types.errors)")
                files.append(try folder.file("Seed\(seed).swift", types.output))
            }
            do {
                try GeneratedProgram.swiftc(["-warnings-as-errors", "-parse-as-library", "-typecheck", "-I", folder.path] + files)
            } catch let failure as GeneratedProgram.Failure {
                Issue.record("\(failure)")
            }
        }
    }
#endif
