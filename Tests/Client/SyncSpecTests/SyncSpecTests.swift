// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The scenarios of a folder (README.md), once per kind of cache.
struct SyncSpecTests {
    /// Cases that fail and may: none. A line is `file: name of the case`.
    private static let expectedFailures: Set<String> = []

    @Test func `the folder has scenarios`() {
        #expect(!SpecFolder.runs.isEmpty, "there is no *_spec_test.json in \(SpecFolder.chosen.path)")
        if SpecFolder.chosen == SpecFolder.own { #expect(!SpecFolder.hasExclusiveCases, "the tag exclusive is never committed") }
    }

    @Test(arguments: SpecFolder.runs)
    func `every case passes`(run: SpecRun) throws {
        let report = SpecReport(try SpecFolder.file(run.file, in: SpecFolder.chosen), on: run.persistence)
        print(report.text(run))
        for (source, why) in report.failed where !Self.expectedFailures.contains("\(run.file): \(source.name)") {
            Issue.record("\(run.file) (\(run.persistence.rawValue)): \(source.name)\n\(why)")
        }
        for source in report.passed where Self.expectedFailures.contains("\(run.file): \(source.name)") {
            Issue.record("\(source.name) passes: remove it from the expected failures")
        }
    }
}
