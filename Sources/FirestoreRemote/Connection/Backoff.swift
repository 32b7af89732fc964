package import FirestoreCore

/// How long to wait before a lost stream is opened again (LS-42). Time and chance come from outside.
package struct Backoff: Sendable {
    package var first: Duration
    package var factor: Double
    package var longest: Duration
    /// Each wait is shorter or longer by up to this part of it.
    package var jitter: Double
    /// From 0 up to 1.
    package var random: @Sendable () -> Double
    package var sleep: @Sendable (Duration) async -> Void

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

    /// Before another attempt, after so many that came to nothing. The first comes at once; when the server has had too
    /// much, the longest time passes (LS-41).
    package func delay(afterFailures count: Int, because code: FirestoreError.Code? = nil) -> Duration {
        guard count > 0 else { return .zero }
        var delay = code == .resourceExhausted ? longest : first
        for _ in 1..<max(count, 1) where delay < longest { delay = min(delay * factor, longest) }
        return delay * (1 + jitter * (2 * random() - 1))
    }
}
