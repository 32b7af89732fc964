// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// How many bytes of messages all answers in pieces hold together. The excess is sent whole, and is included in its connection's limit.
final class AnswerBudget: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    private let process: MemoryBudget

    init(limit: Int = 32 << 20, of process: MemoryBudget = .process) {
        self.limit = limit
        self.process = process
    }

    func take(_ bytes: Int) -> Bool {
        let isTaken = taken.withLock { taken in
            guard taken + bytes <= limit else { return false }
            taken += bytes
            return true
        }
        if isTaken { process.charge(bytes) }
        return isTaken
    }

    func giveBack(_ bytes: Int) {
        process.release(bytes)
        taken.withLock { $0 -= bytes }
    }
}
