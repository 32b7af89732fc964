// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A small language for queries: `.collection("cities").filter("n", .lessThan, .integer(3)).ordered(by: "n")`.
extension StructuredQuery {
    package static func collection(_ path: String) -> StructuredQuery {
        StructuredQuery(scope: .collection(CollectionPath(trusted: path)))
    }

    package static func group(_ id: String) -> StructuredQuery { StructuredQuery(scope: .collectionGroup(id: id, under: nil)) }

    package func filter(_ field: String, _ op: QueryFilter.FieldOperator, _ value: Value) -> StructuredQuery {
        var copy = self
        copy.filter = .field(FieldPathSegments(field), op, ValueBytes(value))
        return copy
    }

    package func ordered(
        by field: String, _ direction: FirestoreCore.SortOrder.Direction = .ascending
    ) -> StructuredQuery {
        var copy = self
        copy.orders.append(FirestoreCore.SortOrder(path: FieldPathSegments(field), direction: direction))
        return copy
    }

    package func window(offset: Int = 0, limit: Int?) -> StructuredQuery {
        var copy = self
        copy.offset = offset
        copy.limit = limit
        return copy
    }
}
