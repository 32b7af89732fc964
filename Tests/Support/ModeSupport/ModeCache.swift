// SPDX-License-Identifier: Apache-2.0
package import FirebaseFirestore
package import Foundation

/// The cache in front of the server in the modes that have one: `HEARTH_MODE_CACHE`. Each test has a project, and so a cache, of its
/// own; nothing of an earlier run is ever sent.
package enum ModeCache: String, CaseIterable, Sendable {
    /// Every read and write goes to the server.
    case off
    case memory
    /// A file, in a folder that is made for this run.
    case disk

    package static let current: ModeCache = {
        let name = ProcessInfo.processInfo.environment["HEARTH_MODE_CACHE"] ?? ""
        guard !name.isEmpty else { return .off }
        guard let cache = ModeCache(rawValue: name) else {
            Mode.end(2, "HEARTH_MODE_CACHE is one of \(allCases.map(\.rawValue).joined(separator: ", ")), and not \(name)")
        }
        return cache
    }()

    package var settings: any LocalCacheSettings & NSObjectProtocol {
        switch self {
        case .off: NoCacheSettings()
        case .memory: MemoryCacheSettings()
        case .disk: PersistentCacheSettings()
        }
    }
}
