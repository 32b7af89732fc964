// SPDX-License-Identifier: Apache-2.0
import FirestoreStorage

/// Accounts within one transaction.
struct AccountTransaction {
    let statements: any TableStatements
    /// Notes whose tokens may have ended. nil in a transaction of accounts that no other server has.
    var changes: AccountChanges?

    private static let columns = """
        id, email, email_verified, display_name, photo_url, phone, password, password_updated, valid_since, created, last_login, \
        last_refresh, disabled, custom, attributes, initial_email, email_link
        """

    // MARK: Reading

    func account(id: String) throws -> Account? { try first("id = $1", id) }

    /// The account with an e-mail address; of several the one with a password, then the oldest.
    func account(email: String) throws -> Account? { try first("email = $1 ORDER BY password IS NULL, created, id", email) }

    func account(phone: String) throws -> Account? { try first("phone = $1", phone) }

    func account(provider: String, rawID: String) throws -> Account? {
        let found = try statements.rows(
            "SELECT account FROM providers WHERE provider = $1 AND raw_id = $2", [.text(provider), .text(rawID)])
        return found.count > 0 ? try account(id: found.required(0, 0)) : nil
    }

    func count() throws -> Int { try count(of: "accounts") }

    private func count(of table: String) throws -> Int {
        Int(try statements.rows("SELECT count(*) FROM \(table)", []).optionalInteger(0, 0) ?? 0)
    }

    /// Accounts in the order of their ids.
    func accounts(after id: String, limit: Int) throws -> [Account] {
        try all("id > $1 ORDER BY id LIMIT $2", [.text(id), .integer(Int64(limit))])
    }

    /// Accounts whose id, e-mail address or phone number begins with a text. Each is looked up in an index.
    func accounts(beginning text: String, limit: Int) throws -> [Account] {
        var found: [Account] = []
        for (column, start) in [("email", text.lowercased()), ("id", text), ("phone", text)] {
            found += try all(
                "\(column) >= $1 AND \(column) < $2 ORDER BY \(column) LIMIT $3",
                [.text(start), .text(start + "\u{10FFFF}"), .integer(Int64(limit))])
        }
        var seen: Set<String> = []
        return Array(found.filter { seen.insert($0.id).inserted }.prefix(limit))
    }

    private func first(_ condition: String, _ value: String) throws -> Account? { try all(condition + " LIMIT 1", [.text(value)]).first }

    private func all(_ condition: String, _ values: [TableValue]) throws -> [Account] {
        let rows = try statements.rows("SELECT \(Self.columns) FROM accounts WHERE \(condition)", values)
        return try (0..<rows.count).map { try account(rows, $0) }
    }

    private func account(_ rows: any TableRows, _ row: Int) throws -> Account {
        var account = Account(id: rows.required(row, 0), created: rows.number(row, 9), validSince: rows.number(row, 8))
        account.email = rows.text(row, 1)
        account.isEmailVerified = rows.flag(row, 2)
        account.displayName = rows.text(row, 3)
        account.photoURL = rows.text(row, 4)
        account.phoneNumber = rows.text(row, 5)
        account.passwordHash = rows.text(row, 6)
        account.passwordUpdated = rows.optionalInteger(row, 7)
        account.lastLogin = rows.optionalInteger(row, 10)
        account.lastRefresh = rows.optionalInteger(row, 11)
        account.isDisabled = rows.flag(row, 12)
        account.isCustom = rows.flag(row, 13)
        account.customAttributes = rows.text(row, 14)
        account.initialEmail = rows.text(row, 15)
        account.usesEmailLink = rows.flag(row, 16)
        let linked = try statements.rows(
            "SELECT provider, raw_id, email, display_name, photo_url, phone FROM providers WHERE account = $1 ORDER BY provider, raw_id",
            [.text(account.id)])
        account.providers = (0..<linked.count).map { row in
            var provider = LinkedProvider(id: linked.required(row, 0), rawID: linked.required(row, 1))
            provider.email = linked.text(row, 2)
            provider.displayName = linked.text(row, 3)
            provider.photoURL = linked.text(row, 4)
            provider.phoneNumber = linked.text(row, 5)
            return provider
        }
        return account
    }

    // MARK: Writing

    /// Stores an account with its providers, whether it is new or not.
    func store(_ account: Account) throws {
        try changes?.note(account, self)
        let values: [TableValue] = [
            .text(account.id), .init(account.email), .init(account.isEmailVerified), .init(account.displayName), .init(account.photoURL),
            .init(account.phoneNumber), .init(account.passwordHash), .init(account.passwordUpdated), .integer(account.validSince),
            .integer(account.created), .init(account.lastLogin), .init(account.lastRefresh), .init(account.isDisabled),
            .init(account.isCustom), .init(account.customAttributes), .init(account.initialEmail), .init(account.usesEmailLink),
        ]
        try statements.run(Self.storing, values)
        try statements.run("DELETE FROM providers WHERE account = $1", [.text(account.id)])
        for provider in account.providers {
            try statements.run(
                "INSERT INTO providers VALUES($1, $2, $3, $4, $5, $6, $7)",
                [
                    .text(provider.id), .text(provider.rawID), .text(account.id), .init(provider.email), .init(provider.displayName),
                    .init(provider.photoURL), .init(provider.phoneNumber),
                ])
        }
    }

