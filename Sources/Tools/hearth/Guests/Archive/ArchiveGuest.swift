// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive
import FirestoreAuthentication
import FirestoreCore
import FirestoreEngine
import FirestoreGateway
import FirestoreServer
import Foundation
import Logging

/// The archive of databases and of the files beside them, and the start of a standby.
struct ArchiveGuest: ServerGuest {
    static let title: String? = "Archive"
    private static let place = Setting<String?>(
        "archive", nil,
        "Archive every commit to a folder, or to a bucket as in s3://bucket/prefix, from which any moment can be restored.", value: "place")
    private static let interval = Setting(
        "archive-interval", "1s", "How long commits are gathered before they are archived: what a lost machine loses.", value: "time")
    private static let keep = Setting("archive-keep", "7d", "How far back moments can be restored.", value: "time")
    private static let baseInterval = Setting(
        "archive-base-interval", "1d", "How often a database that is written is copied as a whole.", value: "time")
    private static let baseBytes = Setting<Int?>(
        "archive-base-bytes", nil, "Copy a database after so many bytes of commits, too. (default: its size, and at least 64 MiB)",
        value: "bytes")
    private static let verify = Setting(
        "archive-verify", false, "Once a week, read the archive of each database as a whole, and check that it restores what it claims.")
    private static let required = Setting(
        "archive-required", false,
        "Accept no writes to a database once another server has taken over its archive. Without it only archiving ends.")
    private static let beginAnew = Setting(
        "archive-begin-anew", false,
        "Begin databases anew that the archive has and the data directory does not. Without it they are refused.")

    static let settings: [any AnySetting] =
        [place, interval, keep, baseInterval, baseBytes, verify, required, beginAnew] + ArchiveAccess.settings

    static let commands: [any ParsableCommand.Type] = [RestoreCommand.self, ArchiveCommand.self, FollowCommand.self]

    /// Where the archive is, and what is kept there; nil for a server that has none, but may be a standby.
    private let archive: (place: String, policy: ArchivePolicy, access: ArchiveSettings)?

    init?(_ plan: inout ServerPlan) throws(StartRefusal) {
        let values = plan.values
        guard let place = values[Self.place] else {
            if let unused = Self.settings.first(where: { values.isGiven($0) }) {
                throw StartRefusal("--\(unused.name) has no effect without --archive")
            }
            archive = nil
            return
        }
        if plan.isShared {
            throw StartRefusal(
                "--archive is for databases in files; the archive of a PostgreSQL server is its own (pg_basebackup and its write-ahead "
                    + "log): see docs/distributed.md")
        }
        guard plan.data != nil else { throw StartRefusal("--archive needs --data: databases in memory are not archived") }
        let access = ArchiveAccess.settings(plan.environment) { values[$0] }
        do throws(FirestoreError) {
            _ = try ArchivePlace(place).open(access)
        } catch {
            // Files of keys are read when the server starts, by its user.
            if error.code == .invalidArgument { throw StartRefusal("--archive: \(error)") }
        }
        archive = (place, try Self.policy(values), access)
    }

    private static func policy(_ values: SettingValues) throws(StartRefusal) -> ArchivePolicy {
        func duration(_ setting: Setting<String>, in range: ClosedRange<Duration>) throws(StartRefusal) -> Duration {
            try StartRefusal.of { try DurationText.duration(values[setting], of: setting.name, in: range) }
        }
        var policy = ArchivePolicy()
        policy.interval = try duration(interval, in: DurationText.pause)
        policy.keep = try duration(keep, in: .seconds(60)...(.seconds(3_660 * 86_400)))
        policy.baseInterval = try duration(baseInterval, in: .seconds(60)...(.seconds(366 * 86_400)))
        if let bytes = values[baseBytes], bytes < 1 { throw StartRefusal("--\(baseBytes.name) must be positive, not \(bytes)") }
        policy.baseBytes = values[baseBytes]
        policy.isVerified = values[verify]
        policy.isRequired = values[required]
        policy.beginsAnew = values[beginAnew]
        return policy
    }

