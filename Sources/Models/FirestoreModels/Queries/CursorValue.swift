// SPDX-License-Identifier: Apache-2.0
/// The value of one order of a query, where a cursor stands: `.value(\.country, "DE")`.
///
/// Beyond the Apple SDK.
public struct CursorValue<Model: FirestoreModel> {
    package let path: ModelPath
    package let operand: Operand

    /// A value of a field that the query sorts by.
    public static func value<Value: FirestoreOrderable & Encodable, Kind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ value: Value
    ) -> CursorValue {
        CursorValue(path: Model.fields[keyPath: field].path, operand: Operand(value))
    }
}
