// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

// The methods from which FirestoreModels builds typed queries: the same steps as the public methods, with paths and operands that are
// already encoded.

extension Query {
    /// Finds documents for which a filter holds, in addition to the existing filters.
    package func whereFilter(_ make: () throws(FirestoreError) -> FilterNode) -> Query {
        changed { query throws(FirestoreError) in
            query.add(try make().filter(for: query.query.scope, database: self.firestore.databaseID))
        }
    }

    /// A cursor at the values that are made for the paths of the explicit orders.
    package func cursor(
        _ side: CursorSide, before: Bool, _ make: ([FieldPathSegments]) throws(FirestoreError) -> [Value]
    ) -> Query {
        changed { query throws(FirestoreError) in
            let orders = query.query.orders.map(\.path)
            var values: [ValueBytes] = []
            for (value, path) in zip(try make(orders), orders) {
                let place = "cursor value for \(path.canonical)"
                guard path.isDocumentID else {
                    values.append(ValueBytes(value))
                    continue
                }
                let column = DocumentIDOperand(scope: query.query.scope, database: self.firestore.databaseID, place: place)
                values.append(ValueBytes(try column.reference(value)))
            }
            query.set(side, QueryBound(values: values, before: before))
        }
    }

    /// Whether the query is about collections at several places, so that ids alone do not name documents.
    package var isOfGroup: Bool {
        guard case .collection? = (try? definition.get())?.query.scope else { return true }
        return false
    }

    /// How many documents the result can have; throws for a query that is limited to its last documents.
    package func pageLimit() throws -> Int {
        try publicly { () throws(FirestoreError) in
            let query = try definition.get()
            guard !query.limitsToLast else {
                throw .invalidArgument("a query with limit(toLast:) has no pages: reverse its order, or read it at once")
            }
            return query.query.limit ?? .max
        }
    }
}
