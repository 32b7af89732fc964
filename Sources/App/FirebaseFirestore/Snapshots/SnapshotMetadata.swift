// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// The state of a snapshot with respect to the server.
public final class SnapshotMetadata: NSObject, Sendable {
    /// Whether the snapshot shows writes that are not acknowledged yet. Always false for the embedded database and without a
    /// cache.
    public let hasPendingWrites: Bool
    /// Whether the server has not confirmed the snapshot. Always false for the embedded database and without a cache.
    public let isFromCache: Bool

    package init(hasPendingWrites: Bool, isFromCache: Bool) {
        self.hasPendingWrites = hasPendingWrites
        self.isFromCache = isFromCache
        super.init()
    }

    /// Confirmed by the authority.
    static let confirmed = SnapshotMetadata(hasPendingWrites: false, isFromCache: false)

    /// Equal when both flags are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SnapshotMetadata else { return false }
        return hasPendingWrites == other.hasPendingWrites && isFromCache == other.isFromCache
    }

    /// Combines both flags.
    public override var hash: Int { (hasPendingWrites ? 2 : 0) + (isFromCache ? 1 : 0) }

    /// Both flags, readable.
    public override var description: String {
        "<SnapshotMetadata: hasPendingWrites=\(hasPendingWrites) isFromCache=\(isFromCache)>"
    }
}

/// The source of a read. The embedded database is server and cache in one: all sources give the same result.
public enum FirestoreSource: UInt, Sendable {
    /// The server, or the cache if the server cannot be reached.
    case `default` = 0
    /// The server only.
    case server = 1
    /// The cache only.
    case cache = 2

    var internalForm: ReadSource {
        switch self {
        case .default: .default
        case .server: .server
        case .cache: .cache
        }
    }
}

extension LookupSnapshot {
    func metadata(of key: DocumentKey) -> SnapshotMetadata {
        let isPending = pendingKeys.contains(key)
        return !isPending && !isFromCache ? .confirmed : SnapshotMetadata(hasPendingWrites: isPending, isFromCache: isFromCache)
    }
}

extension ViewSnapshot {
    /// A document shows its own pending writes, not those of its neighbours.
    func metadata(of key: DocumentKey) -> SnapshotMetadata {
        let isPending = pendingKeys.contains(key)
        return !isPending && !isFromCache ? .confirmed : SnapshotMetadata(hasPendingWrites: isPending, isFromCache: isFromCache)
    }
}

/// The source of a listener. The embedded database is server and cache in one: both sources give the same result.
public enum ListenSource: UInt, Sendable {
    /// The server and the cache.
    case `default` = 0
    /// The cache only.
    case cache = 1
}

/// The value of a server timestamp that is not known yet.
///
/// Only snapshots with pending writes contain such timestamps, so with the embedded database all behaviors give the same result.
public enum ServerTimestampBehavior: Int, Sendable {
    /// Null.
    case none = 0
    /// The local time of the write.
    case estimate = 1
    /// The value before the write, of whatever type; null if there was none.
    case previous = 2

    var reading: PendingTimestamp.Reading {
        switch self {
        case .none: .null
        case .estimate: .estimate
        case .previous: .previous
        }
    }
}
