// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Applies field transforms in order; each sees the result of the previous one (WR-28).
///
/// Results are collected as edits, a field's in one place however many transforms it has, and merged into the fields together.
struct TransformApplication {
    private(set) var fields: FieldBytes
    private let requestTime: TimestampValue

    /// What the transforms so far have made of a field.
    private enum Outcome {
        case value(ValueBytes)
        /// An array that several transforms change.
        case array(ArrayEdit)

        var bytes: ValueBytes {
            switch self {
            case .value(let bytes): bytes
            case .array(let edit): edit.value
            }
        }
    }

    init(_ fields: FieldBytes, at requestTime: TimestampValue) {
        self.fields = fields
        self.requestTime = requestTime
    }

    /// One result per transform; null for the array transforms (WR-29).
    mutating func apply(_ transforms: [FieldTransform]) throws(FirestoreError) -> [Value] {
        // `WriteCheck` rejects transforms of which one path is inside another one's.
        guard transforms.count > 1, !Self.overlap(transforms) else {
            var results: [Value] = []
            for transform in transforms { results.append(try apply(transform)) }
            return results
        }
        defer { withExtendedLifetime(fields) {} }
        let stored = fields.view.values(at: transforms.map(\.path))
        var outcomes: [Outcome] = []
        var paths: [FieldPathSegments] = []
        var places: [FieldPathSegments: Int] = [:]
        var results: [Value] = []
        results.reserveCapacity(transforms.count)
        for (transform, stored) in zip(transforms, stored) {
            if let place = places[transform.path] {
                results.append(try apply(transform, to: &outcomes[place]))
                continue
            }
            let (outcome, result) = try applied(transform, to: stored)
            places[transform.path] = outcomes.count
            paths.append(transform.path)
            outcomes.append(outcome)
            results.append(result)
        }
        fields = FieldMerge.apply(zip(paths, outcomes).map { FieldEdit(path: $0, value: $1.bytes) }, to: fields)
        return results
    }

    private mutating func apply(_ transform: FieldTransform) throws(FirestoreError) -> Value {
        defer { withExtendedLifetime(fields) {} }
        let (outcome, result) = try applied(transform, to: fields.view[transform.path])
        fields = FieldMerge.apply([FieldEdit(path: transform.path, value: outcome.bytes)], to: fields)
        return result
    }

    /// Whether a path is inside another one's. A path sorts directly before everything inside it.
    private static func overlap(_ transforms: [FieldTransform]) -> Bool {
        let paths = transforms.map(\.path).sorted()
        return zip(paths, paths.dropFirst()).contains { $0 != $1 && $0.isPrefix(of: $1) }
    }

    /// A further transform of a field.
    private func apply(_ transform: FieldTransform, to outcome: inout Outcome) throws(FirestoreError) -> Value {
        switch transform.kind {
        case .appendMissingElements(let elements):
            var edit = Self.take(&outcome)
            edit.union(elements)
            outcome = .array(edit)
            return .null
        case .removeAllFromArray(let elements):
            var edit = Self.take(&outcome)
            edit.remove(elements)
            outcome = .array(edit)
            return .null
        case .serverTimestamp, .increment, .maximum, .minimum:
            let bytes = outcome.bytes
            defer { withExtendedLifetime(bytes) {} }
            let (next, result) = try applied(transform, to: bytes.view)
            outcome = next
            return result
        }
    }

    private static let nothing = ValueBytes(.null)

    /// The array, which is then changed in place: `outcome` no longer refers to it.
    private static func take(_ outcome: inout Outcome) -> ArrayEdit {
        switch outcome {
        case .array(let edit):
            outcome = .value(nothing)
            return edit
        case .value(let bytes): return ArrayEdit(bytes.view, owner: bytes)
        }
    }

    private func applied(
        _ transform: FieldTransform, to stored: ValueView?
    ) throws(FirestoreError) -> (outcome: Outcome, result: Value) {
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
            return (.value(ArrayTransforms.union(stored, elements)), .null)
        case .removeAllFromArray(let elements):
            return (.value(ArrayTransforms.removing(elements, from: stored)), .null)
        }
    }

    private func plain(_ value: Value) -> (Outcome, Value) { (.value(ValueBytes(value)), value) }

    private func number(_ operand: Value, of transform: FieldTransform) throws(FirestoreError) -> Value {
        guard NumberTransforms.isNumber(operand) else { throw WriteCheck.notANumber(transform.path) }
        return operand
    }
}
