// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The nodes of a cluster, and this process as one of them: a lease that says that it is alive, and notices that every living node obeys
/// before their publisher is answered (DN-6.3).
package protocol ClusterNodes: AnyObject, Sendable {
    /// Names what obeys notices, before this process joins. Several are called in the order in which they were named.
    ///
    /// They are called on a thread of the cluster, first with nil: everything may have changed. Afterwards with notices in their order, or
    /// with nil if some were missed. What one throws is tried again, and the lease is not renewed before.
    func obey(_ body: @escaping @Sendable ([ClusterNotice]?) throws(FirestoreError) -> Void)

    /// Joins as a node: from now on operations of stores fail while this process has no lease.
    func join(as address: String) throws(FirestoreError)

    /// What other nodes and operators see as the address of this one.
    func rename(to address: String)

    /// Whether this process may serve: it has not joined, or its lease has not ended.
    var isLive: Bool { get }

    /// Leaves, so that no publisher waits for this node.
    func leave()

    /// The rules of the cluster, by the databases that they are for.
    func rulesets() throws(FirestoreError) -> [ClusterRuleset]

    /// Stores rulesets, and removes others, all together. Returns when every living node judges by them: the number of these nodes.
    func deploy(_ rulesets: [ClusterRuleset], removing scopes: [String]) throws(FirestoreError) -> Int

    /// The nodes with a lease, and those that have lost theirs not long ago.
    func all() throws(FirestoreError) -> [ClusterNode]
}

/// A change that all nodes obey.
package struct ClusterNotice: Sendable, Equatable {
    package enum Kind: Int32, Sendable {
        case rules = 1
        /// An account's tokens may have ended. The payload names the tables of the accounts and, after a zero byte, the account; without
        /// one, all of them.
        case accounts = 2
    }

    /// Ascends without gaps.
    package let number: Int64
    /// nil for a kind of a later version.
    package let kind: Kind?
    package let payload: [UInt8]

    package init(number: Int64, kind: Kind?, payload: [UInt8]) {
        self.number = number
        self.kind = kind
        self.payload = payload
    }
}

/// The text of rules that the cluster keeps.
package struct ClusterRuleset: Sendable, Equatable {
    /// The id of the databases that they are for; empty for all that have no separate rules.
    package let scope: String
    /// The SHA-256 of the text.
    package let hash: [UInt8]
    package let text: String

    package init(scope: String, hash: [UInt8], text: String) {
        self.scope = scope
        self.hash = hash
        self.text = text
    }
}

package struct ClusterNode: Sendable {
    package let address: String
    package let secondsSinceSeen: Double
    package let isLive: Bool
    /// Whether it is this process.
    package let isSelf: Bool

    package init(address: String, secondsSinceSeen: Double, isLive: Bool, isSelf: Bool) {
        self.address = address
        self.secondsSinceSeen = secondsSinceSeen
        self.isLive = isLive
        self.isSelf = isSelf
    }
}
