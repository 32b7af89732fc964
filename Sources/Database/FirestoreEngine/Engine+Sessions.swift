// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage

extension Engine {
    /// Returns another handle on the same core: one allocation and a number. Its `shutdown` waits only for its own commits.
    package func session() throws(FirestoreError) -> any DocumentService {
        Engine(try handle.sibling())
    }
}
