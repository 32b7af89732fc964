// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Comparisons. They take values of all types and never fail by themselves.
enum ComparisonFunctions {
    static let all: [FunctionDefinition] = [
        .two("equal", .any, .any) { left, right, _ in .boolean(equals(left, right)) },
        .two("not_equal", .any, .any) { left, right, _ in .boolean(!equals(left, right)) },
        order("less_than", orEqual: false) { $0 < 0 },
        order("less_than_or_equal", orEqual: true) { $0 <= 0 },
        order("greater_than", orEqual: false) { $0 > 0 },
        order("greater_than_or_equal", orEqual: true) { $0 >= 0 },
        .two("cmp", .any, .any) { left, right, _ in .integer(Int64(compare(left, right).signum())) },
        .two("equal_any", .any, .array) { value, list, _ in .boolean(isElement(value, of: list)) },
        .two("not_equal_any", .any, .array) { value, list, _ in .boolean(!isElement(value, of: list)) },
        .values("between", .any, .any, .any) { arguments, _ in
            .boolean(
                isOrdered(arguments[0], arguments[1], orEqual: true) { $0 >= 0 }
                    && isOrdered(arguments[0], arguments[2], orEqual: true) { $0 <= 0 })
        },
        .one("is_nan", .any) { value, _ in .boolean(isNaN(value)) },
        .one("is_not_nan", .any) { value, _ in .boolean(!isNaN(value)) },
        .one("is_null", .any) { value, _ in .boolean(value.isNull) },
        .one("is_not_null", .any) { value, _ in .boolean(!value.isNull) },
    ]

    private static func order(_ name: String, orEqual: Bool, _ accepts: @escaping @Sendable (Int) -> Bool) -> FunctionDefinition {
        .two(name, .any, .any) { left, right, _ in .boolean(isOrdered(left, right, orEqual: orEqual, accepts)) }
    }

    /// The equality of values: 1 equals 1.0, NaN equals NaN. Nothing equals only nothing.
    static func equals(_ left: EvaluatedValue, _ right: EvaluatedValue) -> Bool {
        if left.isAbsent || right.isAbsent { return left.isAbsent && right.isAbsent }
        return left.withView { left in right.withView { right in ValueOrdering.equals(left, right) } }
    }

    /// The total order over all values, in which nothing is `null`.
    static func compare(_ left: EvaluatedValue, _ right: EvaluatedValue) -> Int {
        left.withView { left in right.withView { right in ValueOrdering.compare(left, right) } }
    }

    /// An order holds between values of one type only, and between no others; never for NaN.
    private static func isOrdered(
        _ left: EvaluatedValue, _ right: EvaluatedValue, orEqual: Bool, _ accepts: (Int) -> Bool
    ) -> Bool {
        if left.isAbsent || right.isAbsent { return false }
        if let left = left.number, let right = right.number {
            return !left.isNaN && !right.isNaN && accepts(ValueOrdering.compare(left, right))
        }
        return left.withView { left in
            right.withView { right in
                ValueOrdering.typeBracket(left) == ValueOrdering.typeBracket(right) && accepts(ValueOrdering.compare(left, right))
            }
        }
    }

    static func isElement(_ value: EvaluatedValue, of list: EvaluatedValue) -> Bool {
        guard !value.isAbsent, let elements = list.elements else { return false }
        return value.withView { value in elements.contains { ValueOrdering.equals($0, value) } }
    }

    static func isNaN(_ value: EvaluatedValue) -> Bool { value.number?.isNaN == true }
}

extension PipelineNumber {
    var isNaN: Bool { if case .double(let value) = self { value.isNaN } else { false } }
}

extension ValueOrdering {
    fileprivate static func compare(_ left: PipelineNumber, _ right: PipelineNumber) -> Int {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : (left == right ? 0 : 1)
        case (.double(let left), .double(let right)): compareDoubles(left, right)
        case (.integer(let left), .double(let right)): compare(left, right)
        case (.double(let left), .integer(let right)): -compare(right, left)
        }
    }
}
