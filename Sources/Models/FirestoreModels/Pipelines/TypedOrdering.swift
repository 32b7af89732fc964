// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

/// A field by which a typed pipeline is sorted, and the direction: `.descending(\.population)`.
///
/// Beyond the Apple SDK.
public struct TypedOrdering<Model: FirestoreModel>: Sendable {
    let path: ModelPath
    let isDescending: Bool

    /// The smallest value first.
    public static func ascending<Value: FirestoreOrderable, Kind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>
    ) -> TypedOrdering {
        TypedOrdering(path: Model.fields[keyPath: field].path, isDescending: false)
    }

    /// The largest value first.
    public static func descending<Value: FirestoreOrderable, Kind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>
    ) -> TypedOrdering {
        TypedOrdering(path: Model.fields[keyPath: field].path, isDescending: true)
    }

    /// The order without types, with the names that a coder gives.
    func ordering(_ coder: ModelCoder<Model>) -> Ordering {
        let field = coder.field(at: path)
        return isDescending ? field.descending() : field.ascending()
    }
}
