// SPDX-License-Identifier: Apache-2.0

/// A function of all rows of a group, for ``Pipeline/aggregate(_:groups:)``.
///
/// `@unchecked Sendable`, because there are subclasses: the stored property is a constant of a `Sendable` type, and they add none.
public class AggregateFunction: @unchecked Sendable {
    let content: ExpressionContent

    /// Any aggregate function, by the name that the server gives it.
    public init(functionName: String, args: [any Expression]) {
        content = ExpressionContent(call: functionName, args.map { ExpressionContent(of: $0) })
    }

    /// Names the result.
    public func `as`(_ name: String) -> AliasedAggregate { AliasedAggregate(alias: name, function: self) }
}

/// The number of rows.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class CountAll: AggregateFunction, @unchecked Sendable {
    /// The number of rows of the group.
    public init() { super.init(functionName: "count", args: []) }
}

/// An aggregate function and the name of its result, made by ``AggregateFunction/as(_:)``.
public struct AliasedAggregate: Sendable {
    let alias: String
    let function: AggregateFunction
}
