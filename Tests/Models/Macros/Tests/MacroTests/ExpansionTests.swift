// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Expansions and diagnostics as the compiler sees them: the real macro program, run by `swiftc` (MP-54, MP-56, MP row F16).
struct ExpansionTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Expanded")
    private static let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()

    /// What the compiler says about a file.
    private func check(_ name: String, _ arguments: [String] = []) throws -> String {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-macros-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let output = scratch.appendingPathComponent("output")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let handle = try FileHandle(forWritingTo: output)
        let program = Self.products.appendingPathComponent("FirestoreModelMacrosPlugin-tool").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        var line = ["swiftc", "-swift-version", "6", "-typecheck", "-diagnostic-style=llvm", "-I", Self.products.appendingPathComponent("Modules").path]
        line += ["-load-plugin-executable", "\(program)#FirestoreModelMacrosPlugin"]
        let checkouts = Self.products.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("checkouts")
        for case let map as URL in FileManager.default.enumerator(at: checkouts, includingPropertiesForKeys: nil) ?? .init() {
            guard map.lastPathComponent == "module.modulemap", map.path.contains("/Sources/") else { continue }
            line += ["-Xcc", "-fmodule-map-file=\(map.path)", "-Xcc", "-I\(map.deletingLastPathComponent().path)"]
        }
        process.arguments = line + arguments + [Self.folder.appendingPathComponent(name).path]
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }

    @Test func `the expansion is the table that one would write by hand`() throws {
        let output = try check("Expansion.swift", ["-Xfrontend", "-dump-macro-expansions"])
        #expect(!output.contains("error:"), "\(output)")
        let expected = [
            """
            struct Fields: Sendable {
                let id = ModelField<City, String, FieldKind.DocumentID>.documentID
                let population = ModelField<City, Int, FieldKind.Required>(CodingKeys.population)
                let nickname = ModelField<City, String, FieldKind.Optional>(CodingKeys.nickname)
                let addedAt = ModelField<City, Date, FieldKind.ServerTimestamp>(CodingKeys.addedAt)
                let mayor = ModelField<City, String, FieldKind.ExplicitNull>(CodingKeys.mayor)
                fileprivate let secret = ModelField<City, [String: Int], FieldKind.Required>(CodingKeys.secret)
                let `default` = ModelField<City, Bool, FieldKind.Optional>(CodingKeys.`default`)
            }
            """,
            "static let fields = Fields()",
            "extension City: FirestoreModel {",
            """
            public struct Fields: Sendable {
                public let first = ModelField<Page<Item>, Int, FieldKind.Required>(CodingKeys.first)
                public let last = ModelField<Page<Item>, Int, FieldKind.Required>(CodingKeys.last)
                public let items = ModelField<Page<Item>, [Item], FieldKind.Required>(CodingKeys.items)
            }
            """,
            "public static var fields: Fields {",
        ]
        for text in expected { #expect(output.contains(text), "\(text)\n---\n\(output)") }
    }

    @Test func `invalid models are rejected at their line, with a fix-it where there is one`() throws {
        let output = try check("Refused.swift")
        let text = try String(contentsOf: Self.folder.appendingPathComponent("Refused.swift"), encoding: .utf8)
        var expected: [Int: (severity: String, text: String)] = [:]
        var repairs: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for severity in ["error", "warning"] {
                guard let mark = line.range(of: "// expect-\(severity): ") else { continue }
                let parts = line[mark.upperBound...].components(separatedBy: "; fix: ")
                expected[index + 1] = (severity, parts[0])
                if parts.count > 1 { repairs.append(parts[1]) }
            }
        }
        #expect(expected.count == 12 && repairs.count == 6)
        let said = output.split(separator: "\n").filter { $0.contains("Refused.swift:") && !$0.contains(": note: ") }
        for (line, wanted) in expected {
            let found = said.filter { $0.contains("Refused.swift:\(line):") }
            #expect(found.contains { $0.contains("\(wanted.severity): ") && $0.contains(wanted.text) }, "\(line): \(found)")
        }
        for line in said where line.contains(": error: ") {
            let number = line.split(separator: ":").dropFirst().first.flatMap { Int($0) } ?? 0
            #expect(expected[number] != nil, "\(line)")
        }
        // A fix-it stands below the mark, without the rest of its line.
        let offered = output.split(separator: "\n").filter { !$0.contains("expect-") }
        for repair in repairs { #expect(offered.contains { $0.contains(repair) }, "\(repair)\n\(output)") }
    }
}