    private static let storing: String = {
        let names = columns.split(separator: ", ")
        let values = (1...names.count).map { "$\($0)" }.joined(separator: ", ")
        let changes = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "INSERT INTO accounts(\(columns)) VALUES(\(values)) ON CONFLICT (id) DO UPDATE SET \(changes)"
    }()

    func remove(id: String) throws -> Bool {
        changes?.note(id)
        let isRemoved = try statements.run("DELETE FROM accounts WHERE id = $1", [.text(id)]) > 0
        try statements.run("DELETE FROM providers WHERE account = $1", [.text(id)])
        try removeSessions(of: id)
        try removeCodes(of: id)
        return isRemoved
    }

    func removeAll() throws {
        changes?.noteAll()
        for table in ["accounts", "providers", "sessions", "codes"] { try statements.run("DELETE FROM \(table)", []) }
    }

    // MARK: Sessions

    /// An account has at most this many sessions; the least recently used ones end.
    static let maximumSessions: Int64 = 100

    func add(_ session: Session, hash: [UInt8], account: String, now: Int64) throws {
        try statements.run(
            "INSERT INTO sessions VALUES($1, $2, $3, $4, $5, $6)",
            [
                .bytes(hash), .text(account), .text(session.provider), .init(session.claims), .integer(session.authenticated),
                .integer(now),
            ])
        try statements.run(
            """
            DELETE FROM sessions WHERE hash IN (
                SELECT hash FROM sessions WHERE account = $1 ORDER BY used DESC, hash LIMIT 1000000 OFFSET $2)
            """, [.text(account), .integer(Self.maximumSessions)])
    }

    func session(hash: [UInt8]) throws -> (Session, account: String)? {
        let found = try statements.rows("SELECT provider, claims, authenticated, account FROM sessions WHERE hash = $1", [.bytes(hash)])
        guard found.count > 0 else { return nil }
        let session = Session(provider: found.required(0, 0), claims: found.text(0, 1), authenticated: found.number(0, 2))
        return (session, account: found.required(0, 3))
    }

    func noteUse(ofSession hash: [UInt8], now: Int64) throws {
        try statements.run("UPDATE sessions SET used = $1 WHERE hash = $2", [.integer(now), .bytes(hash)])
    }

    func removeSessions(of account: String) throws {
        try statements.run("DELETE FROM sessions WHERE account = $1", [.text(account)])
    }

    // MARK: Codes

    /// Codes that are valid at the same time; beyond it the ones that expire first end.
    static let maximumCodes = 100_000

    func add(_ code: OutOfBandCode, hash: [UInt8], now: Int64) throws {
        try statements.run("DELETE FROM codes WHERE expires <= $1", [.integer(now)])
        try statements.run(
            "INSERT INTO codes VALUES($1, $2, $3, $4, $5, $6)",
            [
                .bytes(hash), .text(code.purpose.rawValue), .init(code.account), .text(code.email), .init(code.newEmail),
                .integer(code.expires),
            ])
        if try count(of: "codes") > Self.maximumCodes {
            try statements.run("DELETE FROM codes WHERE hash IN (SELECT hash FROM codes ORDER BY expires LIMIT 1000)", [])
        }
    }

    func code(hash: [UInt8]) throws -> OutOfBandCode? {
        let found = try statements.rows("SELECT purpose, account, email, new_email, expires FROM codes WHERE hash = $1", [.bytes(hash)])
        guard found.count > 0, let purpose = OutOfBandCode.Purpose(rawValue: found.required(0, 0)) else { return nil }
        return OutOfBandCode(
            purpose: purpose, account: found.text(0, 1), email: found.required(0, 2), newEmail: found.text(0, 3),
            expires: found.number(0, 4))
    }

    func removeCode(hash: [UInt8]) throws { try statements.run("DELETE FROM codes WHERE hash = $1", [.bytes(hash)]) }

    func removeCodes(of account: String) throws { try statements.run("DELETE FROM codes WHERE account = $1", [.text(account)]) }

    // MARK: Configuration

    func config() throws -> String? { try statements.rows("SELECT config FROM meta", []).text(0, 0) }

    func set(config: String) throws { try statements.run("UPDATE meta SET config = $1", [.text(config)]) }
}

extension TableRows {
    /// The values of columns that are never null.
    fileprivate func required(_ row: Int, _ column: Int) -> String { text(row, column) ?? "" }
    fileprivate func number(_ row: Int, _ column: Int) -> Int64 { optionalInteger(row, column) ?? 0 }
    fileprivate func flag(_ row: Int, _ column: Int) -> Bool { number(row, column) != 0 }
}
