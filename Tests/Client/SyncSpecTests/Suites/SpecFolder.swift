// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Testing
import TestSupport

/// The scenarios to run: the folder that HEARTH_SPEC_TESTS names, or our own.
enum SpecFolder {
    private static let environment = ProcessInfo.processInfo.environment
    static let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios")
    static let chosen = environment["HEARTH_SPEC_TESTS"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) } ?? own
    /// Cases that the Apple client skips run here, unless HEARTH_SPEC_NO_IOS is 0.
    static let runsNoIOS = environment["HEARTH_SPEC_NO_IOS"] != "0"

    static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix("_spec_test.json") }.sorted()
    }

    static func file(_ name: String, in folder: URL) throws -> SpecFile {
        try SpecFile(name, try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Whether any case asks to be run alone.
    static let hasExclusiveCases = names(in: chosen).contains { name in
        (try? file(name, in: chosen).cases.contains { $0.tags.contains("exclusive") }) ?? false
    }

    static var runs: [SpecRun] {
        names(in: chosen).flatMap { name in SpecPersistence.allCases.map { SpecRun(file: name, persistence: $0) } }
    }

    /// The tag because of which a case is not run (SY-204); nil if it is.
    static func skippingTag(_ tags: [String], on persistence: SpecPersistence) -> String? {
        if tags.contains("multi-client") { return "multi-client" }
        if tags.contains("benchmark"), !TestScale.isFull { return "benchmark" }
        if tags.contains("eager-gc"), persistence == .disk { return "eager-gc" }
        if tags.contains("durable-persistence"), persistence == .memory { return "durable-persistence" }
        if tags.contains("no-ios"), !runsNoIOS { return "no-ios" }
        return hasExclusiveCases && !tags.contains("exclusive") ? "not exclusive" : nil
    }
}

/// One file on one kind of cache.
struct SpecRun: Sendable, CustomTestStringConvertible {
    let file: String
    let persistence: SpecPersistence

    var testDescription: String { "\(file), \(persistence.rawValue)" }
}

/// What came of the cases of a run.
struct SpecReport {
    private(set) var passed: [SpecSource] = []
    private(set) var failed: [(source: SpecSource, why: String)] = []
    private(set) var skipped: [(source: SpecSource, tag: String)] = []

    init(_ file: SpecFile, on persistence: SpecPersistence) {
        for source in file.cases {
            if let tag = SpecFolder.skippingTag(source.tags, on: persistence) {
                skipped.append((source, tag))
                continue
            }
            do {
                try SpecRunner.run(source, on: persistence)
                passed.append(source)
            } catch {
                failed.append((source, "\(error)"))
            }
        }
    }

    func text(_ run: SpecRun) -> String {
        var text = "\(run.file) (\(run.persistence.rawValue)): \(passed.count) passed, \(failed.count) failed, \(skipped.count) skipped"
        let noIOS = [passed, failed.map(\.source)].map { $0.filter { $0.tags.contains("no-ios") }.count }
        if noIOS != [0, 0] { text += "; of them with the tag no-ios: \(noIOS[0]) passed, \(noIOS[1]) failed" }
        for (source, tag) in skipped { text += "\n  skipped (\(tag)): \(source.name)" }
        for (source, _) in failed { text += "\n  failed: \(source.name)" }
        return text
    }
}
