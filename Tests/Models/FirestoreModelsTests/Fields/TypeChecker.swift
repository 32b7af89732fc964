// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Runs the compiler's type checker on files, against the modules that this test program was built with.
struct TypeChecker {
    /// What the compiler said about one line.
    struct Diagnostic: Hashable {
        let file: String
        let line: Int
        let text: String
    }

    struct Outcome {
        let errors: [Diagnostic]
        /// Everything it printed.
        let output: String
        /// The sum of a statistic over all files, as in `Sema.NumConstraintScopes`.
        let statistics: [String: Double]
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// The folder with the modules; nil when the tests are not run from where SwiftPM has put them.
    private static let products: URL? = {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folder = program.deletingLastPathComponent()
        let module = folder.appendingPathComponent("Modules/FirestoreModels.swiftmodule").path
        return FileManager.default.fileExists(atPath: module) ? folder : nil
    }()

    /// Whether there are modules to check against. Sanitizers and release builds have the same layout.
    static var isAvailable: Bool { products != nil }

    /// The C modules that the products' modules import.
    private static func moduleMaps(of products: URL) -> [URL] {
        let scratch = products.deletingLastPathComponent().deletingLastPathComponent()
        var maps = [repositoryRoot.appendingPathComponent("Sources/Base/CZlib/module.modulemap")]
        for place in [scratch.appendingPathComponent("checkouts"), products] {
            guard let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil) else { continue }
            for case let file as URL in files where file.lastPathComponent == "module.modulemap" {
                // What is built for the machine that compiles has its own copies.
                guard !file.path.contains("-tool.build/") else { continue }
                if place == products || file.path.contains("/Sources/") { maps.append(file) }
            }
        }
        return maps.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Checks files of the test folder as one module.
    static func check(_ files: [String], defining flags: [String] = []) throws -> Outcome {
        guard let products else { throw CocoaError(.fileNoSuchFile) }
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-typecheck-\(UUID().uuidString)")
        let statistics = scratch.appendingPathComponent("statistics")
        try FileManager.default.createDirectory(at: statistics, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let output = scratch.appendingPathComponent("output")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let handle = try FileHandle(forWritingTo: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        var arguments = ["swiftc", "-swift-version", "6", "-typecheck", "-diagnostic-style=llvm", "-I", products.appendingPathComponent("Modules").path]
        arguments += ["-module-cache-path", products.appendingPathComponent("ModuleCache").path, "-stats-output-dir", statistics.path]
        for map in moduleMaps(of: products) {
            arguments += ["-Xcc", "-fmodule-map-file=\(map.path)", "-Xcc", "-I\(map.deletingLastPathComponent().path)"]
        }
        process.arguments = arguments + flags.map { "-D\($0)" } + files.map { folder.appendingPathComponent($0).path }
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        return Outcome(errors: errors(in: text), output: text, statistics: sums(in: statistics))
    }

    /// `…/Illegal.swift:9:12: error: text`
    private static func errors(in text: String) -> [Diagnostic] {
        text.split(separator: "\n").compactMap { line in
            guard let mark = line.range(of: ": error: ") else { return nil }
            let place = line[..<mark.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
            guard place.count >= 3, let number = Int(place[place.count - 2]) else {
                return Diagnostic(file: String(line[..<mark.lowerBound]), line: 0, text: String(line[mark.upperBound...]))
            }
            let file = URL(fileURLWithPath: place.dropLast(2).joined(separator: ":")).lastPathComponent
            return Diagnostic(file: file, line: number, text: String(line[mark.upperBound...]))
        }
    }

    private static func sums(in folder: URL) -> [String: Double] {
        var result: [String: Double] = [:]
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        for file in files where file.lastPathComponent.contains("swift-frontend") {
            let values = (try? JSONSerialization.jsonObject(with: Data(contentsOf: file))) as? [String: Any] ?? [:]
            for (name, value) in values { result[name, default: 0] += (value as? NSNumber)?.doubleValue ?? 0 }
        }
        return result
    }
}
