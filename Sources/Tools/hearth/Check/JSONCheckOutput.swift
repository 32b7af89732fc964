// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation

/// For programs: one object on standard output, also when the check fails.
struct JSONCheckOutput: CheckOutput {
    private struct Finding: Encodable {
        var subject: String
        var place: String?
        var problem: String
        /// The name of the repair that would help.
        var repair: String?

        init(_ finding: ConsistencyFinding) {
            subject = finding.subject.rawValue
            place = finding.place
            problem = finding.problem
            repair = finding.repair?.rawValue
        }
    }

    private struct Check: Encodable {
        var file: String
        var project: String
        var database: String
        var formatVersion: Int64
        var collections: Int
        var documents: Int
        var changes: Int
        var indexes: Int
        var indexEntries: Int
        var isSound: Bool
        var findings: [Finding]
        /// The number of findings that are not listed.
        var omitted: Int
        var findingsBeforeRepair: Int?
        var repaired: [String]?
    }

    private struct Failure: Encodable {
        struct Detail: Encodable {
            var code: String
            var message: String
        }

        var file: String
        var error: Detail
    }

    func show(_ result: CheckResult) {
        let inspection = result.inspection
        let report = inspection.report
        print(
            Check(
                file: inspection.file, project: inspection.databaseID.projectID, database: inspection.databaseID.databaseID,
                formatVersion: inspection.formatVersion, collections: report.collections, documents: report.documents,
                changes: report.changes, indexes: report.indexes, indexEntries: report.indexEntries,
                isSound: report.isSound, findings: report.findings.map(Finding.init), omitted: report.omitted,
                findingsBeforeRepair: result.before?.report.count, repaired: result.before == nil ? nil : result.repaired))
    }

    func show(_ error: FirestoreError, of path: String) {
        print(Failure(file: error.location ?? path, error: .init(code: "\(error.code)", message: error.message)))
    }

    private func print(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return }
        // Like `print`, which the other form uses: the exit code says how the check ended where its output cannot be written.
        try? FileHandle.standardOutput.write(contentsOf: data + Data("\n".utf8))
    }
}
