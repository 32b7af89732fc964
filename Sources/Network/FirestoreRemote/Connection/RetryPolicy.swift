// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Which calls are repeated after a failure, how often, and after which delay (LS-40).
///
/// A read is repeated whenever its answer was lost; a commit only if it certainly was not started. Errors from the server are
/// final, except for `unavailable` on reads. `resourceExhausted` would mean a wait of a minute (LS-41), which is for the caller to
/// decide.
package struct RetryPolicy: Sendable {
    /// The number of attempts, including the first.
    package var attempts: Int
    /// While the server has never answered. Fewer, so that a wrong port is reported quickly.
    package var attemptsBeforeContact: Int
    /// No attempt starts later than this after the first.
    package var longest: Duration
    package var backoff: Backoff
    /// The deadline of calls without one: with one answer, and with many.
    package var patience = Duration.seconds(60)
    package var readingPatience = Duration.seconds(300)

    package init(
        attempts: Int = 5, attemptsBeforeContact: Int = 3, longest: Duration = .seconds(10),
        backoff: Backoff = Backoff(first: .milliseconds(250), factor: 2.5, longest: .seconds(5))
    ) {
        self.attempts = attempts
        self.attemptsBeforeContact = attemptsBeforeContact
        self.longest = longest
        self.backoff = backoff
    }

    /// Makes every call once.
    package static var never: RetryPolicy { RetryPolicy(attempts: 1, attemptsBeforeContact: 1) }

    /// The effect of making a call twice.
    enum Effect: Sendable {
        /// It is that of making it once.
        case none
        /// The change may be applied twice.
        case change
    }

    static func allows(_ effect: Effect, after error: FirestoreError) -> Bool {
        switch (effect, error.progress) {
        case (.none, .answered): error.code == .unavailable
        // The caller's own cancellation and deadline are not failures to retry.
        case (.none, _): [.unavailable, .internal, .unknown, .cancelled].contains(error.code)
        case (.change, .notBegun), (.change, .notConnected): error.code == .unavailable
        case (.change, .answered), (.change, .unknown): false
        }
    }

    /// The delay before the next attempt; nil if there is none.
    func delay(afterFailures failures: Int, elapsed: Duration, hasContact: Bool) -> Duration? {
        guard failures < (hasContact ? attempts : attemptsBeforeContact) else { return nil }
        let delay = backoff.delay(afterFailures: failures)
        return elapsed + delay <= longest ? delay : nil
    }
}
