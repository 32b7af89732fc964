package import FirestoreCore

/// Whether a transaction is retried, and after which delay.
package struct TransactionRetry: Sendable {
    package static let defaultAttempts = 5
    /// TX-18, for a server. A conflict inside the process is resolved within a few milliseconds.
    private static let firstDelays = (shared: Duration.seconds(1), own: Duration.milliseconds(5))
    private static let longestDelay = Duration.seconds(60)

    private var attemptsLeft: Int
    private var growth = 1.0

    package init(attempts: Int = TransactionRetry.defaultAttempts) { attemptsLeft = max(attempts, 1) - 1 }

    /// The delay before the next attempt; nil if there is none (TX-17). A commit whose answer was lost may have been
    /// applied, and another attempt might apply it twice. `isShared`: the database is a server's.
    package mutating func delay(
        after error: FirestoreError, isShared: Bool = false, using generator: inout some RandomNumberGenerator
    ) -> Duration? {
        guard attemptsLeft > 0, error.progress != .unknown, Self.isRetryable(error.code) else { return nil }
        attemptsLeft -= 1
        let jitter = Double.random(in: 0.5...1.5, using: &generator)
        defer { growth *= 1.5 }
        let first = isShared ? Self.firstDelays.shared : Self.firstDelays.own
        return min(first * growth, Self.longestDelay) * jitter
    }

    /// Conflicts and transient errors (TX-17, LS-40).
    package static func isRetryable(_ code: FirestoreError.Code) -> Bool {
        switch code {
        case .aborted, .alreadyExists, .failedPrecondition: true
        case .cancelled, .unknown, .deadlineExceeded, .resourceExhausted, .internal, .unavailable, .unauthenticated:
            true
        case .ok, .invalidArgument, .notFound, .permissionDenied, .outOfRange, .unimplemented, .dataLoss: false
        }
    }
}
