// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreEngine

/// `hearth check FILE`: verifies a database file, and repairs it if asked to.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify a database file, and repair what can be repaired.",
        discussion: """
            Reads the whole file and changes nothing: every page against its checksum, SQLite's own check, names and times of \
            documents, the canonical form of their fields, the change log, and every index entry against its document and \
            the other way round.

            Each finding says what is wrong and where. Findings that follow from the rest of the file can be repaired: \
            copy the file (and the file that ends in -wal, if there is one), then run the command again with --repair. \
            The others require a backup. --repair works in one transaction, checks again, and reports the findings that \
            are left.

            The database must not be open anywhere else meanwhile.

            EXIT CODES
              0  the database is sound
              1  there are findings (after --repair: there are some left)
              2  the file cannot be opened, or the command was not understood

            EXAMPLES
              hearth check data.sqlite
              hearth check --repair data.sqlite
              hearth check --json data.sqlite | jq '.findings[].problem'
            """)

    @Flag(help: "Repair what can be repaired, then check again.")
    var repair = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Option(help: ArgumentHelp("The database file, as for other commands.", valueName: "file"), completion: .file())
    var data: String?

    @Argument(help: "The database file.", completion: .file())
    var path: String?

    private var file: String { data ?? path ?? "" }

    func validate() throws {
        if data != nil, path != nil { throw ValidationError("--data and FILE both name a database; give one of them") }
        if data == nil, path == nil { throw ValidationError("give the database file, as in `hearth check data.sqlite`") }
    }

    func run() async throws {
        let output: any CheckOutput = json ? JSONCheckOutput() : TextCheckOutput()
        let result: CheckResult
        do throws(FirestoreError) {
            result = try await inspect()
        } catch {
            output.show(error, of: file)
            throw Outcome.failure
        }
        output.show(result)
        if !result.inspection.report.isSound { throw Outcome.findings }
    }

    private func inspect() async throws(FirestoreError) -> CheckResult {
        let inspection = try DatabaseInspection.check(file)
        guard repair, !inspection.report.isSound else { return CheckResult(path: file, inspection: inspection) }
        let repaired = try await inspection.repair()
        return CheckResult(
            path: file, inspection: try DatabaseInspection.check(file), before: inspection, repaired: repaired)
    }
}
