// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive
import FirestoreCore
import FirestoreEngine
import FirestoreServer
import Foundation

/// `hearth restore SOURCE --data DIR`: puts a database out of a copy or an archive into a data directory.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a database out of a copy or an archive into the data directory of a server.",
        discussion: """
            SOURCE is a copy of a database file, of any format, or an archive: a folder, or a bucket as in s3://bucket/prefix. It stays \
            as it is. The server must be stopped. The database is checked, brought up to the newest format, and put in its place; \
            what was there is kept beside it.

            Of an archive, the last commit is restored, or with --at the state at a moment of the past: the commit of exactly that \
            time is included. --list shows what moments there are. --all restores every database of the archive, or of one project, \
            and what is missing of accounts, keys and rules; files that are there already stay as they are.

            If the archive is known to have had commits that it cannot restore, because an object is missing or damaged, nothing is \
            restored, and what is missing is said; `hearth archive verify` lists it. --up-to-gap restores what is before that.

            Clients notice that the database was restored. Listeners get their results again, page tokens and transactions end \
            with an error, and clients that had writes in flight are told that these may have been applied.

            Every document gets the time of the restore as its update time, so that clients with an offline cache take it even \
            if they have a newer version. --keep-times leaves the times; such clients then keep showing what they have until \
            the document is written again.

            EXIT CODES
              0  the database is restored
              2  it is not, and the data directory is as it was; with --all: one of the databases is not, and the others are

            EXAMPLES
              hearth restore backup.sqlite --data /var/lib/hearth
              hearth restore /backup --list
              hearth restore /backup --data /var/lib/hearth --replace
              hearth restore /backup --data /var/lib/hearth --all
              hearth restore /backup --at 2026-11-26T10:03:00Z --data data --replace
              hearth restore s3://bucket/prefix --data data --as-database before
            """)

    @Argument(help: "A copy, or an archive.", completion: .file())
    var source: String

    @Option(help: ArgumentHelp("The data directory of the server.", valueName: "dir"), completion: .directory)
    var data: String?

    @OptionGroup var database: ArchivedDatabaseOptions

    @Flag(help: "Replace a database that is there already.")
    var replace = false

    @Flag(help: "Leave the update times of documents as they are.")
    var keepTimes = false

    @Option(
        help: ArgumentHelp(
            "Of an archive: the moment to restore, as in 2026-11-26T10:03:00Z. (default: the last commit)", valueName: "time"))
    var at: String?

    @Flag(help: "Of an archive in which commits are missing: restore those before them, and say what is left out.")
    var upToGap = false

    @Flag(help: "Of an archive: restore all databases, and the accounts.")
    var all = false

    @Option(help: ArgumentHelp("Of an archive: restore under another id; references into the database follow.", valueName: "id"))
    var asDatabase: String?

    @Option(help: ArgumentHelp("Of an archive: restore under another project; references into the database follow.", valueName: "id"))
    var asProject: String?

    @Flag(help: "Of an archive: show the moments that can be restored, and restore nothing.")
    var list = false

    @Flag(help: "Of an archive: show what would be restored, and restore nothing.")
    var dryRun = false

    @OptionGroup(title: "Archive") var access: ArchiveAccessOptions

    func run() async throws {
        guard isArchive else {
            try checkIsForCopies()
            return try restoreCopy(try directory())
        }
        let command = self
        try await Interruption.watch { try await ArchiveRestoring(command: command).run() }
    }

    /// The data directory, which only --list does without.
    func directory() throws -> String {
        guard let data else { throw ValidationError("Missing expected argument '--data <dir>'") }
        return data
    }

    private var isArchive: Bool {
        var isDirectory = ObjCBool(false)
        return source.contains("://") || FileManager.default.fileExists(atPath: source, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    private func checkIsForCopies() throws {
        let options: [(String, Bool)] = [
            ("--at", at != nil), ("--up-to-gap", upToGap), ("--all", all), ("--as-database", asDatabase != nil),
            ("--as-project", asProject != nil), ("--list", list), ("--dry-run", dryRun),
        ]
        guard let option = options.first(where: \.1)?.0 else { return }
        throw ValidationError("\(option) is for an archive, and \(source) is not a folder or a URL")
    }

    private func restoreCopy(_ data: String) throws {
        let (outcome, restored) = try DatabaseRestore.run(
            source, into: data, project: database.project, database: database.database, advice: CommandAdvice.server
        ) { restore in
            restore.replaces = replace
            restore.keepsTimes = keepTimes
        }
        Self.report(outcome, from: source, to: restored, keepsTimes: keepTimes)
    }

    static func report(
        _ outcome: DatabaseRestore.Outcome, from source: String, to file: String, keepsTimes: Bool, lastCommit: String? = nil
    ) {
        let count = outcome.documents == 1 ? "1 document" : "\(outcome.documents) documents"
        print("restored \(count) of database \(outcome.database.databaseID), project \(outcome.database.projectID)")
        print("  from \(source) to \(file)")
        if let lastCommit { print("  " + lastCommit) }
        print(
            keepsTimes
                ? "  documents keep their update times; the next commit is later than \(outcome.time.timestamp.text)"
                : "  every document has the update time \(outcome.time.timestamp.text)")
        if !outcome.expiryPolicies.isEmpty {
            let fields = outcome.expiryPolicies.map { "\($0.collectionGroup).\($0.field.canonical)" }
            print("  documents do not expire any more until the policy is set again: \(fields.joined(separator: ", "))")
        }
        if let replaced = outcome.replaced { print("  the database that was there is now \(replaced)") }
    }
}
