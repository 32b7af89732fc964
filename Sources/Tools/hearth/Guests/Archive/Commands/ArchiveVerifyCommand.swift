// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive
import FirestoreCore
import Foundation

/// `hearth archive verify ARCHIVE`: reads an archive as a whole.
struct ArchiveVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read an archive as a whole, and check that it restores what it claims.",
        discussion: """
            Every object must be what its name says, every copy a sound database with the documents that were counted when it was \
            made, and the journal must lead from each copy to the next, and from the newest one as far as the archive is known to \
            reach. What was archived in the last minute may be missing without being missed: the moment is said until which everything \
            is there. Copies are unpacked into a temporary folder, one at a time. \
            An encrypted archive needs its key. Of accounts, every file must be the one that was stored.

            EXIT CODES
              0  the archive is sound
              1  something is wrong, which is listed, or a part of it has no complete copy
              2  the archive cannot be read

            EXAMPLES
              hearth archive verify /backup
              hearth archive verify s3://bucket/prefix --archive-key archive.key
            """)

    @Argument(help: "A folder, or a bucket as in s3://bucket/prefix.", completion: .directory)
    var archive: String

    @Option(help: ArgumentHelp("A folder with room for the largest copy. (default: that for temporary files)", valueName: "dir"))
    var folder: String?

    @OptionGroup var databases: ArchivedDatabaseOptions
    @OptionGroup var access: ArchiveAccessOptions

    func run() async throws {
        let store = try access.open(archive, CommandEnvironment.current)
        let folder = folder ?? FileManager.default.temporaryDirectory.path
        var isSound = true
        if let damage = try await ArchiveKeyCheck(store).check() {
            print(damage)
            isSound = false
        }
        var each = EachOfArchive(command: "archive verify")
        for database in try await databases.databases(in: store) {
            try await each.run(ArchivedDatabaseOptions.name(database)) {
                let report = try await ArchiveVerification(database, in: store, folder: folder).run()
                for finding in report.findings { print(finding) }
                print(Self.summary(of: report, database))
                isSound = isSound && report.findings.isEmpty
            }
        }
        for set in try await databases.fileSets(in: store) {
            try await each.run(set.description) {
                let report = try await FileSetVerification(set, in: store, folder: folder).run()
                for finding in report.findings { print(finding) }
                print(Self.summary(of: report, set))
                isSound = isSound && report.findings.isEmpty
            }
        }
        if !isSound || each.failures > 0 { throw Outcome.findings }
    }

    private static func summary(of report: ArchiveVerification.Report, _ database: DatabaseID) -> String {
        let name = "database \(database.databaseID), project \(database.projectID)"
        guard report.findings.isEmpty else { return Self.summary(of: report.findings, name) }
        let counts = [(report.copies, "copy", "copies"), (report.commits, "commit", "commits")]
            .map { "\($0) \($0 == 1 ? $1 : $2)" }.joined(separator: ", ")
        guard let first = report.first, let last = report.last else { return "\(name): no complete copy yet" }
        return "\(name): sound, from \(first.timestamp.text) to \(last.timestamp.text) (\(counts))"
    }

    private static func summary(of report: FileSetVerification.Report, _ set: ArchivedFileSet) -> String {
        guard report.findings.isEmpty else { return summary(of: report.findings, set.description) }
        guard let last = report.last else { return "\(set.description): no complete copy yet" }
        return "\(set.description): sound, as of \(last.timestamp.text) (\(report.copies) \(report.copies == 1 ? "copy" : "copies"))"
    }

    private static func summary(of findings: [String], _ name: String) -> String {
        "\(name): \(findings.count) \(findings.count == 1 ? "thing is" : "things are") wrong"
    }
}
