// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreTransfer
import Foundation

/// `hearth restore` out of an archive.
struct ArchiveRestoring: Sendable {
    let command: RestoreCommand

    func run() async throws {
        let store = try await command.access.openExisting(command.source, CommandEnvironment.current)
        let moment = try moment()
        if command.list { return try await ArchiveListCommand.list(store, command.database, command: "restore") }
        if command.all, command.asDatabase != nil { throw ValidationError("--all and --as-database exclude each other") }
        let databases = command.all ? try await command.database.databases(in: store) : [try await command.database.oneDatabase(in: store)]
        let directory = try command.directory()
        let held = try Self.hold(directory)
        defer { withExtendedLifetime(held) {} }
        guard command.all else {
            for database in databases { try await restore(database, from: store, at: moment, into: directory) }
            return
        }
        var each = EachOfArchive(command: "restore")
        for database in databases {
            try await each.run(ArchivedDatabaseOptions.name(database)) {
                if try await isDeleted(database, at: moment, store) { return }
                try await restore(database, from: store, at: moment, into: directory)
            }
        }
        for set in try await command.database.fileSets(in: store) {
            try await each.run(set.description) { try await restore(set, from: store, at: moment, into: directory) }
        }
        try each.end("not everything is restored")
    }

    /// Whether a database was deleted by a moment, in which case only its name restores it. Says so.
    private func isDeleted(_ database: DatabaseID, at moment: DocumentVersion?, _ store: any ArchiveStore) async throws -> Bool {
        guard let deletion = try await ArchiveCatalog.load(ArchiveLayout(database), from: store).deletion,
            moment.map({ $0 >= deletion.moment }) ?? true
        else { return false }
        print(
            """
            not restored: database \(database.databaseID), project \(database.projectID), which was deleted at \(deletion.time); \
            --project and --database bring it back
            """)
        return true
    }

    /// Restores what is missing in the data directory: files that are there stay.
    private func restore(
        _ set: ArchivedFileSet, from store: any ArchiveStore, at moment: DocumentVersion?, into directory: String
    ) async throws {
        if case .accounts(let project) = set, let other = command.asProject, !equalUTF8(project, other) {
            return print("the \(set.description) are not restored: their users belong to that project")
        }
        var restore = FileSetRestore(from: store, of: set, into: directory)
        restore.moment = moment
        restore.isUpToGap = command.upToGap
        if command.dryRun {
            guard let time = try await restore.plan() else { return }
            print("\(set.description)\n  copy of \(time.timestamp.text)")
            return
        }
        let outcome: FileSetRestore.Outcome
        do {
            outcome = try await restore.run()
        } catch {
            guard error.cause is MissingCopy else { throw error }
            throw Self.advised(error, "--up-to-gap restores the copy before it")
        }
        switch outcome {
        case .restored(let names, let copy):
            print("restored the \(set.description), as of \(copy.timestamp.text)")
            print("  to \(restore.folder): \(names.joined(separator: ", "))")
        case .present: print("the \(set.description) stay as they are: \(restore.folder) has them already")
        case .missing:
            throw FirestoreError(.notFound, "the archive has no complete copy of the \(set.description)", at: store.description)
        }
    }

    private func moment() throws -> DocumentVersion? {
        guard let text = command.at else { return nil }
        guard let time = TimestampValue(dateOrTime: text) else {
            throw ValidationError("--at must be a time such as 2026-11-26T10:03:00Z, not \(text)")
        }
        // Times of commits have microseconds: what is between two of them belongs to the earlier one.
        return DocumentVersion(microseconds: time.microsecondsSince1970)
    }

    static func hold(_ directory: String) throws(FirestoreError) -> DataDirectory {
        do {
            return try DataDirectory(directory, advice: CommandAdvice.server)
        } catch {
            throw FirestoreError(.failedPrecondition, error.message)
        }
    }

    private func restore(
        _ database: DatabaseID, from store: any ArchiveStore, at moment: DocumentVersion?, into directory: String
    ) async throws {
        let name = DatabaseID(
            projectID: command.asProject ?? database.projectID, databaseID: command.asDatabase ?? database.databaseID)
        try DatabaseRules.check(name)
        let file = directory + "/" + DatabaseRules.relativePath(of: name)
        try? FileManager.default.createDirectory(atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        var restore = ArchiveRestore(from: store, of: database, to: file)
        restore.moment = moment
        restore.isUpToGap = command.upToGap
        restore.name = name
        restore.replaces = command.replace
        restore.keepsTimes = command.keepTimes
        let bar = ProgressBar(isQuiet: false)
        restore.progress = { progress in bar.show { _ in Self.line(progress) } }
        let outcome: ArchiveRestore.Outcome
        do {
            if command.dryRun { return Self.show(try await restore.plan(), database) }
            defer { bar.finish(nil) }
            outcome = try await restore.run()
        } catch {
            guard let gap = error.archiveGap else { throw error }
            throw Self.advised(error, "--up-to-gap restores what is there until \(gap.after.timestamp.text)")
        }
        let last = "as of the commit of \(outcome.lastCommit.timestamp.text)"
        RestoreCommand.report(
            outcome.restored, from: store.description, to: file, keepsTimes: command.keepTimes,
            lastCommit: outcome.endsEarly ? last + ", the last one in the archive" : last)
        if let gap = outcome.gap { print(Self.leftOut(gap)) }
    }

    private static func leftOut(_ gap: ArchiveGap) -> String { "  left out: \(gap.description)" }

    private static func advised(_ error: FirestoreError, _ advice: String) -> FirestoreError {
        FirestoreError(error.code, "\(error.message); \(advice)", at: error.location, cause: error.cause)
    }

    private static func line(_ progress: ArchiveProgress) -> String {
        switch progress {
        case .copy(let bytes, let all): "copy: \(ProgressLine.bytes(bytes)) of \(ProgressLine.bytes(all))"
        case .commits(let time): "commits: until \(time.timestamp.text)"
        }
    }

    private static func show(_ plan: RestorePlan, _ database: DatabaseID) {
        print("database \(database.databaseID), project \(database.projectID)")
        print("  copy of \(plan.base.time.timestamp.text)")
        defer { if let gap = plan.gap { print(leftOut(gap)) } }
        guard let last = plan.segments.last else { return print("  no commits after it") }
        let end = plan.limit.map { min($0, last.through) } ?? last.through
        print("  and every commit until \(end.timestamp.text) (\(plan.segments.count) objects)")
    }
}
