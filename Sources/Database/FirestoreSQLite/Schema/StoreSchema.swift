// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB
import GRDBSQLite

/// The tables and their version. Described in `docs/reference/storage-format.md`.
enum StoreSchema {
    /// `PRAGMA application_id`: distinguishes Hearth's files from others.
    static let applicationID = StoreKind.database.rawValue
    /// Incremented with every change of the tables or of their content.
    static let formatVersion: Int64 = 4
    /// The first version whose files have checksums.
    static let firstChecked: Int64 = 4
    /// The earliest version of a file that can be inspected as it is, without a migration.
    static let firstInspected: Int64 = 2

    static let tables = firstTables + indexTables + historyTables

    /// The tables of version 1.
    static let firstTables = """
        CREATE TABLE meta(
            one INTEGER PRIMARY KEY CHECK(one = 1),
            format_version INTEGER NOT NULL,
            project_id TEXT NOT NULL,
            database_id TEXT NOT NULL,
            last_commit_time INTEGER NOT NULL,
            log_floor INTEGER NOT NULL);
        CREATE TABLE collections(
            number INTEGER PRIMARY KEY,
            path BLOB NOT NULL UNIQUE,
            id BLOB NOT NULL);
        CREATE INDEX collections_by_id ON collections(id);
        CREATE TABLE documents(
            rowid INTEGER PRIMARY KEY,
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            create_time INTEGER NOT NULL,
            update_time INTEGER NOT NULL,
            fields BLOB NOT NULL,
            UNIQUE(collection, id));
        CREATE TABLE changes(
            commit_time INTEGER NOT NULL,
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            previous_create_time INTEGER,
            previous_update_time INTEGER,
            previous_fields BLOB,
            PRIMARY KEY(commit_time, collection, id)) WITHOUT ROWID;

        """

    /// The tables that version 2 adds.
    static let indexTables = """
        ALTER TABLE meta ADD COLUMN catalog_version INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE indexes(
            number INTEGER PRIMARY KEY,
            definition BLOB UNIQUE,
            state INTEGER NOT NULL,
            configured INTEGER NOT NULL,
            built_collection INTEGER,
            built_id BLOB,
            last_used INTEGER NOT NULL);
        CREATE TABLE index_entries(
            idx INTEGER NOT NULL,
            collection INTEGER NOT NULL,
            key BLOB NOT NULL,
            document INTEGER NOT NULL,
            PRIMARY KEY(idx, collection, key)) WITHOUT ROWID;
        CREATE TABLE facts(
            key BLOB PRIMARY KEY NOT NULL,
            value BLOB NOT NULL) WITHOUT ROWID;

        """

    /// The tables that version 3 adds. `kinds` is null in entries of earlier versions: their documents contain which numbers are integers.
    static let historyTables = """
        ALTER TABLE meta ADD COLUMN history INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE meta ADD COLUMN earlier_tokens INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE index_entries ADD COLUMN kinds INTEGER;

        """

    /// Creates the tables in an empty file, or checks that existing ones are Hearth's and brings them up to date. Returns whether the file
    /// was empty.
    static func prepare(
        _ database: Database, databaseID: DatabaseID, opening: StoreOpening = StoreOpening(), errors: StoreErrors
    ) throws -> Bool {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        if isEmpty {
            try create(database, databaseID: databaseID, history: opening.makeHistory())
            return true
        }
        guard application == applicationID else { throw foreign(errors, application) }
        let version = try Int64.fetchOne(database, sql: "SELECT format_version FROM meta") ?? 0
        guard version <= formatVersion else { throw otherVersion(version, errors) }
        guard version > 0 else { throw errors.damaged("the format version") }
        try requireChecksums(of: database, format: version, errors: errors)
        try checkName(database, expected: databaseID, errors: errors)
        guard version < formatVersion else { return false }
        // Its pages have checksums: it was upgraded that far before it was opened, or is a copy that is restored.
        try upgrade(database, from: version, history: opening.makeHistory())
        return false
    }

    /// Checks the same without writing: a file of an older version is rejected.
    static func verify(_ database: Database, databaseID: DatabaseID, errors: StoreErrors) throws {
        let version = try identity(of: database, errors: errors).formatVersion
        guard version == formatVersion else { throw otherVersion(version, errors) }
        try checkName(database, expected: databaseID, errors: errors)
    }

