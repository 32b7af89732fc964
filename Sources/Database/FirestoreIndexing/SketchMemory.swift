// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The memory that the sketches of several databases may take together.
package final class SketchMemory: Sendable {
    /// Memory budget shared by all databases of the process: a server may have hundreds of them.
    package static let process = SketchMemory(most: 256 << 20)

    private let most: Int
    private let used = Mutex(0)

    package init(most: Int) { self.most = most }

    var left: Int { used.withLock { most - $0 } }

    /// Takes so many bytes if there are that many.
    func take(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard used + bytes <= most else { return false }
            used += bytes
            return true
        }
    }

    func release(_ bytes: Int) { used.withLock { $0 -= bytes } }
}
