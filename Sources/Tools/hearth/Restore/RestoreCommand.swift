// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreEngine
import FirestoreServer
import Foundation

/// `hearth restore FILE --data DIR`: puts a copy of a database into a data directory.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a copy of a database into the data directory of a server.",
        discussion: """
            FILE is a copy of a database file, of any format; it stays as it is. The server must be stopped. The copy is checked, \
            brought up to the newest format, and put in its place; what was there is kept beside it.

            Clients notice that the database was restored. Listeners get their results again, page tokens and transactions end \
            with an error, and clients that had writes in flight are told that these may have been applied.

            Every document gets the time of the restore as its update time, so that clients with an offline cache take it even \
            if they have a newer version. --keep-times leaves the times; such clients then keep showing what they have until \
            the document is written again.

            EXIT CODES
              0  the database is restored
              2  it is not, and the data directory is as it was

            EXAMPLES
              hearth restore backup.sqlite --data /var/lib/hearth
              hearth restore backup.sqlite --data /var/lib/hearth --replace
            """)

    @Argument(help: "The copy.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The data directory of the server.", valueName: "dir"), completion: .directory)
    var data: String

    @Option(help: ArgumentHelp("The project that the copy must be of. (default: the one it is of)", valueName: "id"))
    var project: String?

    @Option(help: ArgumentHelp("The database that the copy must be of. (default: the one it is of)", valueName: "id"))
    var database: String?

    @Flag(help: "Replace a database that is there already.")
    var replace = false

    @Flag(help: "Leave the update times of documents as they are.")
    var keepTimes = false

    func run() throws {
        let (outcome, restored) = try DatabaseRestore.run(
            file, into: data, project: project, database: database, advice: CommandAdvice.server
        ) { restore in
            restore.replaces = replace
            restore.keepsTimes = keepTimes
        }
        let count = outcome.documents == 1 ? "1 document" : "\(outcome.documents) documents"
        print("restored \(count) of database \(outcome.database.databaseID), project \(outcome.database.projectID)")
        print("  from \(file) to \(restored)")
        print(
            keepTimes
                ? "  documents keep their update times; the next commit is later than \(outcome.time.timestamp.text)"
                : "  every document has the update time \(outcome.time.timestamp.text)")
        if !outcome.expiryPolicies.isEmpty {
            let fields = outcome.expiryPolicies.map { "\($0.collectionGroup).\($0.field.canonical)" }
            print("  documents do not expire any more until the policy is set again: \(fields.joined(separator: ", "))")
        }
        if let replaced = outcome.replaced { print("  the database that was there is now \(replaced)") }
    }
}