    /// Without checksums a file of this version is not believed: what says that it has none may be what is damaged.
    static func requireChecksums(of database: Database, format: Int64, errors: StoreErrors) throws {
        guard format >= firstChecked else { return }
        let connection = database.sqliteConnection
        let isInMemory = sqlite3_db_filename(connection, "main").map { $0.pointee == 0 } ?? true
        guard isInMemory || CheckedFiles.hasChecksums(connection) else {
            throw FirestoreError(
                .dataLoss,
                "the pages of the file have no checksums, which its format has: it is damaged, or was made by another program; restore it "
                    + "from a backup", at: errors.file)
        }
    }

    /// Runs all steps in one transaction: afterwards the file is of the newest version, or unchanged.
    static func upgrade(_ database: Database, from version: Int64, history: UInt64) throws {
        try database.inTransaction(.immediate) {
            try upgradeTables(database, from: version)
            if version < 3 {
                // Tokens that were issued before belong to this history.
                try database.execute(sql: "UPDATE meta SET history = ?, earlier_tokens = 1", arguments: [Int64(bitPattern: history)])
            }
            return .commit
        }
    }

    static func upgradeTables(_ database: Database, from version: Int64) throws {
        if version < 2 { try database.execute(sql: indexTables) }
        if version < 3 { try database.execute(sql: historyTables) }
        try database.execute(sql: "UPDATE meta SET format_version = ?", arguments: [formatVersion])
    }

    static func foreign(_ errors: StoreErrors, _ application: Int32? = nil) -> FirestoreError {
        let kind = application.flatMap { StoreKind(rawValue: $0) }
        return FirestoreError(
            .failedPrecondition,
            kind?.advice ?? "the file is an SQLite database, but not a Hearth database; give another path", at: errors.file)
    }

    static func otherVersion(_ version: Int64, _ errors: StoreErrors) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "the database has format version \(version) and this Hearth knows versions up to \(formatVersion); "
                + (version > formatVersion
                    ? "use a newer Hearth" : "open it once with a program that uses Hearth, which brings it up to date"),
            at: errors.file, cause: version > formatVersion ? nil : FormatReason.earlier)
    }

    /// The database in a file and its format version; an error if it is not a Hearth database.
    ///
    /// - Parameter isChecked: Whether the connection has to compare checksums. One that only looks at a file before it is opened does not.
    static func identity(
        of database: Database, isChecked: Bool = true, errors: StoreErrors
    ) throws -> (DatabaseID, formatVersion: Int64) {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard application == applicationID else { throw foreign(errors, application) }
        let row = try SQLStatement("SELECT project_id, database_id, format_version FROM meta", on: database, errors: errors)
        defer { row.reset() }
        guard try row.step(), let project = row.text(0), let name = row.text(1) else {
            throw errors.damaged("the database's name")
        }
        if isChecked { try requireChecksums(of: database, format: row.integer(2), errors: errors) }
        return (DatabaseID(projectID: project, databaseID: name), row.integer(2))
    }

    private static func create(_ database: Database, databaseID: DatabaseID, history: UInt64) throws {
        try database.inTransaction(.immediate) {
            try addTables(to: database)
            try name(database, databaseID, history: history)
            return .commit
        }
    }

    /// The tables of a database without a name.
    static func createTables(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try addTables(to: database)
            return .commit
        }
    }

    private static func addTables(to database: Database) throws {
        try database.execute(sql: tables)
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    /// Completes a database that has tables only. A cache has no separate history: 0.
    static func name(_ database: Database, _ databaseID: DatabaseID, history: UInt64) throws {
        try database.execute(
            sql: "INSERT INTO meta VALUES(1, ?, ?, ?, 0, 0, 0, ?, 0)",
            arguments: [formatVersion, databaseID.projectID, databaseID.databaseID, Int64(bitPattern: history)])
    }

    /// Stored references contain full names: under another name they would refer to another database.
    static func checkName(_ database: Database, expected: DatabaseID, errors: StoreErrors) throws {
        guard let row = try Row.fetchOne(database, sql: "SELECT project_id, database_id FROM meta"),
            let project = String.fromDatabaseValue(row[0]), let name = String.fromDatabaseValue(row[1])
        else { throw errors.damaged("the database's name") }
        let stored = DatabaseID(projectID: project, databaseID: name)
        guard stored == expected else {
            throw FirestoreError(
                .failedPrecondition,
                "the file holds database \(stored.databaseID) of project \(stored.projectID), but "
                    + "\(expected.databaseID) of project \(expected.projectID) was asked for; "
                    + "open it under its own name or give another path", at: errors.file, cause: StoreReason.holdsAnotherDatabase)
        }
    }
}
