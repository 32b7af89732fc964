// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreEngine
package import FirestoreServer

extension DatabaseOpening.Storage {
    /// Memory, or a server (`EngineStores`).
    package static var forTests: DatabaseOpening.Storage {
        do {
            let place = try EngineStores.place()
            if case .cluster(let cluster) = place { return .cluster(cluster) }
            return .memory
        } catch {
            fatalError("no place for a test's databases: \(error)")
        }
    }
}
