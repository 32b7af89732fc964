// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// Whether the value is in a range that contains its bounds.
    public func between(_ lowerBound: any Sendable, _ upperBound: any Sendable) -> any BooleanExpression {
        greaterThanOrEqual(lowerBound) && lessThanOrEqual(upperBound)
    }

    /// Whether the value is in a range that contains its bounds.
    public func between(_ lowerBound: any Expression, _ upperBound: any Expression) -> any BooleanExpression {
        greaterThanOrEqual(lowerBound) && lessThanOrEqual(upperBound)
    }
}
