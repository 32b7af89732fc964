// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB

/// The tables of the accounts and their version.
enum AccountSchema {
    /// `PRAGMA application_id`: distinguishes the file from databases and caches.
    static let applicationID: Int32 = 0x4852_5441  // "HRTA"
    static let version: Int64 = 1

    static let tables = """
        CREATE TABLE meta(
            one INTEGER PRIMARY KEY CHECK(one = 1),
            format_version INTEGER NOT NULL,
            project TEXT NOT NULL,
            config TEXT);
        CREATE TABLE accounts(
            id TEXT PRIMARY KEY NOT NULL,
            email TEXT,
            email_verified INTEGER NOT NULL,
            display_name TEXT,
            photo_url TEXT,
            phone TEXT,
            password TEXT,
            password_updated INTEGER,
            valid_since INTEGER NOT NULL,
            created INTEGER NOT NULL,
            last_login INTEGER,
            last_refresh INTEGER,
            disabled INTEGER NOT NULL,
            custom INTEGER NOT NULL,
            attributes TEXT,
            initial_email TEXT,
            email_link INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX accounts_by_email ON accounts(email) WHERE email IS NOT NULL;
        CREATE UNIQUE INDEX accounts_by_phone ON accounts(phone) WHERE phone IS NOT NULL;
        CREATE TABLE providers(
            provider TEXT NOT NULL,
            raw_id TEXT NOT NULL,
            account TEXT NOT NULL,
            email TEXT,
            display_name TEXT,
            photo_url TEXT,
            phone TEXT,
            PRIMARY KEY(provider, raw_id)) WITHOUT ROWID;
        CREATE INDEX providers_by_account ON providers(account);
        CREATE TABLE sessions(
            hash BLOB PRIMARY KEY NOT NULL,
            account TEXT NOT NULL,
            provider TEXT NOT NULL,
            claims TEXT,
            authenticated INTEGER NOT NULL,
            used INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX sessions_by_account ON sessions(account, used);
        CREATE TABLE codes(
            hash BLOB PRIMARY KEY NOT NULL,
            purpose TEXT NOT NULL,
            account TEXT,
            email TEXT NOT NULL,
            new_email TEXT,
            expires INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX codes_by_expiry ON codes(expires);
        """

    static func prepare(_ database: Database, project: String, file: String) throws {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        if try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 {
            return try database.inTransaction(.immediate) {
                try database.execute(sql: tables)
                try database.execute(sql: "INSERT INTO meta VALUES(1, ?, ?, NULL)", arguments: [version, project])
                try database.execute(sql: "PRAGMA application_id = \(applicationID)")
                return .commit
            }
        }
        guard application == applicationID, let row = try Row.fetchOne(database, sql: "SELECT format_version, project FROM meta") else {
            throw FirestoreError(.failedPrecondition, "the file does not contain accounts of Hearth; give another path", at: file)
        }
        let (found, owner): (Int64, String) = (row[0], row[1])
        guard found == version else {
            throw FirestoreError(
                .failedPrecondition, "the accounts have format version \(found) and this Hearth knows \(version); use a newer Hearth",
                at: file)
        }
        guard equalUTF8(owner, project) else {
            throw FirestoreError(
                .failedPrecondition, "the file contains the accounts of project \(owner), not of \(project); give another path", at: file)
        }
    }
}
