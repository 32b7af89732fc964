// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRPC
import Logging

/// Writes at most one line a minute about everything that the server has ended or refused: strangers must not fill the log.
final class ShedLog: Sendable {
    private struct State {
        var counts: [ShedReason: Int] = [:]
        /// Whether a line follows.
        var isDue = false
    }

    private let write: @Sendable (Logger.Metadata) -> Void
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - write: Writes a line with the numbers by reason.
    ///   - later: Runs something in a minute.
    init(
        _ write: @escaping @Sendable (Logger.Metadata) -> Void,
        later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 60, execute: work)
        }
    ) {
        self.write = write
        self.later = later
    }

    /// The first is written immediately, what follows within a minute in one line.
    func note(_ reason: ShedReason) {
        let isFirst = state.withLock { state in
            state.counts[reason, default: 0] += 1
            defer { state.isDue = true }
            return !state.isDue
        }
        if isFirst { tell() }
    }

    private func tell() {
        let counts = state.withLock { state in
            defer { state.counts = [:] }
            state.isDue = !state.counts.isEmpty
            return state.counts
        }
        guard !counts.isEmpty else { return }
        write(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, "\($0.value)") }))
        later { [weak self] in self?.tell() }
    }
}
