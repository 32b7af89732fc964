// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive
import FirestoreCore
import FirestoreServer
import Foundation

/// `hearth follow ARCHIVE --data DIR`: a standby.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Repeat every commit of an archive in another data directory, seconds behind: a standby.",
        discussion: """
            Runs until a signal comes, and continues where it was when it is started again. It serves no clients. When the first \
            machine is lost, end it and run `hearth serve --data DIR`, which takes over: it puts the copies in their places, begins a \
            new history of each database, and with --archive takes over the archive, too, so that the first machine can no longer \
            write there. Clients reach the new server by DNS or a proxy, which is up to you.

            EXIT CODES
              0    ended by a signal, or with --once complete
              2    it could not begin

            EXAMPLES
              hearth follow /backup --data /var/lib/hearth
              hearth follow s3://bucket/prefix --data data --project app
            """)

    @Argument(help: "A folder, or a bucket as in s3://bucket/prefix.", completion: .directory)
    var archive: String

    @Option(help: ArgumentHelp("The data directory of the standby.", valueName: "dir"), completion: .directory)
    var data: String

    @Option(help: ArgumentHelp("How often to look for commits.", valueName: "time"))
    var interval = "1s"

    @Flag(help: "Repeat what there is, and end.")
    var once = false

    @OptionGroup var databases: ArchivedDatabaseOptions
    @OptionGroup var access: ArchiveAccessOptions

    func run() async throws {
        let interval = try DurationText.duration(interval, of: "interval", in: DurationText.pause)
        let store = try access.open(archive, CommandEnvironment.current)
        let held = try ArchiveRestoring.hold(data)
        defer { withExtendedLifetime(held) {} }
        let run = FollowRun(store: store, directory: data, options: databases, interval: interval, isOnce: once)
        do {
            try await Interruption.watch { try await run.run() }
        } catch is ExitCode {
            // A signal is how it ends.
        }
        await run.close()
    }
}

/// The followers of all databases of an archive.
private actor FollowRun {
    private let store: any ArchiveStore
    private let directory: String
    private let options: ArchivedDatabaseOptions
    private let interval: Duration
    private let isOnce: Bool
    private var followers: [DatabaseID: ArchiveFollower] = [:]
    private var lastProblem: String?

    init(store: any ArchiveStore, directory: String, options: ArchivedDatabaseOptions, interval: Duration, isOnce: Bool) {
        self.store = store
        self.directory = directory
        self.options = options
        self.interval = interval
        self.isOnce = isOnce
    }

    func run() async throws {
        try await look()
        if isOnce { return try await stepAll() }
        // A script waits for this line, which print would keep back.
        let line = "following \(store.description) into \(directory); ^C ends it, and `hearth serve --data \(directory)` takes over\n"
        FileHandle.standardOutput.write(Data(line.utf8))
        var rounds = 0
        while !Task.isCancelled {
            do {
                // New databases appear seldom.
                if rounds % 60 == 0 { try await look() }
                try await stepAll()
                if lastProblem != nil { StandardError.say("hearth follow: it works again") }
                lastProblem = nil
            } catch let error as FirestoreError {
                if Task.isCancelled { return }
                if lastProblem != error.message { StandardError.say("hearth follow: \(error); it is tried again") }
                lastProblem = error.message
            }
            rounds += 1
            try? await Task.sleep(for: interval)
        }
    }

    private func look() async throws {
        for database in try await options.databases(in: store) where followers[database] == nil {
            let file = StandbyDirectory.file(of: database, in: directory)
            guard !FileManager.default.fileExists(atPath: file) else {
                throw FirestoreError(
                    .failedPrecondition,
                    "the data directory has the database \(database.databaseID) of project \(database.projectID) already, which may be "
                        + "newer than the archive; choose another directory, or move it away", at: file)
            }
            try FileManager.default.createDirectory(atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            followers[database] = ArchiveFollower(database, in: store, to: file)
        }
    }

    private func stepAll() async throws {
        for (database, follower) in followers {
            let time = try await follower.step()
            if isOnce {
                let moment = time.map { "has every commit until \($0.timestamp.text)" } ?? "has no complete copy yet"
                print("database \(database.databaseID), project \(database.projectID), \(moment)")
            }
        }
    }

    func close() async { for follower in followers.values { await follower.close() } }
}
