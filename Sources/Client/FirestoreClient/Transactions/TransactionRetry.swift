// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Whether a transaction is retried, and after which delay.
package struct TransactionRetry: Sendable {
    package static let defaultAttempts = 5
    /// TX-18, for a server.
    private static let shared = Backoff(first: .seconds(1), factor: 1.5, longest: .seconds(60), jitter: 0.5)
    /// A conflict inside the process is resolved within a few milliseconds.
    private static let own = Backoff(first: .milliseconds(5), factor: 1.5, longest: .seconds(60), jitter: 0.5)

    private var attemptsLeft: Int
    private var failures = 0

    package init(attempts: Int = TransactionRetry.defaultAttempts) { attemptsLeft = max(attempts, 1) - 1 }

    /// The delay before the next attempt; nil if there is none (TX-17). A commit whose answer was lost may have been
    /// applied, and another attempt might apply it twice. `isShared`: the database is a server's.
    package mutating func delay(after error: FirestoreError, isShared: Bool = false) -> Duration? {
        guard attemptsLeft > 0, error.progress != .unknown, Self.isRetryable(error.code) else { return nil }
        attemptsLeft -= 1
        failures += 1
        return (isShared ? Self.shared : Self.own).delay(afterFailures: failures)
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
