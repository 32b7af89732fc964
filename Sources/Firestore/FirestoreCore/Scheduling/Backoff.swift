// SPDX-License-Identifier: Apache-2.0

/// The delays between repeated attempts: the first, the growth, the longest, and the random variation.
///
/// Randomness and time are injected, so that tests can replace them.
package struct Backoff: Sendable {
    package var first: Duration
    /// Each delay is this multiple of the previous one, until the longest is reached.
    package var factor: Double
    package var longest: Duration
    /// Each delay is shorter or longer by up to this fraction.
    package var jitter: Double
    /// Returns a number from 0 up to, but excluding, 1.
    package var random: @Sendable () -> Double
    /// Returns after the given time.
    package var sleep: @Sendable (Duration) async -> Void

    /// The defaults are those of a lost stream (LS-42).
    package init(
        first: Duration = .seconds(1), factor: Double = 1.5, longest: Duration = .seconds(60), jitter: Double = 0.5,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.first = first
        self.factor = factor
        self.longest = longest
        self.jitter = jitter
        self.random = random
        self.sleep = sleep
    }

    /// The delay before the next attempt, after `count` failures in a row. Without a failure there is no delay. When the
    /// last failure was `resourceExhausted`, the delay is the longest (LS-41).
    package func delay(afterFailures count: Int, because code: FirestoreError.Code? = nil) -> Duration {
        guard count > 0 else { return .zero }
        var delay = code == .resourceExhausted ? longest : first
        for _ in 1..<max(count, 1) where delay < longest { delay = min(delay * factor, longest) }
        return delay * (1 + jitter * (2 * random() - 1))
    }
}
