// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A kind of cache.
public protocol LocalCacheSettings {}

/// A kind of garbage collection for a cache in memory.
public protocol MemoryGarbageCollectorSettings {}

/// A cache on disk, which survives the process, with its queue of writes.
///
/// For the embedded database: data in a file.
public final class PersistentCacheSettings: NSObject, NSCopying, LocalCacheSettings {
    let sizeBytes: Int64

    /// A cache of 100 MiB. The embedded database is not a cache and never drops data.
    public override init() {
        sizeBytes = SettingsValues.defaultCacheSizeBytes
        super.init()
    }

    /// The size in bytes from which the least recently used documents are removed, or `-1` for no limit.
    ///
    /// Not a hard limit: documents that a listener shows, that are pinned or that have pending writes are never removed. The
    /// size has no effect on the embedded database. A size below 1 MiB makes every operation of the instance fail with `invalidArgument`.
    public init(sizeBytes size: NSNumber) {
        sizeBytes = size.int64Value
        super.init()
    }

    /// Equal when the sizes are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? PersistentCacheSettings)?.sizeBytes == sizeBytes
    }

    /// The size.
    public override var hash: Int { sizeBytes.hashValue }

    /// The object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A cache in memory. When the instance is terminated, writes that are not acknowledged yet are lost.
///
/// For the embedded database: data in memory.
public final class MemoryCacheSettings: NSObject, NSCopying, LocalCacheSettings {
    let collection: SettingsValues.MemoryCollection

    /// Drops the documents used least recently from 100 MiB on, as ``MemoryLRUGCSettings``. Until then documents that were
    /// read or written can be read offline.
    public override init() {
        collection = .standard
        super.init()
    }

    /// The given garbage collection. It has no effect on the embedded database, which never drops data.
    public init(garbageCollectorSettings settings: any MemoryGarbageCollectorSettings & NSObjectProtocol) {
        collection =
            switch settings {
            case is MemoryEagerGCSetting: .eager
            case let settings as MemoryLRUGCSettings: .leastRecentlyUsed(sizeBytes: settings.sizeBytes)
            default: .standard
            }
        super.init()
    }

    /// Equal when the garbage collections are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MemoryCacheSettings)?.collection == collection
    }

    /// The garbage collection.
    public override var hash: Int { collection.hashValue }

    /// The object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Drops documents as soon as no listener, pin or pending write needs them: a read that nothing listens to leaves nothing in the
/// cache to read offline.
public final class MemoryEagerGCSetting: NSObject, NSCopying, MemoryGarbageCollectorSettings {
    /// Creates the settings.
    public override init() { super.init() }

    /// All instances are equal.
    public override func isEqual(_ object: Any?) -> Bool { object is MemoryEagerGCSetting }

    /// A constant, because all instances are equal.
    public override var hash: Int { 2 }

    /// The object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Drops the documents used least recently.
public final class MemoryLRUGCSettings: NSObject, NSCopying, MemoryGarbageCollectorSettings {
    let sizeBytes: Int64

    /// A size of 100 MiB.
    public override init() {
        sizeBytes = SettingsValues.defaultCacheSizeBytes
        super.init()
    }

    /// The size in bytes from which documents are dropped. Unlike a cache on disk, a cache in memory has no minimum.
    public init(sizeBytes size: NSNumber) {
        sizeBytes = size.int64Value
        super.init()
    }

    /// Equal when the sizes are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MemoryLRUGCSettings)?.sizeBytes == sizeBytes
    }

    /// The size.
    public override var hash: Int { sizeBytes.hashValue }

    /// The object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// No cache: reads and writes need the server, and fail with `unavailable` if it cannot be reached.
///
/// For servers and tools, whose calls are not those of an app's user. It has no effect on the embedded database.
///
/// Beyond the Apple SDK.
public final class NoCacheSettings: NSObject, NSCopying, LocalCacheSettings {
    /// Creates the settings.
    public override init() { super.init() }

    /// All instances are equal.
    public override func isEqual(_ object: Any?) -> Bool { object is NoCacheSettings }

    /// A constant, because all instances are equal.
    public override var hash: Int { 3 }

    /// The object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
