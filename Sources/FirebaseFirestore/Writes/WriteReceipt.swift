// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The outcome of a write that was made without waiting.
///
/// ```swift
/// let receipt = try document.setData(from: city)
/// try await receipt.acknowledged
/// ```
/// A receipt may be dropped. If the write then fails and has no completion handler, the failure is logged as a warning.
/// The embedded database is its own authority: there both stages are reached when the write is durable.
///
/// Beyond the Apple SDK.
public final class WriteReceipt: Sendable {
    private struct State {
        var result: Result<Void, any Error>?
        var isSaved = false
        var waiting: [CheckedContinuation<Void, any Error>] = []
        /// Those that go on when the write is saved.
        var waitingForSave: [CheckedContinuation<Void, any Error>] = []
        /// The message to log if the write fails and the receipt is released without being awaited.
        var unheeded: String?
        var isAsked = false
    }

    private let state = Mutex(State())

    package init() {}

    deinit {
        if let notice = state.withLock({ $0.isAsked ? nil : $0.unheeded }) { UnheededFailure.log(notice) }
    }

    /// Returns when the write is stored durably; throws if it was rejected.
    public var saved: Void {
        get async throws { try await outcome(isSaveEnough: true) }
    }

    /// Returns when the authority has accepted the write; throws if it was rejected.
    public var acknowledged: Void {
        get async throws { try await outcome(isSaveEnough: false) }
    }

    private func outcome(isSaveEnough: Bool) async throws {
        // The report of the outcome holds the receipt weakly.
        defer { withExtendedLifetime(self) {} }
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Void, any Error>? in
                state.isAsked = true
                if let result = state.result { return result }
                if isSaveEnough, state.isSaved { return .success(()) }
                if isSaveEnough { state.waitingForSave.append(continuation) } else { state.waiting.append(continuation) }
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// The write will survive the end of the process; its outcome is still to come.
    package func save() {
        let waiting = state.withLock { state in
            state.isSaved = true
            defer { state.waitingForSave = [] }
            return state.waitingForSave
        }
        for continuation in waiting { continuation.resume() }
    }

    /// `unheeded`: the message to log if the outcome is never awaited.
    package func finish(_ result: Result<Void, any Error>, unheeded: String? = nil) {
        let waiting = state.withLock { state in
            state.result = result
            state.unheeded = unheeded
            defer { (state.waiting, state.waitingForSave) = ([], []) }
            return state.waiting + state.waitingForSave
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
