// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine
package import FirestoreRPC
package import FirestoreStorage
import Foundation

/// How databases are opened: their location and their settings.
package struct DatabaseOpening: Sendable {
    package enum Storage: Sendable {
        /// Deleted when the server stops.
        case memory
        /// Each database in a separate file below this directory.
        case directory(String)
        /// On a server that several nodes share.
        case cluster(any StoreCluster)

        var isMemory: Bool { if case .memory = self { true } else { false } }
    }

    package var storage: Storage
    package var durability: Durability
    package var indexPolicy: IndexPolicy
    /// Whether a file of an earlier format is copied before it is upgraded.
    package var keepsMigrationCopy = true
    /// Whether a database that does not exist is created when it is first used, as in the emulator (DM-3). Otherwise it is `notFound`,
    /// except for the default databases of `projects`.
    package var createsDatabases: Bool
    /// Whether it is created for administrators only: otherwise anyone who reaches the server could create any number.
    package var createsForAdministratorsOnly = false
    /// The projects whose default databases exist from the start.
    package var projects: [String]
    package var clock: any WallClock
    /// When the documents are deleted that have expired.
    package var expiry = ExpirySettings()
    package var logBounds = LogBounds()
    /// How many databases callers may create; nil without quotas.
    package var quotas: Quotas?
    /// nil without a bound for the disk.
    package var diskGuard: DiskGuard?
    /// nil for databases that are not in a directory of this server.
    package var presence: DataPresence?
    /// Makes what else decides about the writes of a database; nil if nothing else does.
    package var writeAdmission: (@Sendable (DatabaseID) -> any WriteAdmission)?
    /// Throws for a database that may not be created. Called on a thread that may wait; nil if all may.
    package var creationCheck: (@Sendable (DatabaseID) throws(FirestoreError) -> Void)?
    /// The advice for the operator in rejections.
    package var advice = OperatorAdvice.none

    package init(
        storage: Storage, durability: Durability = .full, indexPolicy: IndexPolicy = .automatic,
        createsDatabases: Bool = true, projects: [String] = [], clock: any WallClock = SystemClock()
    ) {
        self.storage = storage
        self.durability = durability
        self.indexPolicy = indexPolicy
        self.createsDatabases = createsDatabases
        self.projects = projects
        self.clock = clock
    }

    /// Opens or creates a database. Reads files: do not call it on an event loop.
    ///
    /// - Parameter isWanted: Whether a database that does not exist is to be created, where they are not created by use.
    func open(_ database: DatabaseID, isWanted: Bool = false) throws(FirestoreError) -> Engine {
        try DatabaseRules.check(database)
        if let presence, presence.isLost { throw presence.error }
        if !createsDatabases, !isWanted {
            guard try exists(database) else { throw .noDatabase(database) }
        }
        if let creationCheck, let path = path(of: database), !FileManager.default.fileExists(atPath: path) { try creationCheck(database) }
        var configuration = EngineConfiguration(
            location: try location(of: database), durability: durability, databaseID: database, clock: clock, indexPolicy: indexPolicy)
        configuration.keepsMigrationCopy = keepsMigrationCopy
        configuration.expiry = expiry
        configuration.beginsRun = true
        configuration.writeAdmission = WriteAdmissions([diskGuard, writeAdmission?(database)])
        configuration.pastReadAdvice = { [advice] time in
            advice(.pastRead(database: database.databaseID, time: time.timestamp.text))
        }
        return try Engine.open(configuration)
    }

    private func location(of database: DatabaseID) throws(FirestoreError) -> EngineConfiguration.Location {
        switch storage {
        case .memory: return .memory
        case .cluster(let cluster): return .cluster(cluster)
        case .directory(let directory):
            let path = directory + "/" + DatabaseRules.relativePath(of: database)
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
            do {
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            } catch {
                throw FirestoreError(.internal, "the directory of the database cannot be created", at: directory, cause: error)
            }
            return .file(path: path)
        }
    }

    /// Rejects a caller for whom the database would have to be created and may not be.
    func checkCreation(of database: DatabaseID, for caller: RequestContext.Caller) throws(FirestoreError) {
        if case .administrator = caller { return }
        guard checksCreation else { return }
        try DatabaseRules.check(database)
        guard try !exists(database) else { return }
        guard createsForAdministratorsOnly else {
            let existing = stored().count { equalUTF8($0.database.projectID, database.projectID) }
            try quotas?.admitCreation(of: database, existing: existing)
            return
        }
        let known = FirestoreError.noDatabase(database).message
        throw FirestoreError(.notFound, "\(known); an administrator creates it by a first write\(advice(.missingDatabase))")
    }

    /// Whether some caller may not create databases.
    var checksCreation: Bool { createsForAdministratorsOnly || quotas?.limitsDatabases == true }

    /// Whether it is known without opening it. Of databases in memory only those of `projects` are. Reads files, or asks a cluster: do not
    /// call it on an event loop.
    func exists(_ database: DatabaseID) throws(FirestoreError) -> Bool {
        if isExpected(database) { return true }
        if let presence, presence.isLost { throw presence.error }
        if case .cluster(let cluster) = storage { return try cluster.exists(database) }
        return path(of: database).map { FileManager.default.fileExists(atPath: $0) } ?? false
    }

    /// Whether a database exists, as far as that can be known now. Reads files, or asks a cluster.
    package func mayExist(_ database: DatabaseID) -> Bool { (try? exists(database)) ?? true }

    package func path(of database: DatabaseID) -> String? {
        guard case .directory(let directory) = storage else { return nil }
        return directory + "/" + DatabaseRules.relativePath(of: database)
    }

    /// The databases that are there from the start.
    var expected: [DatabaseID] { projects.map { DatabaseID(projectID: $0) } }

    private func isExpected(_ database: DatabaseID) -> Bool {
        equalUTF8(database.databaseID, DatabaseID.defaultDatabase) && projects.contains { equalUTF8($0, database.projectID) }
    }
}

extension FirestoreError {
    package static func noDatabase(_ database: DatabaseID) -> FirestoreError {
        FirestoreError(.notFound, "the database \(database.databaseID) does not exist for project \(database.projectID)")
    }
}
