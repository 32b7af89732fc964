// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

extension Query {
    /// Accepted for source compatibility: on Linux the query fails with `invalidArgument`.
    ///
    /// Foundation on Linux has only predicates made of closures, which a database cannot evaluate. On Apple platforms
    /// predicates consist of fields, operators and constants, which the Apple SDK translates. Use `whereField` or
    /// `whereFilter` instead, which support more operators.
    public func filter(using predicate: NSPredicate) -> Query {
        changed { _ throws(FirestoreError) in
            throw .invalidArgument(
                "filter(using:) cannot translate a predicate made of a closure, the only kind on this platform; "
                    + "use whereField or whereFilter")
        }
    }
}
