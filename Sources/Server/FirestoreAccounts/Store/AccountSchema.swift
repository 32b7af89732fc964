// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB

/// The tables of the accounts and their version.
enum AccountSchema {
    /// `PRAGMA application_id`: distinguishes the file from databases and caches.
    static let applicationID: Int32 = 0x4852_5441  // "HRTA"
    static let version: Int64 = 1

    /// The words by which the two databases differ.
    private struct Words {
        let text: String
        let integer: String
        let bytes: String
        /// Behind a table whose rows are stored by their key.
        let keyed: String
    }

    static let tables = tables(Words(text: "TEXT", integer: "INTEGER", bytes: "BLOB", keyed: " WITHOUT ROWID"))

    /// On PostgreSQL, where several servers sign with one key, whose id they compare, and count attempts together.
    static func sharedTables(of project: String) -> String {
        tables(Words(text: "TEXT COLLATE \"C\"", integer: "BIGINT", bytes: "BYTEA", keyed: "")) + """

            ALTER TABLE meta ADD COLUMN signing_key TEXT;
            CREATE TABLE attempts(
                key TEXT PRIMARY KEY NOT NULL,
                available DOUBLE PRECISION NOT NULL,
                time BIGINT NOT NULL);
            CREATE INDEX attempts_by_time ON attempts(time);
            INSERT INTO meta VALUES(1, \(version), '\(project)', NULL, NULL);
            """
    }

    private static func tables(_ words: Words) -> String {
        """
        CREATE TABLE meta(
            one \(words.integer) PRIMARY KEY CHECK(one = 1),
            format_version \(words.integer) NOT NULL,
            project \(words.text) NOT NULL,
            config \(words.text));
        CREATE TABLE accounts(
            id \(words.text) PRIMARY KEY NOT NULL,
            email \(words.text),
            email_verified \(words.integer) NOT NULL,
            display_name \(words.text),
            photo_url \(words.text),
            phone \(words.text),
            password \(words.text),
            password_updated \(words.integer),
            valid_since \(words.integer) NOT NULL,
            created \(words.integer) NOT NULL,
            last_login \(words.integer),
            last_refresh \(words.integer),
            disabled \(words.integer) NOT NULL,
            custom \(words.integer) NOT NULL,
            attributes \(words.text),
            initial_email \(words.text),
            email_link \(words.integer) NOT NULL)\(words.keyed);
        CREATE INDEX accounts_by_email ON accounts(email) WHERE email IS NOT NULL;
        CREATE UNIQUE INDEX accounts_by_phone ON accounts(phone) WHERE phone IS NOT NULL;
        CREATE TABLE providers(
            provider \(words.text) NOT NULL,
            raw_id \(words.text) NOT NULL,
            account \(words.text) NOT NULL,
            email \(words.text),
            display_name \(words.text),
            photo_url \(words.text),
            phone \(words.text),
            PRIMARY KEY(provider, raw_id))\(words.keyed);
        CREATE INDEX providers_by_account ON providers(account);
        CREATE TABLE sessions(
            hash \(words.bytes) PRIMARY KEY NOT NULL,
            account \(words.text) NOT NULL,
            provider \(words.text) NOT NULL,
            claims \(words.text),
            authenticated \(words.integer) NOT NULL,
            used \(words.integer) NOT NULL)\(words.keyed);
        CREATE INDEX sessions_by_account ON sessions(account, used);
        CREATE TABLE codes(
            hash \(words.bytes) PRIMARY KEY NOT NULL,
            purpose \(words.text) NOT NULL,
            account \(words.text),
            email \(words.text) NOT NULL,
            new_email \(words.text),
            expires \(words.integer) NOT NULL)\(words.keyed);
        CREATE INDEX codes_by_expiry ON codes(expires);
        """
    }

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
