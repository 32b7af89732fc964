// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRPC
import FirestoreServer

/// How many bytes of messages all answers in pieces hold together. The excess is sent whole, and is included in its connection's limit.
final class AnswerBudget: Sendable {
    private struct State {
        var taken = 0
        /// Counts the answers.
        var number: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    private let process: MemoryBudget

    init(limit: Int = 32 << 20, of process: MemoryBudget = .process) {
        self.limit = limit
        self.process = process
    }

    func take(_ bytes: Int) -> Bool {
        let isTaken = state.withLock { state in
            guard state.taken + bytes <= limit else { return false }
            state.taken += bytes
            state.number += 1
            return true
        }
        if isTaken { process.charge(bytes) }
        return isTaken
    }

    /// A second after the last answer the memory that it took goes back to the system.
    func giveBack(_ bytes: Int) {
        process.release(bytes)
        let last: UInt64? = state.withLock { state in
            state.taken -= bytes
            return state.taken == 0 ? state.number : nil
        }
        guard let last else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) { [self] in
            if state.withLock({ $0.number == last }) { ProcessMemory.giveBack() }
        }
    }
}
