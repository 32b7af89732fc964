// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An order of rows, made by ``Expression/ascending()`` and ``Expression/descending()``.
public struct Ordering: Sendable {
    /// The value by which rows are sorted.
    public let expression: any Expression
    /// Whether the smallest or the largest value comes first.
    public let direction: Direction

    var content: ExpressionContent {
        let map = ExpressionContent(entries: [
            ("direction", ExpressionContent(Value.string(direction.rawValue))), ("expression", ExpressionContent(of: expression)),
        ])
        // The map of an order is no level of its own.
        return ExpressionContent(map.argument, map.faults, depth: map.depth - 1, database: map.database)
    }
}

/// A direction of an ``Ordering``.
public struct Direction: Sendable, Equatable, Hashable {
    /// `ascending` or `descending`.
    public let rawValue: String

    static let ascending = Direction(rawValue: "ascending")
    static let descending = Direction(rawValue: "descending")
}
