// SPDX-License-Identifier: Apache-2.0

/// Rejects tokens whose account was disabled or deleted, or whose session has ended.
package struct StandingCheck: Sendable {
    /// Answers from memory, without blocking; false if the answer is not there.
    let now: @Sendable (_ token: VerifiedToken) throws(TokenError) -> Bool
    /// Answers after reading data that is not in memory.
    let waiting: @Sendable (_ token: VerifiedToken) async throws(TokenError) -> Void

    package init(
        now: @escaping @Sendable (_ token: VerifiedToken) throws(TokenError) -> Bool,
        waiting: @escaping @Sendable (_ token: VerifiedToken) async throws(TokenError) -> Void
    ) {
        self.now = now
        self.waiting = waiting
    }
}
