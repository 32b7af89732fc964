// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func count() -> AggregateFunction { aggregate("count") }
    public func countDistinct() -> AggregateFunction { aggregate("count_distinct") }
    public func sum() -> AggregateFunction { aggregate("sum") }
    public func average() -> AggregateFunction { aggregate("average") }
    public func minimum() -> AggregateFunction { aggregate("minimum") }
    public func maximum() -> AggregateFunction { aggregate("maximum") }
    public func first() -> AggregateFunction { aggregate("first") }
    public func last() -> AggregateFunction { aggregate("last") }
    public func arrayAgg() -> AggregateFunction { aggregate("array_agg") }
    public func arrayAggDistinct() -> AggregateFunction { aggregate("array_agg_distinct") }
}
