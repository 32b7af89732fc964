// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreSQLite
import Foundation

/// For readers: the problem, its location, and its remedy.
struct TextCheckOutput: CheckOutput {
    func show(_ result: CheckResult) {
        let report = result.inspection.report
        let database = result.inspection.databaseID
        print("\(result.path): database \(database.databaseID) of project \(database.projectID)")
        print("  " + contents(of: report))
        if result.inspection.formatVersion < StorageFormat.firstChecked {
            print("  of format \(result.inspection.formatVersion), which has no checksums: a changed byte inside a value is not found")
        }
        if let before = result.before {
            print("\(count(before.report.count, "finding")) before the repair")
            print("repaired" + (result.repaired.isEmpty ? ": nothing" : ""))
            for line in result.repaired { print("  " + line) }
        }
        if report.isSound { return print(result.before == nil ? "sound" : "sound now") }
        print(count(report.count, "finding") + (result.before == nil ? "" : " left"))
        for finding in report.findings {
            print("  \(finding)")
            if let repair = finding.repair {
                print("    can be repaired: \(repair.explanation)")
            } else {
                print("    cannot be repaired: restore the file from a backup")
            }
        }
        if report.omitted > 0 { print("  and \(report.omitted) more") }
        let repairable = report.count - report.beyondRepair
        if repairable > 0 {
            let which = report.beyondRepair == 0 ? "" : " \(repairable) of \(report.count)"
            print("To repair\(which), copy the file, then run: hearth check --repair \(quoted(result.path))")
        }
    }

    func show(_ error: FirestoreError, of path: String) {
        let advised = CommandAdvice.text(of: error)
        let text = error.location == nil ? "\(path): \(advised)" : advised
        StandardError.say("hearth check: \(text)")
    }

    private func contents(of report: ConsistencyReport) -> String {
        var parts = ["\(count(report.documents, "document")) in \(count(report.collections, "collection"))"]
        parts.append("\(count(report.changes, "change")) in the log")
        if report.indexes > 0 {
            let entries = report.indexEntries == 1 ? "1 entry" : "\(report.indexEntries) entries"
            parts.append("\(entries) in \(report.indexes == 1 ? "1 index" : "\(report.indexes) indexes")")
        }
        return parts.joined(separator: ", ")
    }

    private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Quoted for a shell.
    private func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "/._-+:@%".utf8.contains(byte)
        }
        return plain ? path : "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
