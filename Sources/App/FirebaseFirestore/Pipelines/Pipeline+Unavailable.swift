// SPDX-License-Identifier: Apache-2.0

// What is often tried, and what to write instead.

/// Unavailable: use `greaterThan(_:)`.
@available(*, unavailable, message: "comparisons of pipelines are methods: Field(\"a\").greaterThan(4)")
public func > (left: any Expression, right: any Sendable) -> any BooleanExpression { left.greaterThan(right) }

/// Unavailable: use `greaterThanOrEqual(_:)`.
@available(*, unavailable, message: "comparisons of pipelines are methods: Field(\"a\").greaterThanOrEqual(4)")
public func >= (left: any Expression, right: any Sendable) -> any BooleanExpression { left.greaterThanOrEqual(right) }

/// Unavailable: use `lessThan(_:)`.
@available(*, unavailable, message: "comparisons of pipelines are methods: Field(\"a\").lessThan(4)")
public func < (left: any Expression, right: any Sendable) -> any BooleanExpression { left.lessThan(right) }

/// Unavailable: use `lessThanOrEqual(_:)`.
@available(*, unavailable, message: "comparisons of pipelines are methods: Field(\"a\").lessThanOrEqual(4)")
public func <= (left: any Expression, right: any Sendable) -> any BooleanExpression { left.lessThanOrEqual(right) }

/// Unavailable: use `equal(_:)`.
@available(*, unavailable, message: "comparisons of pipelines are methods: Field(\"a\").equal(4)")
public func == (left: Field, right: any Sendable) -> any BooleanExpression { left.equal(right) }

/// Unavailable: use `notEqual(_:)`.
@available(*, unavailable, message: "comparisons of pipelines are methods: Field(\"a\").notEqual(4)")
public func != (left: Field, right: any Sendable) -> any BooleanExpression { left.notEqual(right) }

extension Pipeline {
    /// Unavailable: join the conditions with `&&`.
    @available(*, unavailable, message: "join the conditions: where(first && second)")
    public func `where`(
        _ first: any BooleanExpression, _ second: any BooleanExpression, _ others: any BooleanExpression...
    ) -> Pipeline { self }

    /// Unavailable: pass an array.
    @available(*, unavailable, message: "pass an array: select([Field(\"a\"), Field(\"b\")])")
    public func select(_ selections: any Selectable...) -> Pipeline { select(selections) }

    /// Unavailable: pass an array.
    @available(*, unavailable, message: "pass an array: select([\"a\", \"b\"])")
    public func select(_ selections: String...) -> Pipeline { select(selections) }

    /// Unavailable: pass an array.
    @available(*, unavailable, message: "pass an array: addFields([Field(\"a\").add(1).as(\"b\")])")
    public func addFields(_ selectables: any Selectable...) -> Pipeline { addFields(selectables) }

    /// Unavailable: pass an array.
    @available(*, unavailable, message: "pass an array: sort([Field(\"a\").ascending()])")
    public func sort(_ orderings: Ordering...) -> Pipeline { sort(orderings) }

    /// Unavailable: pass an array.
    @available(*, unavailable, message: "pass an array: distinct([\"a\", \"b\"])")
    public func distinct(_ groups: String...) -> Pipeline { distinct(groups) }

    /// Unavailable: pass an array.
    @available(*, unavailable, message: "pass an array: aggregate([CountAll().as(\"count\")])")
    public func aggregate(_ aggregates: AliasedAggregate...) -> Pipeline { aggregate(aggregates) }

    /// Unavailable: name the results.
    @available(*, unavailable, message: "name each aggregate: aggregate([CountAll().as(\"count\")])")
    public func aggregate(_ aggregates: [AggregateFunction], groups: [any Selectable]? = nil) -> Pipeline { self }

    /// Unavailable: name the results.
    @available(*, unavailable, message: "name each aggregate: aggregate([CountAll().as(\"count\")])")
    public func aggregate(_ aggregates: AggregateFunction...) -> Pipeline { self }
}