    /// Asks the place whether it can be an archive: before anything is created in the data directory, which may be that of a disk that is
    /// not mounted.
    func open(_ start: inout ServerStart) async throws(StartRefusal) -> any ServerPart {
        let (plan, log) = (start.plan, start.log)
        guard let archive else {
            if plan.data != nil, !plan.isDevelopment {
                log.notice("without an archive, data that the disk loses cannot be restored; --archive keeps every commit in another place")
            }
            return ArchivePart(nil, start)
        }
        do throws(FirestoreError) {
            let parsed = try ArchivePlace(archive.place)
            let store = try parsed.open(archive.access)
            try await store.checkContract(in: "hearth-check-" + AutoID.make())
            let foreign = try await ArchiveKeyCheck(store).checkOrLeave()
            if !foreign.isEmpty {
                log.error(
                    "parts of the archive were written with another key, or without one, and cannot be continued: move them elsewhere",
                    metadata: ["parts": "\(foreign.prefix(20).joined(separator: "; "))"])
            }
            if let directory = plan.data, !archive.policy.beginsAnew {
                try await ArchivedDirectory(directory, in: store).check(accountsOf: plan.accountsProject)
            }
            let isEncrypted = archive.access.keyFile != nil
            if !isEncrypted {
                log.notice("the archive is not encrypted: anyone who can read its files can read the documents; --archive-key encrypts it")
            }
            if parsed.isReadableInTransit(archive.access) {
                log.warning("the archive is sent over the network in a form that others can read; use https, or --archive-key")
            }
            // How long the end of the server waits for its archive.
            let patience = max(plan.grace, .seconds(1))
            let served = ArchiveCompanion(store, policy: archive.policy, patience: patience, log: log)
            return ArchivePart((served, archive.place, patience, isEncrypted), start)
        } catch {
            throw StartRefusal("--archive: \(CommandAdvice.text(of: error))")
        }
    }
}

/// The archive of a server that starts or runs.
final class ArchivePart: ServerPart {
    private let archive: (served: ArchiveCompanion, place: String, patience: Duration, isEncrypted: Bool)?
    private let data: String?
    private let log: Logger

    fileprivate init(_ archive: (served: ArchiveCompanion, place: String, patience: Duration, isEncrypted: Bool)?, _ start: ServerStart) {
        (self.archive, data, log) = (archive, start.plan.data, start.log)
    }

    func join(_ start: inout ServerStart) {
        guard let archive, let data else { return }
        let served = archive.served
        start.archive = ShownArchive(archive: served, place: archive.place)
        start.configuration.companions.append(served)
        start.configuration.backups = served
        start.configuration.databases.creationCheck = { (database) throws(FirestoreError) in
            do throws(FirestoreError) { try served.admitCreation(of: database) } catch { throw CommandAdvice.advised(error) }
        }
        // Without encryption, readers of the archive could act as administrators.
        let configuration = archive.isEncrypted ? [ConfigurationFiles(paths: start.plan.configurationFiles)] : []
        let files: [any ServerFiles] = start.files + configuration
        start.configuration.companions.append(
            FileSetCompanion(served.store, directory: data, policy: served.policy, patience: archive.patience, log: log) {
                files.flatMap { $0.sets(isEncrypted: archive.isEncrypted) }.map { FileSetSource($0) }
            })
        guard served.policy.isRequired else { return }
        start.configuration.databases.writeAdmission = { served.writeAdmission(of: $0) }
        start.configuration.isArchived = { served.isWhole }
    }

    /// Puts the copies of a standby in their places, if the data directory is one.
    func prepare() throws(StartRefusal) {
        guard let data else { return }
        StandbyDirectory.keepFiles(in: data)
        guard !StandbyDirectory.standbys(in: data).isEmpty else { return }
        do throws(FirestoreError) {
            for outcome in try StandbyDirectory.takeOver(in: data) {
                log.notice(
                    "a standby takes over",
                    metadata: [
                        "project": "\(outcome.database.projectID)", "database": "\(outcome.database.databaseID)",
                        "documents": "\(outcome.documents)",
                    ])
            }
        } catch {
            throw StartRefusal("the standby in \(data) cannot take over: \(error)")
        }
    }
}

extension FileSetSource {
    fileprivate init(_ files: ServerFileSet) {
        let set: ArchivedFileSet =
            switch files.content {
            case .accounts(let project): .accounts(project: project)
            case .configuration: .configuration
            }
        self.init(set, changes: files.changes, copy: files.copy)
    }
}

/// The administrator keys and the rules.
struct ConfigurationFiles: ServerFiles {
    let paths: [String]

    func sets(isEncrypted: Bool) -> [ServerFileSet] {
        guard !paths.isEmpty else { return [] }
        return [
            ServerFileSet(content: .configuration, changes: { nil }) { [named] folder throws(FirestoreError) in
                for file in named {
                    do {
                        let content = try Data(contentsOf: URL(fileURLWithPath: file.path))
                        try content.write(to: URL(fileURLWithPath: folder + "/" + file.name))
                    } catch {
                        throw FirestoreError(.unavailable, "the file cannot be copied", at: file.path, cause: error)
                    }
                }
            }
        ]
    }

    /// Under names that differ.
    var named: [(name: String, path: String)] {
        var names = Set<String>()
        return paths.map { path in
            let own = URL(fileURLWithPath: path).lastPathComponent
            // A name that begins with a dot is not one of an archive.
            let base = own.hasPrefix(".") ? "file" + own : own
            var (name, number) = (base, 2)
            while !names.insert(name).inserted {
                name = "\(number)-\(base)"
                number += 1
            }
            return (name, path)
        }
    }
}
