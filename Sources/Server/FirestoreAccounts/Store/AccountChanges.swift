// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The accounts whose tokens a transaction may have ended: other servers remember what they have read of them.
final class AccountChanges {
    private(set) var ids: Set<[UInt8]> = []
    private(set) var isEveryAccount = false

    /// To be called before the account is stored. One that is new was remembered nowhere.
    func note(_ account: Account, _ transaction: AccountTransaction) throws {
        guard let before = try transaction.account(id: account.id) else { return }
        if before.validSince != account.validSince || before.isDisabled != account.isDisabled { note(account.id) }
    }

    // By bytes: equal strings may be different ids.
    func note(_ id: String) { ids.insert([UInt8](id.utf8)) }

    func noteAll() { isEveryAccount = true }
}
