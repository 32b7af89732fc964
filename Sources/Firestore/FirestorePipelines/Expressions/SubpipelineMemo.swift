// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The values that one sub-pipeline had for the variables it was met with: the rows of a join often have few different keys.
struct SubpipelineMemo {
    /// More, or larger ones, are not kept.
    private static let mostValues = 256
    private static let mostBytes = 64 << 10

    private var values: [[UInt8]: EvaluatedValue] = [:]
    private var held = 0

    subscript(key: [UInt8]) -> EvaluatedValue? { values[key] }

    mutating func set(_ value: EvaluatedValue, for key: [UInt8], _ budget: PipelineBudget) throws(FirestoreError) {
        let weight = value.weight + key.count + 64
        guard weight <= Self.mostBytes else { return }
        if values.count == Self.mostValues || held + weight > 16 * Self.mostBytes {
            budget.release(held)
            (values, held) = ([:], 0)
        }
        held += weight
        try budget.hold(weight)
        values[key] = value.owned()
    }
}

/// What the value of a sub-pipeline depends on, beside the documents.
struct SubpipelineInputs: Sendable {
    /// The variables of pipelines around it, in order.
    var slots: [Int] = []
    /// Whether the same variables always give the same value: no chance, and no document that the row around it is.
    var areAll = true

    /// The values of the variables, as bytes; nil if they are not all that matters.
    func key(_ execution: Execution) -> [UInt8]? {
        guard areAll else { return nil }
        var key: [UInt8] = []
        for slot in slots {
            let value = execution.frame[slot]
            if value.failure != nil { return nil }
            // Absent is no value, and an empty one has bytes of its own.
            if value.isAbsent { key.appendLengthDelimited([]) } else { value.withView { key.appendLengthDelimited($0.buffer) } }
        }
        return key
    }
}
