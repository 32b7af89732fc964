// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB

/// Accounts within one transaction.
struct AccountTransaction {
    let database: Database

    private static let columns = """
        id, email, email_verified, display_name, photo_url, phone, password, password_updated, valid_since, created, last_login, \
        last_refresh, disabled, custom, attributes, initial_email, email_link
        """

    // MARK: Reading

    func account(id: String) throws -> Account? { try first("id = ?", id) }

    /// The account with an e-mail address; of several the one with a password, then the oldest.
    func account(email: String) throws -> Account? { try first("email = ? ORDER BY password IS NULL, created, id", email) }

    func account(phone: String) throws -> Account? { try first("phone = ?", phone) }

    func account(provider: String, rawID: String) throws -> Account? {
        let id = try String.fetchOne(
            database, sql: "SELECT account FROM providers WHERE provider = ? AND raw_id = ?", arguments: [provider, rawID])
        return try id.flatMap(account(id:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT count(*) FROM accounts") ?? 0 }

    /// Accounts in the order of their ids.
    func accounts(after id: String, limit: Int) throws -> [Account] {
        try Row.fetchAll(
            database, sql: "SELECT \(Self.columns) FROM accounts WHERE id > ? ORDER BY id LIMIT ?", arguments: [id, limit]
        ).map(account(_:))
    }

    /// Accounts whose id, e-mail address or phone number begins with a text. Each is looked up in an index.
    func accounts(beginning text: String, limit: Int) throws -> [Account] {
        var found: [Account] = []
        for (column, start) in [("email", text.lowercased()), ("id", text), ("phone", text)] {
            let rows = try Row.fetchAll(
                database, sql: "SELECT \(Self.columns) FROM accounts WHERE \(column) >= ? AND \(column) < ? ORDER BY \(column) LIMIT ?",
                arguments: [start, start + "\u{10FFFF}", limit])
            found += try rows.map(account(_:))
        }
        var seen: Set<String> = []
        return Array(found.filter { seen.insert($0.id).inserted }.prefix(limit))
    }

    private func first(_ condition: String, _ value: String) throws -> Account? {
        try Row.fetchOne(database, sql: "SELECT \(Self.columns) FROM accounts WHERE \(condition) LIMIT 1", arguments: [value]).map(
            account(_:))
    }

    private func account(_ row: Row) throws -> Account {
        var account = Account(id: row[0], created: row[9], validSince: row[8])
        account.email = row[1]
        account.isEmailVerified = row[2]
        account.displayName = row[3]
        account.photoURL = row[4]
        account.phoneNumber = row[5]
        account.passwordHash = row[6]
        account.passwordUpdated = row[7]
        account.lastLogin = row[10]
        account.lastRefresh = row[11]
        account.isDisabled = row[12]
        account.isCustom = row[13]
        account.customAttributes = row[14]
        account.initialEmail = row[15]
        account.usesEmailLink = row[16]
        account.providers = try Row.fetchAll(
            database,
            sql:
                "SELECT provider, raw_id, email, display_name, photo_url, phone FROM providers WHERE account = ? ORDER BY provider, raw_id",
            arguments: [account.id]
        ).map { row in
            var provider = LinkedProvider(id: row[0], rawID: row[1])
            provider.email = row[2]
            provider.displayName = row[3]
            provider.photoURL = row[4]
            provider.phoneNumber = row[5]
            return provider
        }
        return account
    }

    // MARK: Writing

    /// Stores an account with its providers, whether it is new or not.
    func store(_ account: Account) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO accounts(\(Self.columns)) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            arguments: [
                account.id, account.email, account.isEmailVerified, account.displayName, account.photoURL, account.phoneNumber,
                account.passwordHash, account.passwordUpdated, account.validSince, account.created, account.lastLogin, account.lastRefresh,
                account.isDisabled, account.isCustom, account.customAttributes, account.initialEmail, account.usesEmailLink,
            ])
        try database.execute(sql: "DELETE FROM providers WHERE account = ?", arguments: [account.id])
        for provider in account.providers {
            try database.execute(
                sql: "INSERT INTO providers VALUES(?,?,?,?,?,?,?)",
                arguments: [
                    provider.id, provider.rawID, account.id, provider.email, provider.displayName, provider.photoURL, provider.phoneNumber,
                ])
        }
    }

    func remove(id: String) throws -> Bool {
        try database.execute(sql: "DELETE FROM accounts WHERE id = ?", arguments: [id])
        let isRemoved = database.changesCount > 0
        try database.execute(sql: "DELETE FROM providers WHERE account = ?", arguments: [id])
        try removeSessions(of: id)
        try database.execute(sql: "DELETE FROM codes WHERE account = ?", arguments: [id])
        return isRemoved
    }

    func removeAll() throws {
        try database.execute(sql: "DELETE FROM accounts; DELETE FROM providers; DELETE FROM sessions; DELETE FROM codes;")
    }

    // MARK: Sessions

    /// An account has at most this many sessions; the least recently used ones end.
    static let maximumSessions = 100

    func add(_ session: Session, hash: [UInt8], account: String, now: Int64) throws {
        try database.execute(
            sql: "INSERT INTO sessions VALUES(?,?,?,?,?,?)",
            arguments: [Self.blob(hash), account, session.provider, session.claims, session.authenticated, now])
        try database.execute(
            sql: """
                DELETE FROM sessions WHERE hash IN (
                    SELECT hash FROM sessions WHERE account = ? ORDER BY used DESC, hash LIMIT -1 OFFSET ?)
                """, arguments: [account, Self.maximumSessions])
    }

    func session(hash: [UInt8]) throws -> (Session, account: String)? {
        let row = try Row.fetchOne(
            database, sql: "SELECT provider, claims, authenticated, account FROM sessions WHERE hash = ?", arguments: [Self.blob(hash)])
        return row.map { (Session(provider: $0[0], claims: $0[1], authenticated: $0[2]), account: $0[3]) }
    }

    func noteUse(ofSession hash: [UInt8], now: Int64) throws {
        try database.execute(sql: "UPDATE sessions SET used = ? WHERE hash = ?", arguments: [now, Self.blob(hash)])
    }

    func removeSessions(of account: String) throws {
        try database.execute(sql: "DELETE FROM sessions WHERE account = ?", arguments: [account])
    }

    // MARK: Codes

    /// Codes that are valid at the same time; beyond it the ones that expire first end.
    static let maximumCodes = 100_000

    func add(_ code: OutOfBandCode, hash: [UInt8], now: Int64) throws {
        try database.execute(sql: "DELETE FROM codes WHERE expires <= ?", arguments: [now])
        try database.execute(
            sql: "INSERT INTO codes VALUES(?,?,?,?,?,?)",
            arguments: [Self.blob(hash), code.purpose.rawValue, code.account, code.email, code.newEmail, code.expires])
        if try Int.fetchOne(database, sql: "SELECT count(*) FROM codes") ?? 0 > Self.maximumCodes {
            try database.execute(sql: "DELETE FROM codes WHERE hash IN (SELECT hash FROM codes ORDER BY expires LIMIT 1000)")
        }
    }

    func code(hash: [UInt8]) throws -> OutOfBandCode? {
        let row = try Row.fetchOne(
            database, sql: "SELECT purpose, account, email, new_email, expires FROM codes WHERE hash = ?", arguments: [Self.blob(hash)])
        guard let row, let purpose = OutOfBandCode.Purpose(rawValue: row[0]) else { return nil }
        return OutOfBandCode(purpose: purpose, account: row[1], email: row[2], newEmail: row[3], expires: row[4])
    }

    func removeCode(hash: [UInt8]) throws {
        try database.execute(sql: "DELETE FROM codes WHERE hash = ?", arguments: [Self.blob(hash)])
    }

    func removeCodes(of account: String) throws {
        try database.execute(sql: "DELETE FROM codes WHERE account = ?", arguments: [account])
    }

    // MARK: Configuration

    func config() throws -> String? { try String.fetchOne(database, sql: "SELECT config FROM meta") }

    func set(config: String) throws { try database.execute(sql: "UPDATE meta SET config = ?", arguments: [config]) }

    private static func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }
}
