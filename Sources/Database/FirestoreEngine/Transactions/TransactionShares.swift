// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How much of the table of transactions its callers use.
struct TransactionShares {
    private let limits: TransactionLimits
    private var total = TransactionLimits.Share.none
    /// Of callers that have transactions open.
    private var used: [SequenceOwner: TransactionLimits.Share] = [:]

    init(limits: TransactionLimits) { self.limits = limits }

    mutating func add(_ share: TransactionLimits.Share, of caller: SequenceOwner) {
        total = total + share
        let now = (used[caller] ?? .none) + share
        used[caller] = now.transactions > 0 ? now : nil
    }

    mutating func remove(_ share: TransactionLimits.Share, of caller: SequenceOwner) { add(.none - share, of: caller) }

    /// Why a caller cannot have more; nil if they can.
    func rejection(of more: TransactionLimits.Share, for caller: SequenceOwner) -> FirestoreError? {
        if !caller.isAdministrator {
            let (limit, name) = caller.isOneUser ? (limits.user, " of this user") : (limits.anonymous, " of anonymous callers")
            if let rejection = rejection(of: (used[caller] ?? .none) + more, limit, name) { return rejection }
            let others = total - (used[.administrator] ?? .none)
            if let rejection = rejection(of: others + more, limits.withoutAdministrators, " of all users") { return rejection }
        }
        return rejection(of: total + more, limits.total, "")
    }

    private func rejection(
        of sum: TransactionLimits.Share, _ limit: TransactionLimits.Share, _ name: String
    ) -> FirestoreError? {
        if sum.transactions > limit.transactions {
            return FirestoreError(
                .resourceExhausted, "more than \(limit.transactions) transactions\(name) are open; commit or roll back what is done")
        }
        if sum.bytes > limit.bytes {
            return FirestoreError(
                .resourceExhausted,
                "the open transactions\(name) have read more than the database can keep track of; commit or roll back what is done, "
                    + "and run the transaction again later")
        }
        return nil
    }
}
