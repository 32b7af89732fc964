// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Where tests store caches of servers: a folder that is removed with the process. In the directory of the user's apps, what a run had
/// queued when it ended would be sent by the next one.
package enum ScratchCaches {
    package static let directory: URL = {
        atexit { try? FileManager.default.removeItem(at: ScratchCaches.directory) }
        return FileManager.default.temporaryDirectory.appendingPathComponent("hearth-caches-\(UUID().uuidString)")
    }()
}
