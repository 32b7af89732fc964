// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A transaction for modules that have separate tables: statements on them, and the numbers of collections.
package protocol StatementSource {
    func statement(_ sql: String) throws(FirestoreError) -> SQLStatement
    /// nil if no document was ever stored in the collection.
    func number(of path: CollectionPath) throws(FirestoreError) -> Int64?
    func path(of number: Int64) throws(FirestoreError) -> CollectionPath
    /// The error of a row that holds what Hearth never writes.
    func damaged(_ what: String) -> FirestoreError
}

extension ReadTransaction: StatementSource {}
extension WriteTransaction: StatementSource {}
