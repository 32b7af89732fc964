// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One comparison of a field, with a prepared operand.
enum ValueTest: Sendable {
    /// Within the operand's type bracket (QR-6); also the unary tests for null and NaN (QR-11).
    case compare(ValueBytes, bracket: TypeBracket, QueryFilter.FieldOperator)
    /// Present, not null, and none of these (QR-7, QR-8).
    case noneOf([ValueBytes])
    case anyOf([ValueBytes])
    case containsAny([ValueBytes])
    case never

    init(_ op: QueryFilter.FieldOperator, _ operand: ValueBytes) {
        defer { withExtendedLifetime(operand) {} }
        switch op {
        case .lessThan, .lessThanOrEqual, .greaterThanOrEqual, .greaterThan:
            // Null and NaN are not bounds of a range (QR-12, QR-13, verified with the emulator).
            self =
                Self.isMatchable(operand)
                ? .compare(operand, bracket: ValueOrdering.typeBracket(operand.view), op) : .never
        case .equal:
            self = .compare(operand, bracket: ValueOrdering.typeBracket(operand.view), op)
        case .notEqual: self = .noneOf([operand])
        case .notIn:
            let values = Self.elements(operand)
            // A null in the list makes the result empty (QR-8).
            self = values.contains { $0.view.isNull } ? .never : .noneOf(values)
        case .in: self = .anyOf(Self.elements(operand).filter(Self.isMatchable))
        case .arrayContains: self = .containsAny([operand].filter(Self.isMatchable))
        case .arrayContainsAny: self = .containsAny(Self.elements(operand).filter(Self.isMatchable))
        }
    }

    func matches(_ stored: ValueView) -> Bool {
        switch self {
        case .compare(let operand, let bracket, let op):
            guard ValueOrdering.typeBracket(stored) == bracket else { return false }
            // NaN sorts as the lowest number, but is in no range of numbers.
            if bracket == .number, op != .equal, stored.double?.isNaN == true { return false }
            defer { withExtendedLifetime(operand) {} }
            return op.accepts(ValueOrdering.compare(stored, operand.view))
        case .noneOf(let values):
            return !stored.isNull && !Self.contains(values, stored)
        case .anyOf(let values):
            return Self.contains(values, stored)
        case .containsAny(let values):
            guard let elements = stored.elements else { return false }
            return elements.contains { Self.contains(values, $0) }
        case .never: return false
        }
    }

    private static func contains(_ values: [ValueBytes], _ stored: ValueView) -> Bool {
        defer { withExtendedLifetime(values) {} }
        return values.contains { ValueOrdering.equals($0.view, stored) }
    }

    private static func elements(_ operand: ValueBytes) -> [ValueBytes] {
        operand.view.elements.map { $0.map { ValueBytes($0, of: operand) } } ?? []
    }

    /// Standard edition: null and NaN in lists match nothing (QR-10).
    private static func isMatchable(_ value: ValueBytes) -> Bool {
        defer { withExtendedLifetime(value) {} }
        return !value.view.isNull && value.view.double?.isNaN != true
    }
}

extension QueryFilter.FieldOperator {
    /// Whether the result of comparing stored value and operand satisfies the operator.
    func accepts(_ order: Int) -> Bool {
        switch self {
        case .lessThan: order < 0
        case .lessThanOrEqual: order <= 0
        case .equal: order == 0
        case .greaterThanOrEqual: order >= 0
        case .greaterThan: order > 0
        case .notEqual: order != 0
        case .arrayContains, .arrayContainsAny, .in, .notIn: false
        }
    }
}
