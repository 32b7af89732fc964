import FirestoreCore

/// What becomes of a write that was handed over without waiting.
///
/// ```swift
/// let receipt = try document.setData(from: city)
/// try await receipt.acknowledged
/// ```
/// Ignoring it is fine. The embedded database is its own authority: there both stages are reached when the write is
/// durable.
public final class WriteReceipt: Sendable {
    private struct State {
        var result: Result<Void, any Error>?
        var waiting: [CheckedContinuation<Void, any Error>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns when the write will survive the end of the process; throws if it was refused.
    public var saved: Void {
        get async throws { try await outcome() }
    }

    /// Returns when the authority has accepted the write; throws if it was refused.
    public var acknowledged: Void {
        get async throws { try await outcome() }
    }

    private func outcome() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiting.append(continuation) }
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }

    package func finish(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            state.result = result
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
