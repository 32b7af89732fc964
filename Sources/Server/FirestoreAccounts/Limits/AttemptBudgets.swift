// SPDX-License-Identifier: Apache-2.0

/// The rate of attempts: a number that may be made immediately, and how long it takes until one more is allowed.
package struct AttemptBudget: Sendable, Hashable {
    package let burst: Double
    package let perSecond: Double

    package init(burst: Int, every seconds: Double) {
        self.burst = Double(burst)
        perSecond = 1 / seconds
    }
}

/// The budgets of a service; nil means without a limit.
package struct AttemptBudgets: Sendable {
    /// Sign-ins, refreshes and other requests without proof, per address.
    package var requests: AttemptBudget?
    /// Wrong passwords per account, whatever the address. A right password does not help while it is used up, so that guessing stays slow.
    package var failures: AttemptBudget?
    /// New accounts per address, and the other answers that reveal whether an e-mail address has an account: to links and changes.
    package var signUps: AttemptBudget?
    /// Codes by e-mail, per account.
    package var codes: AttemptBudget?

    package static let unlimited = AttemptBudgets()
    package static let standard = AttemptBudgets(
        requests: AttemptBudget(burst: 60, every: 1), failures: AttemptBudget(burst: 10, every: 60),
        signUps: AttemptBudget(burst: 100, every: 36), codes: AttemptBudget(burst: 5, every: 300))
}
