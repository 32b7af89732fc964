// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

// The methods from which FirestoreModels builds typed pipelines.

extension Query {
    /// The pipeline that finds the documents of the query, in its order. Its conditions have the meaning that they have in the query.
    package var pipeline: Pipeline { firestore.pipeline().create(from: self, meaning: .ofQueries) }
}

extension Pipeline {
    /// The rows for which a filter holds, with the meaning that it has in a query; an error instead of it is that of the execution.
    ///
    /// - Parameter query: A query of the same documents, which gives ids of documents their place.
    package func whereFilter(_ filter: Result<FilterNode, FirestoreError>, of query: Query) -> Pipeline {
        do throws(FirestoreError) {
            let filter = try filter.get().filter(for: query.definition.get().query.scope, database: query.firestore.databaseID)
            return self.where(QueryCondition(filter, meaning: .ofQueries).expression)
        } catch {
            return adding(.where, [ExpressionContent(error)])
        }
    }
}
