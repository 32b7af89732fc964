import FirestoreCore
public import Foundation

/// Where a snapshot comes from.
public final class SnapshotMetadata: NSObject, Sendable {
    /// Whether the snapshot shows writes that are not acknowledged yet. Never so with the embedded database.
    public let hasPendingWrites: Bool
    /// Whether the snapshot was not confirmed by the authority. Never so with the embedded database.
    public let isFromCache: Bool

    package init(hasPendingWrites: Bool, isFromCache: Bool) {
        self.hasPendingWrites = hasPendingWrites
        self.isFromCache = isFromCache
        super.init()
    }

    /// What the authority said.
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

/// Where a read looks. The embedded database is server and cache in one: all sources give the same.
public enum FirestoreSource: UInt, Sendable {
    /// The server, else the cache.
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

/// Where a listener looks. The embedded database is server and cache in one: both sources give the same.
public enum ListenSource: UInt, Sendable {
    /// The server and the cache.
    case `default` = 0
    /// The cache only.
    case cache = 1
}

/// What stands for a server timestamp that is not known yet.
///
/// The embedded database knows it as soon as it shows the document: all behaviours give the same there.
public enum ServerTimestampBehavior: Int, Sendable {
    /// Null.
    case none = 0
    /// The local time of the write.
    case estimate = 1
    /// The value before the write.
    case previous = 2
}
