// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

// The stages behind which rows are not documents of the model.

extension TypedPipeline {
    /// The rows with some fields only. They lose the reference to their document; see `Pipeline.select(_:)`.
    public func select(_ selections: [any Selectable]) -> Pipeline { pipeline.select(selections) }

    /// The rows with more fields; see `Pipeline.addFields(_:)`.
    public func addFields(_ selectables: [any Selectable]) -> Pipeline { pipeline.addFields(selectables) }

    /// The rows without some fields; see `Pipeline.removeFields(_:)`.
    public func removeFields(_ fields: [Field]) -> Pipeline { pipeline.removeFields(fields) }

    /// The maps that an expression gives, as rows; see `Pipeline.replace(with:)`.
    public func replace(with expression: any Expression) -> Pipeline { pipeline.replace(with: expression) }

    /// One row for each combination of values; see `Pipeline.distinct(_:)`.
    public func distinct(_ groups: [any Selectable]) -> Pipeline { pipeline.distinct(groups) }

    /// One row for each group, with the results of aggregate functions; see `Pipeline.aggregate(_:groups:)`.
    public func aggregate(_ aggregates: [AliasedAggregate], groups: [any Selectable]? = nil) -> Pipeline {
        pipeline.aggregate(aggregates, groups: groups)
    }

    /// A row for each element of an array; see `Pipeline.unnest(_:indexField:)`.
    public func unnest(_ field: any Selectable, indexField: String? = nil) -> Pipeline { pipeline.unnest(field, indexField: indexField) }

    /// Binds variables for later stages and the pipelines in them; see `Pipeline.define(_:)`.
    public func define(_ variables: [AliasedExpression]) -> Pipeline { pipeline.define(variables) }
}
