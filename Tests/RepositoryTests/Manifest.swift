// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The targets of Package.swift, as the package manager reads them.
struct Manifest: Decodable, Sendable {
    struct Target: Decodable, Sendable {
        let name: String
        let type: String
        private let path: String?
        private let dependencies: [Dependency]

        /// The folder of its files, with a slash at the end.
        var folder: String { (path ?? (["test": "Tests/", "plugin": "Plugins/"][type] ?? "Sources/") + name) + "/" }

        /// What its files may import. A product has the name of its module.
        var modules: Set<String> { Set(dependencies.map(\.name)) }

        /// `Database` for `Sources/Database/FirestoreEngine/`; nil for a folder directly below `Sources` or `Tests`.
        var wing: String? {
            let parts = folder.split(separator: "/")
            return parts.count > 2 ? String(parts[1]) : nil
        }
    }

    /// `{"byName": ["FirestoreCore", null]}`, `{"product": ["GRDB", "GRDB.swift", …]}`, `{"target": ["FirestoreRPC", …]}`
    private struct Dependency: Decodable, Sendable {
        let name: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Kind.self)
            var values = try container.nestedUnkeyedContainer(forKey: container.allKeys[0])
            name = try values.decode(String.self)
        }

        private enum Kind: String, CodingKey { case byName, product, target }
    }

    let targets: [Target]

    /// Read once: it takes a second.
    static let package = Result { try read() }

    private static func read() throws -> Manifest {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "package", "dump-package", "--package-path", Repository.root.path, "--scratch-path", scratch.path]
        // The tests may have been built without some of the targets.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("HEARTH_") }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Manifest.self, from: text)
    }
}
