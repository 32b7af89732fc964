// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The memory that all pipelines of a process hold together, and that of each caller.
///
/// A pipeline may hold as much as one caller has. Another one of that size is refused meanwhile, since all of them together are bounded as
/// well. Results count until they are delivered.
package final class PipelineMemory: Sendable {
    private struct State {
        var total = 0
        var byCaller: [String: Int] = [:]
    }

    /// What executions take together.
    static let portion = 256 << 10

    /// That of this process: a pipeline of the largest size, and usual ones beside it.
    package static let process = PipelineMemory(total: 160 << 20, ofCaller: 129 << 20)

    private let peak = HeldPeak()
    private let state = Mutex(State())
    private let total: Int
    private let ofCaller: Int

    package init(total: Int, ofCaller: Int) { (self.total, self.ofCaller) = (total, ofCaller) }

    /// What is held, in bytes.
    package var held: Int { state.withLock { $0.total } }

    func take(_ bytes: Int, of caller: String) throws(FirestoreError) {
        let refusal = state.withLock { state -> FirestoreError? in
            let own = state.byCaller[caller, default: 0] + bytes
            guard own <= ofCaller else {
                return FirestoreError(
                    .resourceExhausted, "the caller's other pipelines hold the memory that this one needs; try again later")
            }
            guard state.total + bytes <= total else {
                return FirestoreError(.resourceExhausted, "other pipelines hold the memory that this one needs; try again later")
            }
            state.total += bytes
            state.byCaller[caller] = own
            peak.rose(to: state.total)
            return nil
        }
        if let refusal { throw refusal }
    }

    func give(back bytes: Int, of caller: String) {
        state.withLock { state in
            state.total -= bytes
            let own = state.byCaller[caller, default: 0] - bytes
            state.byCaller[caller] = own > 0 ? own : nil
            peak.fell(to: state.total)
        }
    }
}
