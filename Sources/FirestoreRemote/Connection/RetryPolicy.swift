// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Which calls are made again after a failure, how often, and after how long (LS-40).
///
/// A read is made again whenever its answer did not come; a commit only if it certainly was not begun. What the server has
/// answered stands, but for `unavailable` on reads. `resourceExhausted` would mean to wait for a minute (LS-41): that is
/// for the caller to decide.
package struct RetryPolicy: Sendable {
    /// The first included.
    package var attempts: Int
    /// While the server has never answered: who has named the wrong port wants to know at once.
    package var attemptsBeforeContact: Int
    /// No attempt begins later than this after the first.
    package var longest: Duration
    package var backoff: Backoff
    /// The deadline of calls that were given none: with one answer, and with many.
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

    /// Every call is made once.
    package static var never: RetryPolicy { RetryPolicy(attempts: 1, attemptsBeforeContact: 1) }

    /// What doing a call twice would do.
    enum Effect: Sendable {
        /// The same as doing it once.
        case none
        /// It might be done twice.
        case change
    }

    static func allows(_ effect: Effect, after error: FirestoreError) -> Bool {
        switch (effect, error.progress) {
        case (.none, .answered): error.code == .unavailable
        // This side's own cancellation and deadline are no reasons to go on; the caller asks for the first.
        case (.none, _): [.unavailable, .internal, .unknown, .cancelled].contains(error.code)
        case (.change, .notBegun), (.change, .notConnected): error.code == .unavailable
        case (.change, .answered), (.change, .unknown): false
        }
    }

    /// How long to wait before the next attempt; nil when there is none.
    func delay(afterFailures failures: Int, elapsed: Duration, hasContact: Bool) -> Duration? {
        guard failures < (hasContact ? attempts : attemptsBeforeContact) else { return nil }
        let delay = backoff.delay(afterFailures: failures)
        return elapsed + delay <= longest ? delay : nil
    }
}
