// SPDX-License-Identifier: Apache-2.0
package import FirebaseFirestore
import FirestoreCore
import Foundation

/// An aggregate over the documents of a model, and the type of its value.
///
/// ```swift
/// let (count, total) = try await cities.aggregate(.count, .sum(\.population))
/// ```
///
/// Beyond the Apple SDK.
public struct TypedAggregate<Model: FirestoreModel, Value> {
    /// The aggregate of an API without types, for the names of a collection's encoder.
    package let field: (ModelCoder<Model>) -> AggregateField
    package let value: (Any) throws -> Value
}

extension TypedAggregate where Value == Int {
    /// The number of documents.
    public static var count: TypedAggregate {
        TypedAggregate(field: { _ in .count() }, value: { number in (number as? NSNumber)?.intValue ?? 0 })
    }
}

extension TypedAggregate {
    /// The sum of the numbers in a field: an `Int` for integers, otherwise a `Double`.
    ///
    /// Documents without the field are left out, also of the other aggregates of the same call. The sum is 0 when no number
    /// remains. If an integer field's sum is not an `Int`, because it is beyond 64 bits or because fractions are stored there, the
    /// call throws `outOfRange`.
    public static func sum<Number: FirestoreNumber, Kind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Number, Kind>>
    ) -> TypedAggregate where Value == Number.Sum {
        let path = Model.fields[keyPath: field].path
        return TypedAggregate(
            field: { .sum(FieldPath($0.path(of: path))) },
            value: { number in
                guard let sum = Value.exactly(sum: number as? NSNumber ?? 0) else {
                    throw FirestoreError(
                        .outOfRange,
                        "the sum is not an integer of 64 bits: it is beyond that range, or fractions are stored in the field; use "
                            + "AggregateField.sum with the query, which gives a double", at: "field \(path.text)"
                    ).publicError
                }
                return sum
            })
    }

    /// The mean of the numbers in a field; nil when there are none.
    public static func average<Number: FirestoreNumber, Kind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Number, Kind>>
    ) -> TypedAggregate where Value == Double? {
        let path = Model.fields[keyPath: field].path
        return TypedAggregate(
            field: { .average(FieldPath($0.path(of: path))) },
            value: { number in (number as? NSNumber)?.doubleValue })
    }
}
