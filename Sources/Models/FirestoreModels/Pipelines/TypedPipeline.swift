// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

/// A pipeline whose rows are documents of a model.
///
/// ```swift
/// let big = cities.pipeline()
///     .where { $0.country == "DE" && $0.population > 100_000 }
///     .sort(by: \.population, descending: true)
/// for city in try await big.execute() { print(city.name) }
/// ```
/// A condition finds the same documents as in a typed query, without the limits that queries have. Stages that give the rows another shape
/// lead to a `Pipeline`, where ``field(_:)`` gives the names of fields:
///
/// ```swift
/// let countries = big.aggregate([CountAll().as("cities")], groups: [big.field(\.country)])
/// ```
/// It is a value around a `Pipeline`: building it reads nothing, and ``pipeline`` is the pipeline for everything that the typed form does
/// not offer.
///
/// Beyond the Apple SDK.
public struct TypedPipeline<Model: FirestoreModel>: Sendable {
    /// The pipeline without types.
    public let pipeline: Pipeline
    /// The query that the pipeline began with: it gives ids of documents their place.
    let query: Query
    let coder: ModelCoder<Model>

    /// A copy with another pipeline.
    func with(_ pipeline: Pipeline) -> TypedPipeline { TypedPipeline(pipeline: pipeline, query: query, coder: coder) }

    /// A field as an expression, with the name that the encoder gives it.
    public func field<Value, Kind>(_ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>) -> Field {
        coder.field(at: Model.fields[keyPath: field].path)
    }
}

extension ModelQuery {
    /// The documents as the beginning of a pipeline.
    ///
    /// Conditions, orders and limits of a query remain, with the meaning that they have in the query.
    public func pipeline() -> TypedPipeline<Model> {
        let typed = typedQuery
        return TypedPipeline(pipeline: typed.query.pipeline, query: typed.query, coder: typed.coder)
    }

    /// A field as an expression for stages of pipelines, with the name that the encoder gives it.
    ///
    /// ```swift
    /// cities.pipeline().aggregate([cities.field(\.population).sum().as("people")], groups: [cities.field(\.country)])
    /// ```
    public func field<Value, Kind>(_ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>) -> Field {
        typedQuery.coder.field(at: Model.fields[keyPath: field].path)
    }
}

extension ModelCoder {
    /// A field of rows that are documents of the model.
    func field(at path: ModelPath) -> Field { Field(FieldPath(self.path(of: path))) }
}
