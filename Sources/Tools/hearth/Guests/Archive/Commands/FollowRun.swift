// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive
import FirestoreCore
import Foundation

/// The followers of all databases and files of an archive.
actor FollowRun {
    /// Between two looks for databases that are new.
    private static let pause = Duration.seconds(30)

    private let store: any ArchiveStore
    private let directory: String
    private let options: ArchivedDatabaseOptions
    private let interval: Duration
    private let isOnce: Bool
    private var databases: [DatabaseID: ArchiveFollower] = [:]
    private var fileSets: [ArchivedFileSet: FileSetFollower] = [:]
    private var lastLook: ContinuousClock.Instant?
    /// What was reported of each part of the archive that cannot be followed at present.
    private var problems: [String: String] = [:]

    init(store: any ArchiveStore, directory: String, options: ArchivedDatabaseOptions, interval: Duration, isOnce: Bool) {
        self.store = store
        self.directory = directory
        self.options = options
        self.interval = interval
        self.isOnce = isOnce
    }

    func run() async throws {
        try await look()
        if isOnce { return try await stepOnce() }
        // A script waits for this line, which print would keep back.
        let line = "following \(store.description) into \(directory); ^C ends it, and `hearth serve --data \(directory)` takes over\n"
        FileHandle.standardOutput.write(Data(line.utf8))
        while !Task.isCancelled {
            if lastLook.map({ ContinuousClock.now - $0 >= Self.pause }) ?? true {
                await trying("the archive") { () async throws(FirestoreError) in try await self.look() }
            }
            for (database, follower) in databases {
                await trying(Self.name(database)) { () async throws(FirestoreError) in _ = try await follower.step() }
            }
            for (set, follower) in fileSets {
                await trying(set.description) { () async throws(FirestoreError) in _ = try await follower.step() }
            }
            try? await Task.sleep(for: interval)
        }
    }

    /// One that cannot be followed does not keep the others from it.
    private func trying(_ name: String, _ body: () async throws(FirestoreError) -> Void) async {
        do throws(FirestoreError) {
            try await body()
            if problems.removeValue(forKey: name) != nil { StandardError.say("hearth follow: \(name): it works again") }
        } catch {
            if Task.isCancelled || problems.updateValue(error.message, forKey: name) == error.message { return }
            StandardError.say("hearth follow: \(name): \(error); it is tried again")
        }
    }

    private static func name(_ database: DatabaseID) -> String { ArchivedDatabaseOptions.name(database) }

    // MARK: What there is

    private func look() async throws(FirestoreError) {
        lastLook = .now
        for database in try await options.databases(in: store) where databases[database] == nil {
            let file = StandbyDirectory.file(of: database, in: directory)
            guard !FileManager.default.fileExists(atPath: file) else {
                throw FirestoreError(
                    .failedPrecondition,
                    "the data directory has the database \(database.databaseID) of project \(database.projectID) already, which may be "
                        + "newer than the archive; choose another directory, or move it away", at: file)
            }
            let folder = (file as NSString).deletingLastPathComponent
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                throw FirestoreError(.failedPrecondition, "the folder cannot be created", at: folder, cause: error)
            }
            databases[database] = ArchiveFollower(database, in: store, to: file)
        }
        for set in try await options.fileSets(in: store) where fileSets[set] == nil {
            fileSets[set] = FileSetFollower(set, in: store, directory: directory)
        }
    }

    private func stepOnce() async throws {
        var each = EachOfArchive(command: "follow")
        for (database, follower) in databases {
            try await each.run(Self.name(database)) {
                let time = try await follower.step()
                let moment = time.map { "has every commit until \($0.timestamp.text)" } ?? "has no complete copy yet, or was deleted"
                print("\(Self.name(database)), \(moment)")
            }
        }
        for (set, follower) in fileSets {
            try await each.run(set.description) {
                let time = try await follower.step()
                print("\(set.description): \(time.map { "as of \($0.timestamp.text)" } ?? "no complete copy yet")")
            }
        }
        try each.end("the standby is not complete")
    }

    func close() async { for follower in databases.values { await follower.close() } }
}
