// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Temporary files that a process left when it was killed. Removed when they are a day old: a younger one may be of a server that writes.
final class LeftoverFiles: Sendable {
    private static let age: Int64 = 24 * 3600
    private static let maximumFolders = 1_000

    private let clock: any WallClock
    /// The folders that need no further look.
    private let seen = Mutex<Set<String>>([])

    init(_ clock: any WallClock) { self.clock = clock }

    /// Removes what is old, on the first call for a folder. Failures are ignored: a leftover takes space only.
    func remove(from folder: OpenFolder) {
        let isFirst = seen.withLock { seen in
            if seen.count >= Self.maximumFolders { seen = [] }
            return seen.insert(folder.path).inserted
        }
        guard isFirst, let names = try? folder.names() else { return }
        let oldest = clock.now() / 1_000_000 - Self.age
        for name in names where NewFile.isTemporary(name) {
            guard let status = try? folder.status(of: name), status.st_mode & S_IFMT == S_IFREG else { continue }
            if Int64(status.modificationSeconds) < oldest { unlinkat(folder.descriptor, name, 0) }
        }
    }
}

extension stat {
    fileprivate var modificationSeconds: Int {
        #if canImport(Darwin)
            st_mtimespec.tv_sec
        #else
            st_mtim.tv_sec
        #endif
    }
}
