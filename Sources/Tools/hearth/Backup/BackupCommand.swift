// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreEngine
import FirestoreTransfer
import Foundation
import FirestoreServer

/// `hearth backup FILE`: copies a database as a whole.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a database as a whole, also while it is used.",
        discussion: """
            With --server: a database of a running server, copied while clients write, for an administrator. The copy shows \
            the state after one commit, which is printed. With --data: a file, or a data directory of a server that does not run, \
            with --project and --database.

            FILE is a database like every other: documents with their times, indexes, change log, settings. It is checked as by \
            `hearth check` and stored on the disk before it gets its name: a failed backup leaves no file that looks complete.

            EXIT CODES
              0  the backup is complete and sound
              2  it could not be made, and there is no file

            EXAMPLES
              hearth backup --server 127.0.0.1:8080 backup.sqlite
              hearth backup --server db.example.com --tls --token-file admin.key b.sqlite
              hearth backup --data data --project app --overwrite backup.sqlite
              hearth backup --data app.sqlite backup.sqlite
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @Flag(help: "Replace an existing file.")
    var overwrite = false

    @Flag(help: "Print errors only.")
    var quiet = false

    @Argument(help: "The file to create.", completion: .file())
    var file: String

    func run() async throws {
        let place = try Place(place, environment: CommandEnvironment.current)
        let (file, overwrite, quiet, timeout) = (file, overwrite, quiet, self.place.timeout)
        try await Interruption.watch {
            let copy: DatabaseCopy
            let place = try await place.withProject(writes: !quiet)
            switch place.kind {
            case .file(let path): copy = try Self.copy(path, of: place, to: file, overwrite)
            case .server:
                copy = try await RemoteBackup(place: place, timeout: timeout).run(to: file, replacing: overwrite)
            case .cloud: throw FirestoreError(.unimplemented, "Cloud Firestore has no file to copy; use `hearth export`")
            }
            if !quiet { StandardError.say(Self.summary(of: copy)) }
        }
    }

    private static func copy(_ path: String, of place: Place, to file: String, _ overwrite: Bool) throws(FirestoreError) -> DatabaseCopy {
        let advice = "if it is `hearth serve`, use --server HOST:PORT; otherwise stop that process, then try again"
        var isDirectory = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            return try DatabaseInspection.copy(path, to: file, replacing: overwrite, advice: advice)
        }
        let lock = try lock(on: path)
        defer { withExtendedLifetime(lock) {} }
        let database = DatabaseID(projectID: place.projectID ?? DatabaseID.fallbackProject, databaseID: place.databaseName)
        guard let stored = DatabaseOpening(storage: .directory(path)).path(of: database), FileManager.default.fileExists(atPath: stored)
        else {
            throw FirestoreError(
                .notFound,
                "the data directory has no database \(database.databaseID) of the project \(database.projectID); name it "
                    + "with --project and --database", at: path)
        }
        return try DatabaseInspection.copy(stored, to: file, replacing: overwrite, advice: advice)
    }

    /// Locks servers out of a data directory; nil if none has used it.
    private static func lock(on directory: String) throws(FirestoreError) -> LockedFile? {
        do {
            return try LockedFile(shared: directory + "/hearth.lock")
        } catch {
            guard case .held(let holder) = error else { return nil }
            throw FirestoreError(
                .failedPrecondition, "the data directory is served by another process (pid \(holder)); use --server HOST:PORT",
                at: directory)
        }
    }

    private static func summary(of copy: DatabaseCopy) -> String {
        let documents = copy.documents == 1 ? "1 document" : "\(copy.documents) documents"
        let size = ProgressLine.bytes(copy.bytes)
        let moment = copy.time == .none ? "no commits" : "as of \(copy.time.timestamp.text)"
        return "backed up \(documents), \(moment) (\(size))"
    }
}
