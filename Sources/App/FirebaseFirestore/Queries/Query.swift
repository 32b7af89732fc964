// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
public import Foundation

/// A query of a collection or collection group: conditions, order, limits and cursors.
///
/// Queries are immutable: every method returns a new query. Building a query reads nothing. An invalid query (a
/// malformed field path, an operand that cannot be stored, a limit of zero) makes every operation of it fail with
/// `invalidArgument`. Two queries are equal when they request the same of the same Firestore instance.
///
/// `@unchecked Sendable`, because there are subclasses: every stored property is a constant of a `Sendable` type.
public class Query: NSObject, @unchecked Sendable {
    /// The database of the query.
    public let firestore: Firestore
    package let definition: Result<ClientQuery, FirestoreError>

    init(firestore: Firestore, definition: Result<ClientQuery, FirestoreError>) {
        self.firestore = firestore
        self.definition = definition
        super.init()
    }

    /// A changed copy; a change that throws makes a query whose operations fail.
    func changed(_ change: (inout ClientQuery) throws(FirestoreError) -> Void) -> Query {
        let definition = self.definition
        return Query(
            firestore: firestore,
            definition: Result { () throws(FirestoreError) in
                var query = try definition.get()
                try change(&query)
                return query
            })
    }

    /// The validated query, ready to run.
    package var runnable: Result<ClientQuery, FirestoreError> {
        Result { () throws(FirestoreError) in
            let query = try definition.get()
            if query.limitsToLast, query.query.orders.isEmpty {
                throw .invalidArgument("limit(toLast:) needs at least one order(by:)")
            }
            return query
        }
    }

    /// Equal when both request the same of the same Firestore instance.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Query, firestore === other.firestore else { return false }
        return self === other || definition.hasValue(of: other.definition)
    }

    /// Hashes the query.
    public override var hash: Int { (try? definition.get())?.hashValue ?? 0 }

    /// The collection or collection group, readable.
    public override var description: String {
        switch definition {
        case .failure(let error): "<Query: \(error)>"
        case .success(let query):
            switch query.query.scope {
            case .collection(let collection): "<Query: \(collection.path)>"
            case .collectionGroup(let id, _): "<Query: collection group \(id)>"
            case .kindless(let under, _): "<Query: everything below \(under?.path ?? "the root")>"
            }
        }
    }
}
