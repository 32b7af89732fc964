// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Tables beside the databases that all nodes of a cluster share, such as those of accounts: an SQL schema of their own.
///
/// Calls wait for the server: never call them on the cooperative thread pool.
package protocol ClusterTables: Sendable {
    /// Runs the body in a transaction that sees one state.
    func read<R>(_ body: (any TableStatements) throws -> R) throws -> R

    /// Runs the body in a transaction, one at a time in all nodes: it holds the row of these tables. An error undoes all of it.
    ///
    /// - Returns: What the body returned, and the number of the last notice that it has published.
    func write<R>(_ body: (any ClusterStatements) throws -> R) throws -> (result: R, notice: Int64?)

    /// Returns when every living node has obeyed a notice.
    func awaitObedience(of notice: Int64) throws(FirestoreError)
}

/// SQL statements in a transaction. Parameters are `$1`, `$2` … in the order of their first appearance.
package protocol TableStatements {
    func rows(_ sql: String, _ values: [TableValue]) throws -> any TableRows

    /// The number of rows that were changed.
    @discardableResult
    func run(_ sql: String, _ values: [TableValue]) throws -> Int
}

package protocol ClusterStatements: TableStatements {
    /// Publishes a change that every node obeys once the transaction is committed.
    func publish(_ kind: ClusterNotice.Kind, _ payload: [UInt8]) throws
}

/// The rows that a statement has found. A null is nil.
package protocol TableRows {
    var count: Int { get }
    func optionalInteger(_ row: Int, _ column: Int) -> Int64?
    func text(_ row: Int, _ column: Int) -> String?
}

package enum TableValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    package init(_ text: String?) { self = text.map(TableValue.text) ?? .null }
    package init(_ number: Int64?) { self = number.map(TableValue.integer) ?? .null }
    package init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
