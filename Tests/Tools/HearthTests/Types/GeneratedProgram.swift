// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Swift that was generated, compiled against the modules beside this test, and run.
struct GeneratedProgram {
    /// Compiled once, because linking takes seconds.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let root = repositoryRoot

    /// Modules that are programs or tests: their objects are left out.
    private static func isLinked(_ name: String) -> Bool {
        let module = name.dropLast(".build".count)
        let endings = [
            "Tests", "-tool", "Writer", "Sharer", "TestKit", "Testing", "TestingInternal", "Support", "TestWidth", "Faults", "Injection",
            "PipelineModel",
        ]
        return name.hasSuffix(".build") && !endings.contains(where: module.hasSuffix) && !["hearth", "InMemoryLogging", "NIOTLSServer"].contains(String(module))
            && !["protoc", "generate", "hearthPackage", "NIOSSLHTTP1"].contains(where: module.hasPrefix)
    }

    /// The arguments with which the compiler finds the modules.
    static func moduleArguments() throws -> [String] {
        let products = try HearthCommand.executable.resolvingSymlinksInPath().deletingLastPathComponent()
        var arguments = ["-I", products.appendingPathComponent("Modules").path, "-I", root.appendingPathComponent("Sources/Base/CZlib").path]
        for name in try FileManager.default.contentsOfDirectory(atPath: products.path).sorted() where isLinked(name) {
            let map = products.appendingPathComponent("\(name)/module.modulemap").path
            if FileManager.default.fileExists(atPath: map) { arguments += ["-Xcc", "-fmodule-map-file=\(map)"] }
        }
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("checkouts")
        for package in try FileManager.default.contentsOfDirectory(atPath: checkouts.path).sorted() {
            let sources = checkouts.appendingPathComponent("\(package)/Sources")
            for target in (try? FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()) ?? [] {
                for folder in ["\(target)", "\(target)/include"] {
                    let place = sources.appendingPathComponent(folder)
                    if FileManager.default.fileExists(atPath: place.appendingPathComponent("module.modulemap").path) { arguments += ["-I", place.path] }
                }
            }
        }
        return arguments
    }

    /// Compiles files into a program; warnings are errors.
    static func compile(_ files: [String], to program: String, in folder: ScratchFolder) throws {
        let products = try HearthCommand.executable.resolvingSymlinksInPath().deletingLastPathComponent()
        var objects: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: products.path).sorted() where isLinked(name) {
            let place = products.appendingPathComponent(name)
            // Objects of files that were removed stay beside the others.
            let sources = (try? String(contentsOf: place.appendingPathComponent("sources"), encoding: .utf8)).map { list in
                Set(list.split(separator: "\n").map { ($0.split(separator: "/").last ?? "").filter { $0 != "'" } + ".o" })
            }
            let found = FileManager.default.enumerator(atPath: place.path)
            while let file = found?.nextObject() as? String {
                if let sources, file.hasSuffix(".swift.o"), !sources.contains(file) { continue }
                if file.hasSuffix(".o") { objects.append("\"\(place.path)/\(file)\"") }
            }
        }
        // As a library: what is not needed is left out.
        let list = try folder.file("objects", (["-Xlinker", "--start-lib"] + objects.sorted() + ["-Xlinker", "--end-lib"]).joined(separator: "\n"))
        let libraries = ["-lsqlite3", "-lz", "-lstdc++", "-use-ld=lld"]
        try swiftc(["-warnings-as-errors"] + files + moduleArguments() + ["@\(list)"] + libraries + ["-o", program])
    }

    /// Runs the compiler; throws what it says if it fails.
    static func swiftc(_ arguments: [String]) throws {
        let run = try ProcessRun("/usr/bin/env", ["swiftc", "-swift-version", "6"] + arguments)
        guard run.exitCode == 0 else {
            let lines = run.errors.split(separator: "\n").filter { $0.contains("error:") || $0.contains("warning:") }
            throw Failure(description: lines.prefix(12).joined(separator: "\n") + (lines.isEmpty ? String(run.errors.suffix(2_000)) : ""))
        }
    }
}

/// A process that has ended. Its output goes to files, so that any length of it is read.
struct ProcessRun {
    let output: String
    let errors: String
    let exitCode: Int32

    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let folder = try ScratchFolder()
        let (output, errors) = (try folder.file("output", ""), try folder.file("errors", ""))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = HearthCommand.environment.merging(environment) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        exitCode = process.terminationStatus
        self.output = try String(contentsOfFile: output, encoding: .utf8)
        self.errors = try String(contentsOfFile: errors, encoding: .utf8)
    }
}
