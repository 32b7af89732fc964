// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore

extension TypedPipeline {
    /// The documents for which a condition holds, as in a query.
    ///
    /// ```swift
    /// cities.pipeline().where { $0.country.isIn(["DE", "AT"]) || $0.tags.contains("port") }
    /// ```
    /// A condition with `!=` finds neither documents without the field nor those with null. An operand that cannot be encoded makes the
    /// execution fail with `invalidArgument`.
    ///
    /// - Parameter condition: Called immediately, with the table of the model's fields.
    public func `where`(_ condition: (Model.Fields) -> ModelCondition<Model>) -> TypedPipeline { adding(condition(Model.fields)) }

    /// The documents for which all the conditions hold, as in a query.
    ///
    /// ```swift
    /// cities.pipeline().where(\.population > 1_000_000, \.country == "DE")
    /// ```
    /// The form for key paths: one comparison for each argument.
    public func `where`(_ condition: ModelCondition<Model>, _ others: ModelCondition<Model>...) -> TypedPipeline {
        adding(others.reduce(condition) { $0.and($1) })
    }

    private func adding(_ condition: ModelCondition<Model>) -> TypedPipeline {
        let filter = Result { () throws(FirestoreError) in try condition.filter(coder, for: query) }
        return with(pipeline.whereFilter(filter, of: query))
    }

    /// The documents for which an expression is true.
    ///
    /// ```swift
    /// cities.pipeline().where(cities.field(\.name).startsWith("B"))
    /// ```
    /// The comparisons of expressions have the meaning that they have in pipelines.
    public func `where`(_ condition: any BooleanExpression) -> TypedPipeline { with(pipeline.where(condition)) }

    /// The documents in the order of a field. Those without the field come first, together with null, or last in a descending order.
    ///
    /// Replaces an earlier order; ``sort(_:_:)`` sorts by several fields.
    public func sort<Value: FirestoreOrderable, Kind>(
        by field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, descending: Bool = false
    ) -> TypedPipeline {
        sort(descending ? .descending(field) : .ascending(field))
    }

    /// The documents in an order: the first field decides, later ones decide between documents that are equal in it.
    ///
    /// ```swift
    /// cities.pipeline().sort(.ascending(\.country), .descending(\.population))
    /// ```
    public func sort(_ ordering: TypedOrdering<Model>, _ others: TypedOrdering<Model>...) -> TypedPipeline {
        with(pipeline.sort(([ordering] + others).map { $0.ordering(coder) }))
    }

    /// The first documents.
    public func limit(_ limit: Int) -> TypedPipeline { with(pipeline.limit(Int32(clamping: limit))) }

    /// The documents behind a number of them.
    public func offset(_ offset: Int) -> TypedPipeline { with(pipeline.offset(Int32(clamping: offset))) }

    /// A number of documents, chosen at random, in random order.
    public func sample(count: Int) -> TypedPipeline { with(pipeline.sample(count: Int64(count))) }
}
