// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
package import FirestoreStorage

/// The accounts of a project on the server of a cluster, which all nodes use.
final class SharedAccounts: AccountPlace {
    private let tables: any ClusterTables
    /// What notices begin with.
    private let name: String

    var isShared: Bool { true }

    /// nil if there are no tables and none are to be made.
    init?(_ cluster: any StoreCluster, project: String, creating: Bool) throws(FirestoreError) {
        name = Self.name(of: project)
        let creation = creating ? AccountSchema.sharedTables(of: project) : nil
        guard let tables = try cluster.tables(named: name, lock: "meta", creation: creation) else { return nil }
        self.tables = tables
    }

    private static func name(of project: String) -> String { "accounts_" + project }

    func read<R>(_ body: (AccountTransaction) throws -> R) throws -> R {
        try tables.read { try body(AccountTransaction(statements: $0)) }
    }

    func write<R>(_ body: (AccountTransaction) throws -> R) throws -> (result: R, notice: Int64?) {
        try tables.write { statements in
            let changes = AccountChanges()
            let result = try body(AccountTransaction(statements: statements, changes: changes))
            let prefix = [UInt8](name.utf8) + [0]
            for id in changes.isEveryAccount ? [[]] : changes.ids.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                try statements.publish(.accounts, prefix + id)
            }
            return result
        }
    }

    func awaitObedience(of notice: Int64) throws { try tables.awaitObedience(of: notice) }

    func changeCount() -> Int? { nil }
    func beginCopy(to path: String) -> StoreCopy? { nil }
    func step(_ copy: StoreCopy) -> Bool { true }

    /// The connections belong to the cluster.
    func close() {}

    /// What a notice is about: the account of a project, or nil for all its accounts. nil for a notice of another kind.
    static func account(in notice: ClusterNotice, of project: String) -> String?? {
        let prefix = [UInt8](name(of: project).utf8) + [0]
        guard notice.kind == .accounts, notice.payload.starts(with: prefix) else { return nil }
        let id = notice.payload.dropFirst(prefix.count)
        return .some(id.isEmpty ? nil : String(decoding: id, as: UTF8.self))
    }
}

extension AccountStore {
    /// Opens the accounts on the server of a cluster. nil if there are none and none are to be made.
    ///
    /// - Parameters:
    ///   - key: The key that this node signs tokens with; nil if it signs none.
    ///   - accepted: Other keys whose tokens it accepts.
    package static func open(
        in cluster: any StoreCluster, project: String, creating: Bool = true, signingWith key: String? = nil,
        accepting accepted: [String] = []
    ) throws(FirestoreError) -> AccountStore? {
        guard let place = try SharedAccounts(cluster, project: project, creating: creating) else { return nil }
        do {
            _ = try place.write { try $0.checkShared(project: project, key, accepted) }
        } catch let error as FirestoreError {
            throw error
        } catch {
            throw FirestoreError(.unavailable, "the accounts of \(project) cannot be read", cause: error)
        }
        return AccountStore(place)
    }
}

extension AccountTransaction {
    /// The key that signed last must be one that this node accepts. To rotate keys, all nodes accept the new one before one signs with it.
    fileprivate func checkShared(project: String, _ key: String?, _ accepted: [String]) throws {
        let row = try statements.rows("SELECT format_version, signing_key FROM meta", [])
        let version = row.optionalInteger(0, 0) ?? 0
        guard version == AccountSchema.version else {
            throw FirestoreError(
                .failedPrecondition,
                "the accounts of \(project) have format version \(version) and this Hearth knows \(AccountSchema.version); use a newer "
                    + "Hearth")
        }
        guard let key, row.text(0, 1) != key else { return }
        if let current = row.text(0, 1), !accepted.contains(current) {
            throw FirestoreError(
                .failedPrecondition,
                "the nodes of the cluster sign tokens with another key than this one; give it the key file of a node that runs, or, while "
                    + "keys are rotated, that key as the previous one")
        }
        try statements.run("UPDATE meta SET signing_key = $1", [.text(key)])
    }

    /// Keys of attempts that are counted at the same time.
    private static var maximumAttempts: Int { 100_000 }

    /// Counts an attempt, unless the budget of its key is used up. `now` is in microseconds.
    func takeAttempt(_ key: String, _ budget: AttemptBudget, now: Int64) throws -> Bool {
        let rate = budget.perSecond / 1_000_000
        // Budgets that are full again need no row. Attempts from very many addresses: the oldest are forgotten.
        try statements.run(
            """
            DELETE FROM attempts WHERE time < $1
            OR time < (SELECT time FROM attempts ORDER BY time DESC LIMIT 1 OFFSET \(Self.maximumAttempts))
            """, [.integer(now - 3_600_000_000)])
        let filled = "least(\(budget.burst), a.available + greatest(0, $2 - a.time) * \(rate))"
        return try statements.run(
            """
            INSERT INTO attempts AS a(key, available, time) VALUES($1, \(budget.burst - 1), $2)
            ON CONFLICT (key) DO UPDATE SET available = \(filled) - 1, time = greatest(a.time, $2) WHERE \(filled) >= 1
            """, [.text(key), .integer(now)]) > 0
    }

    func giveBackAttempt(_ key: String, _ budget: AttemptBudget) throws {
        try statements.run(
            "UPDATE attempts SET available = least(\(budget.burst), available + 1) WHERE key = $1", [.text(key)])
    }

    func forgetAttempts(_ key: String) throws { try statements.run("DELETE FROM attempts WHERE key = $1", [.text(key)]) }
}
