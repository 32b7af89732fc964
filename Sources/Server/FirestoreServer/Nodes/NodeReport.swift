// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import FirestoreStorage

/// A node of the cluster, as the console shows it.
package struct NodeReport: Sendable {
    package let address: String
    /// Whether it has a lease.
    package let isLive: Bool
    /// Whether it is this process.
    package let isSelf: Bool

    init(_ node: ClusterNode) { (address, isLive, isSelf) = (node.address, node.isLive, node.isSelf) }
}

extension DatabaseRegistry {
    /// The nodes of the cluster, by address; nil if the databases are not those of a cluster.
    package func nodes() async throws(FirestoreError) -> [NodeReport]? {
        guard case .cluster(let cluster) = opening.storage, let nodes = cluster.nodes else { return nil }
        let result: Result<[NodeReport], FirestoreError> = await withCheckedContinuation { continuation in
            // Waits for the database server.
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(FirestoreError) in try nodes.all().map { NodeReport($0) } })
            }
        }
        return try result.get()
    }
}
