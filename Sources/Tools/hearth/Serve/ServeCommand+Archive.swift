// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreArchive
import FirestoreCore
import FirestoreEngine
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import Logging

extension ServeCommand {
    /// The archive that the settings name; nil without one. Asks the place whether it can be one.
    func archive(_ settings: ServeSettings, _ environment: [String: String], _ log: Logger) async throws -> ServedArchive? {
        let options = settings.options.archiving
        guard let place = options.archive, let policy = settings.archive else {
            if settings.options.data != nil, !settings.security.isDevelopment {
                log.notice("there is no archive: what the disk loses is lost; --archive keeps every commit in another place")
            }
            return nil
        }
        do throws(FirestoreError) {
            let access = settings.options.archiveAccess.settings(environment)
            let parsed = try ArchivePlace(place)
            let store = try parsed.open(access)
            try await store.checkContract(in: "hearth-check-" + AutoID.make())
            let foreign = try await ArchiveKeyCheck(store).checkOrLeave()
            if !foreign.isEmpty {
                log.error(
                    "parts of the archive were written with another key, or without one, and cannot be continued: move them elsewhere",
                    metadata: ["parts": "\(foreign.prefix(20).joined(separator: "; "))"])
            }
            if let directory = settings.options.data, !policy.beginsAnew {
                try await ArchivedDirectory(directory, in: store).check(accountsOf: settings.accounts?.project)
            }
            if access.keyFile == nil {
                log.notice("the archive is not encrypted: who can read it can read the documents; --archive-key encrypts it")
            }
            if parsed.isReadableInTransit(access) {
                log.warning("the archive is sent over the network in a form that others can read; use https, or --archive-key")
            }
            return ServedArchive(store, policy: policy, patience: settings.patience, log: log)
        } catch {
            StandardError.say("hearth serve: --archive: \(CommandAdvice.text(of: error))")
            throw Outcome.failure
        }
    }

    /// What accompanies the databases: their archive, and that of the files beside them.
    func accompany(
        _ configuration: inout ServerConfiguration, with archive: ServedArchive, _ settings: ServeSettings, _ accounts: AccountProjects?,
        _ log: Logger
    ) {
        configuration.companions.append(archive)
        configuration.backups = archive
        configuration.databases.creationCheck = { (database) throws(FirestoreError) in
            do throws(FirestoreError) { try archive.admitCreation(of: database) } catch { throw CommandAdvice.advised(error) }
        }
        if let files = files(settings, in: archive, accounts, log) { configuration.companions.append(files) }
        guard settings.archive?.isRequired == true else { return }
        configuration.databases.writeAdmission = { archive.writeAdmission(of: $0) }
        configuration.isArchived = { archive.isWhole }
    }

    /// Puts the copies of a standby in their places, if the data directory is one.
    func takeOver(_ settings: ServeSettings, _ log: Logger) throws(RPCStatus) {
        guard let directory = settings.options.data else { return }
        StandbyDirectory.keepFiles(in: directory)
        guard !StandbyDirectory.standbys(in: directory).isEmpty else { return }
        do throws(FirestoreError) {
            for outcome in try StandbyDirectory.takeOver(in: directory) {
                log.notice(
                    "a standby takes over",
                    metadata: [
                        "project": "\(outcome.database.projectID)", "database": "\(outcome.database.databaseID)",
                        "documents": "\(outcome.documents)",
                    ])
            }
        } catch {
            throw RPCStatus(.failedPrecondition, "the standby in \(directory) cannot take over: \(error)")
        }
    }
}
