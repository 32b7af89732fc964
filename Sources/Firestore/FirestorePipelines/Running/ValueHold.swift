// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Counts large values as memory of the execution for as long as it lives: those that wait while others are evaluated.
struct ValueHold: ~Copyable {
    /// Smaller values are not worth counting: expressions have few of them at a time.
    static let large = 4_096

    private let budget: PipelineBudget
    private var bytes = 0

    init(_ execution: Execution) { budget = execution.budget }

    mutating func add(_ value: EvaluatedValue) throws(FirestoreError) {
        if value.ownedBytes >= Self.large { try add(bytes: value.ownedBytes) }
    }

    /// A value that is a part of the row is counted with it.
    mutating func add(made value: EvaluatedValue, from row: Row) throws(FirestoreError) {
        guard case .encoded(_, let owner?) = value, owner !== row.owner else { return }
        try add(value)
    }

    mutating func add(bytes more: Int) throws(FirestoreError) {
        bytes += more
        try budget.hold(more)
    }

    deinit { if bytes > 0 { budget.release(bytes) } }
}
