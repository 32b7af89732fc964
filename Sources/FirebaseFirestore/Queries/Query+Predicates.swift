import FirestoreCore
public import Foundation

extension Query {
    /// On Linux a query that fails with `invalidArgument`: Foundation has block predicates only there, which no database
    /// can look into.
    ///
    /// Elsewhere Foundation has predicates made of fields, operators and constants, and the original translates those.
    /// Say the same with `whereField` or `whereFilter`, which have more operators.
    public func filter(using predicate: NSPredicate) -> Query {
        changed { _ throws(FirestoreError) in
            throw .invalidArgument(
                "filter(using:) cannot look into a predicate made of a closure, and Foundation has no other ones here; "
                    + "use whereField or whereFilter")
        }
    }
}
