// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Applies field transforms in order; each sees the result of the previous one (WR-28).
///
/// Results are collected as edits and merged into the fields together; only a transform of a field that has been
/// collected already requires an intermediate merge.
struct TransformApplication {
    private(set) var fields: FieldBytes
    private let requestTime: TimestampValue
    private var pending: [FieldEdit] = []

    init(_ fields: FieldBytes, at requestTime: TimestampValue) {
        self.fields = fields
        self.requestTime = requestTime
    }

    /// One result per transform; null for the array transforms (WR-29).
    mutating func apply(_ transforms: [FieldTransform]) throws(FirestoreError) -> [Value] {
        var results: [Value] = []
        results.reserveCapacity(transforms.count)
        for transform in transforms {
            if pending.contains(where: { $0.path.isPrefix(of: transform.path) || transform.path.isPrefix(of: $0.path) }) {
                flush()
            }
            let (value, result) = try outcome(of: transform)
            pending.append(FieldEdit(path: transform.path, value: value))
            results.append(result)
        }
        flush()
        return results
    }

    private mutating func flush() {
        fields = FieldMerge.apply(pending, to: fields)
        pending.removeAll(keepingCapacity: true)
    }

    private func outcome(of transform: FieldTransform) throws(FirestoreError) -> (value: ValueBytes, result: Value) {
        defer { withExtendedLifetime(fields) {} }
        let stored = fields.view[transform.path]
        switch transform.kind {
        case .serverTimestamp:
            return plain(.timestamp(requestTime))
        case .increment(let operand):
            return plain(NumberTransforms.sum(stored, try number(operand, of: transform)))
        case .maximum(let operand):
            return plain(NumberTransforms.extreme(stored, try number(operand, of: transform), sign: 1))
        case .minimum(let operand):
            return plain(NumberTransforms.extreme(stored, try number(operand, of: transform), sign: -1))
        case .appendMissingElements(let elements):
            return (ArrayTransforms.union(stored, elements), .null)
        case .removeAllFromArray(let elements):
            return (ArrayTransforms.removing(elements, from: stored), .null)
        }
    }

    private func plain(_ value: Value) -> (ValueBytes, Value) { (ValueBytes(value), value) }

    private func number(_ operand: Value, of transform: FieldTransform) throws(FirestoreError) -> Value {
        guard NumberTransforms.isNumber(operand) else { throw WriteCheck.notANumber(transform.path) }
        return operand
    }
}
