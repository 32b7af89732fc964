// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSchema
import Foundation
import TestSupport
import Testing

/// Names of generated code, hostile and ordinary ones, at random: what is printed compiles (MP-27, MP-31).
#if os(Linux)
    @Suite(.waitingForProcesses, .serialized, .disabled(if: TestScale.isSanitized, "the modules beside the test are instrumented"))
    struct GeneratedNamesTests {
        /// Names that the language, the SDK or the generated code uses, and names that become equal to another one.
        private static let hostile = [
            "id", "_id", "ID", "Id", "documentID", "document_id", "self", "Self", "init", "Type", "Protocol", "none", "None", "some", "unknown", "rawValue", "raw_value",
            "hashValue", "hash", "encode", "decode", "encoder", "container", "value", "allCases", "all_cases", "fields", "Fields", "coding_keys", "CodingKeys", "stringValue",
            "intValue", "description", "await", "async", "any", "some", "each", "copy", "consume", "discard", "actor", "open", "class", "default", "in", "is", "as", "true", "nil",
            "throws", "yield", "get", "set", "field", "field_value", "fieldValue", "firestore", "firestore_value", "FirestoreValue", "stored", "stored_value", "stored_name", "key",
            "timestamp", "geo_point", "date", "data", "url", "string", "int", "double", "array", "optional", "codable", "error", "result", "task", "never", "query", "filter",
            "2nd", "3d-models", "名前", "größe", "🔥", "", " ", "a.b", "a b", "a-b", "a_b", "aB", "ab", "é", "e\u{301}", "`", "\"", "\\", "\n", "__type__", "a\u{200B}b", "\u{202E}",
            "thing", "things", "thing_fields", "element", "elements", "documents", "people", "person", "source", "vector_value", "document", "snapshot", "1", "1001", "x1", "x_1",
        ]
        private static let ordinary = ["name", "title", "population", "createdAt", "tags", "address", "city", "items", "price", "is_active", "userID", "imageURL", "status"]

        private struct Generator {
            var random: SeededGenerator

            mutating func name() -> String {
                let pool = Bool.random(using: &random) ? GeneratedNamesTests.hostile : GeneratedNamesTests.ordinary
                let one = pool[Int.random(in: 0..<pool.count, using: &random)]
                guard Int.random(in: 0..<4, using: &random) == 0 else { return one }
                return one + ["_", "", "-", "2", "Value", "s"][Int.random(in: 0..<6, using: &random)] + pool[Int.random(in: 0..<pool.count, using: &random)]
            }

            mutating func value(_ depth: Int) -> Value {
                switch Int.random(in: 0..<(depth > 2 ? 8 : 12), using: &random) {
                case 0: .null
                case 1: .integer(Int64.random(in: 0...9, using: &random))
                case 2: .double(1.5)
                case 3, 4: .string(GeneratedNamesTests.words[Int.random(in: 0..<GeneratedNamesTests.words.count, using: &random)])
                case 5: .timestamp(TimestampValue(seconds: 1_700_000_000, nanoseconds: 0))
                case 6: .boolean(true)
                case 7: .bytes([1])
                case 8: .array([value(depth + 1), value(depth + 1)])
                case 9: .geoPoint(GeoPointValue(latitude: 1, longitude: 2))
                default: .map(FieldMap(fields(depth + 1)))
                }
            }

            mutating func fields(_ depth: Int) -> [(String, Value)] {
                var fields: [String: Value] = [:]
                for _ in 0..<Int.random(in: 1...6, using: &random) { fields[name()] = value(depth) }
                return fields.filter { !$0.key.isEmpty }.map { ($0.key, $0.value) }
            }

            /// Documents of a few shapes, so that fields are optional, and have several types.
            mutating func tree() throws -> SchemaTree {
                let tree = SchemaTree()
                let shapes = (0..<3).map { _ in fields(0) }
                for number in 0..<60 {
                    var fields = shapes[number % 3]
                    fields.removeAll { $0.0 == "words" }
                    // A few words in many documents: an enumeration, optional in some positions.
                    if number % 7 != 0 { fields.append(("words", .string(GeneratedNamesTests.words[number % 10]))) }
                    try tree.add("d\(number)", FieldBytes(FieldMap(fields)))
                }
                return tree
            }
        }

        fileprivate static let words = ["none", "some", "unknown", "rawValue", "all cases", "default", "self", "open", "in review", "hash value"]

        /// The files that are printed for so many random collections, each with options of its own.
        private func files(_ count: Int, in folder: ScratchFolder, _ prefix: String, extras: Bool) throws -> [String] {
            try (0..<count).map { seed in
                var generator = Generator(random: SeededGenerator(seed: UInt64(seed) + 1))
                var (types, options) = (TypeOptions(), PrintOptions())
                types.usesExtras = extras
                types.enums = TypeOptions.Enums.allCases[seed % 3 == 2 ? 1 : 0]
                options.isPublic = seed % 2 == 1
                options.conformances = [[], [.hashable], [.identifiable], [.hashable, .identifiable]][seed % 4]
                if extras, seed % 4 < 2 { options.fields = .table }
                let text = SwiftPrinter(types: types, options: options).text(try generator.tree(), collection: "things", name: "\(prefix)\(seed)")
                return try folder.file("\(prefix)\(seed).swift", text)
            }
        }

        private func compile(_ arguments: [String]) throws {
            do {
                try GeneratedProgram.swiftc(["-warnings-as-errors", "-parse-as-library", "-typecheck"] + arguments)
            } catch let failure as GeneratedProgram.Failure {
                Issue.record("\(failure)")
            }
        }

        @Test func `types with hostile names compile against the declarations of the Apple SDK`() throws {
            let folder = try ScratchFolder()
            let stubs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("AppleStubs/FirebaseFirestore.swift.txt")
            let source = try folder.file("FirebaseFirestore.swift", try String(contentsOf: stubs, encoding: .utf8))
            try GeneratedProgram.swiftc(
                ["-parse-as-library", "-emit-module", "-module-name", "FirebaseFirestore", source, "-emit-module-path", folder.file("FirebaseFirestore.swiftmodule")])
            try compile(["-I", folder.path] + files(TestScale.pick(quick: 40, full: 400), in: folder, "Portable", extras: false))
        }

        @Test func `types with hostile names compile with the extras of Hearth`() throws {
            let folder = try ScratchFolder()
            try compile(GeneratedProgram.moduleArguments() + files(TestScale.pick(quick: 12, full: 200), in: folder, "Extra", extras: true))
        }
    }
#endif
