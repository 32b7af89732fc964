// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// The accounts whose tokens a transaction may have ended: other servers remember what they have read of them.
final class AccountChanges {
    private(set) var ids: Set<[UInt8]> = []
    private(set) var isEveryAccount = false

    /// To be called before the account is stored. One that is new was remembered nowhere.
    func note(_ account: Account, _ transaction: AccountTransaction) throws {
        let before = try transaction.statements.rows("SELECT valid_since, disabled FROM accounts WHERE id = $1", [.text(account.id)])
        guard before.count > 0 else { return }
        let isSame = before.optionalInteger(0, 0) == account.validSince && before.optionalInteger(0, 1) == (account.isDisabled ? 1 : 0)
        if !isSame { note(account.id) }
    }

    // By bytes: equal strings may be different ids.
    func note(_ id: String) { ids.insert([UInt8](id.utf8)) }

    func noteAll() { isEveryAccount = true }
}
