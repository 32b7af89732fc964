public import Foundation

/// Kinds of caches.
public protocol LocalCacheSettings {}

/// Kinds of clean-up of a cache in memory.
public protocol MemoryGarbageCollectorSettings {}

/// A cache on disk: for the embedded database, data in a file.
public final class PersistentCacheSettings: NSObject, NSCopying, LocalCacheSettings {
    let sizeBytes: Int64

    /// The default size. The embedded database is no cache and never drops data.
    public override init() {
        sizeBytes = 104_857_600
        super.init()
    }

    /// A size of your choice, kept and without effect on the embedded database; `-1` for no limit.
    ///
    /// With less than 1 MiB every operation of the instance fails with `invalidArgument`.
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

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A cache in memory: for the embedded database, data in memory.
public final class MemoryCacheSettings: NSObject, NSCopying, LocalCacheSettings {
    /// The default clean-up.
    public override init() { super.init() }

    /// A clean-up of your choice, without effect on the embedded database, which never drops data.
    public init(garbageCollectorSettings settings: any MemoryGarbageCollectorSettings & NSObjectProtocol) {
        super.init()
    }

    /// Equal to every other.
    public override func isEqual(_ object: Any?) -> Bool { object is MemoryCacheSettings }

    /// The same for all.
    public override var hash: Int { 1 }

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Drops documents as soon as nothing uses them.
public final class MemoryEagerGCSetting: NSObject, NSCopying, MemoryGarbageCollectorSettings {
    /// The only kind.
    public override init() { super.init() }

    /// Equal to every other.
    public override func isEqual(_ object: Any?) -> Bool { object is MemoryEagerGCSetting }

    /// The same for all.
    public override var hash: Int { 2 }

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Drops the documents used least recently.
public final class MemoryLRUGCSettings: NSObject, NSCopying, MemoryGarbageCollectorSettings {
    let sizeBytes: Int64

    /// The default size.
    public override init() {
        sizeBytes = 104_857_600
        super.init()
    }

    /// A size of your choice; unlike a cache on disk it may be as small as one likes.
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

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
