// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The backups of databases, and the moments of their past that can be restored. An archive conforms.
package protocol DatabaseBackups: Sendable {
    /// The backups of the databases of a project, of those as well that are gone.
    func backups(ofProject project: String) async throws(FirestoreError) -> [DatabaseBackup]

    /// Removes a backup.
    func delete(_ backup: DatabaseBackup) async throws(FirestoreError)

    /// The earliest moment since another one from which on a database can be restored; nil if there is none.
    func earliestMoment(of database: DatabaseID, since time: DocumentVersion) async throws(FirestoreError) -> DocumentVersion?

    /// Puts a database into a file. Fails with `outOfRange` for a moment that cannot be restored.
    func restore(_ restoration: DatabaseRestoration) async throws(FirestoreError)

    /// The schedules of an open database have changed. Does not wait for backups that are due by now.
    func schedulesChanged(of database: DatabaseID) async
}

/// A copy of a database that stays until a day.
package struct DatabaseBackup: Sendable, Hashable {
    package struct Content: Sendable, Hashable {
        package let documents: Int
        package let bytes: Int64
        package let indexEntries: Int

        package init(documents: Int, bytes: Int64, indexEntries: Int) {
            self.documents = documents
            self.bytes = bytes
            self.indexEntries = indexEntries
        }
    }

    package let id: String
    package let database: DatabaseID
    /// Of the database: others can have had its name.
    package let uid: String
    /// The location that the database named.
    package let place: String
    /// What it shows, in microseconds.
    package let moment: Int64
    /// When it is removed, in microseconds.
    package let expiry: Int64
    /// nil while it is made.
    package var content: Content?

    package init(id: String, database: DatabaseID, uid: String, place: String, moment: Int64, expiry: Int64, content: Content?) {
        self.id = id
        self.database = database
        self.uid = uid
        self.place = place
        self.moment = moment
        self.expiry = expiry
        self.content = content
    }
}

/// A database that is to be made of a backup, or of another database's past.
package struct DatabaseRestoration: Sendable {
    package enum Source: Sendable {
        case backup(DatabaseBackup)
        /// The commits up to a moment, including one at it.
        case moment(DatabaseID, DocumentVersion)

        package var database: DatabaseID {
            switch self {
            case .backup(let backup): backup.database
            case .moment(let database, _): database
            }
        }
    }

    package let source: Source
    /// What the restored database is called. References into the source refer to it.
    package let name: DatabaseID
    /// Where it is put; nothing may be there.
    package let file: String
    /// A file that does not exist, on the disk of `file`, for the time in between.
    package let scratch: String
    /// Whether documents retain their update times.
    package var keepsTimes = false
    /// Changes the facts that are the settings of the database.
    package var adjust: @Sendable (inout [String: ByteSlice]) -> Void = { _ in }
    /// Called with hundredths of the work.
    package var progress: @Sendable (Int) -> Void = { _ in }

    package init(_ source: Source, as name: DatabaseID, file: String, scratch: String) {
        self.source = source
        self.name = name
        self.file = file
        self.scratch = scratch
    }
}
