// SPDX-License-Identifier: Apache-2.0
public import Dispatch
import FirebaseCore
public import Foundation

/// Turns off the size-based garbage collection of a cache.
public let FirestoreCacheSizeUnlimited: Int64 = -1

/// The settings of a Firestore instance: where it stores its data and how it calls back.
///
/// `Firestore.settings` returns a copy: change it and assign it back, before the first read or write.
public final class FirestoreSettings: NSObject, NSCopying {
    /// The location where the embedded database stores its data.
    ///
    /// Beyond the Apple SDK.
    public enum Storage: Hashable, Sendable {
        /// The file named by the environment variable `HEARTH_DATABASE`, or a file in the user's application-support
        /// directory, with a folder per project and a file per database.
        case automatic
        /// In memory. The data is gone when the instance is terminated.
        case memory
        /// The given file, which is created if it is missing.
        case file(URL)
    }

    /// The failures that an acknowledged write survives; with a cache, the failures that a queued write survives.
    ///
    /// Beyond the Apple SDK.
    public enum Durability: Hashable, Sendable {
        /// A crash of the process and a power failure. The default.
        case full
        /// A crash of the process. After a power failure the latest commits may be missing; the database stays
        /// consistent.
        case relaxed
    }

    /// How indexes are created.
    ///
    /// Beyond the Apple SDK.
    public enum IndexPolicy: Hashable, Sendable {
        /// The database creates an index for a query shape once its queries have read many more documents than they
        /// returned. The default.
        case automatic
        /// Only the indexes configured with `setIndexConfiguration` exist. Other queries read more documents.
        case manual
        /// As in Cloud Firestore: a query whose composite index is not configured fails with `failedPrecondition`, and
        /// the message has the entry for `firestore.indexes.json`.
        case required
    }

    /// The host of Cloud Firestore.
    static let defaultHost = "firestore.googleapis.com"

    var values = SettingsValues()
    private var cache: (any LocalCacheSettings & NSObjectProtocol)?

    /// Creates the default settings: the embedded database, callbacks on the main queue.
    public override init() { super.init() }

    /// The server to use, as `host:port`. With TLS the port may be omitted.
    ///
    /// The default selects no particular server: the database is embedded, unless the environment or `credentials`
    /// select another one. If the server cannot be reached, operations fail with `unavailable`; if it is not a
    /// Firestore server, or does not use TLS as expected, with `failedPrecondition` and the reason.
    public var host: String {
        get { values.host }
        set { values.host = newValue }
    }

    /// Whether connections are encrypted; true by default. The embedded database makes no connections.
    ///
    /// False requires a custom `host`; with the default host every operation fails with `invalidArgument`.
    public var isSSLEnabled: Bool {
        get { values.isSSLEnabled }
        set { values.isSSLEnabled = newValue }
    }

    /// The identity of calls to a database on a server.
    ///
    /// Credentials of Google's kinds select Google's service if `host` has its default. Together with a `storage` other
    /// than `.automatic`, which is for the embedded database, every operation fails with `invalidArgument`.
    ///
    /// Beyond the Apple SDK.
    public var credentials: Credentials {
        get { values.credentials }
        set { values.credentials = newValue }
    }

    /// A PEM file with the certificates to trust instead of the system's, for a server whose certificate is not signed
    /// by a public authority.
    ///
    /// nil by default. The file is read when the database is opened.
    ///
    /// Beyond the Apple SDK.
    public var trustedCertificates: URL? {
        get { values.trustedCertificates }
        set { values.trustedCertificates = newValue }
    }

    /// The queue on which completion handlers and listeners are called. The main queue by default.
    public var dispatchQueue: DispatchQueue {
        get { values.dispatchQueue }
        set { values.dispatchQueue = newValue }
    }

    /// Whether data survives the instance: the embedded database, or the cache of a database on a server. True by default.
    ///
    /// False is the same as `cacheSettings = MemoryCacheSettings()`, with the size of `cacheSizeBytes`.
    public var isPersistenceEnabled: Bool {
        get { values.isPersistenceEnabled }
        set { values.isPersistenceEnabled = newValue }
    }

    /// The size in bytes from which the least recently used documents are removed from the cache of a server's database.
    /// 100 MiB by default.
    ///
    /// Same as `cacheSettings = PersistentCacheSettings(sizeBytes:)`, unless `isPersistenceEnabled` is false. The embedded database
    /// is not a cache and drops nothing. A value below 1 MiB other than `FirestoreCacheSizeUnlimited` makes every operation fail with
    /// `invalidArgument`.
    public var cacheSizeBytes: Int64 {
        get { values.cacheSizeBytes }
        set { values.cacheSizeBytes = newValue }
    }

    /// The kind of cache for a database on a server.
    ///
    /// Unless it is set, the credentials decide: there is a persistent cache for calls of a user or without credentials,
    /// and none for calls of an administrator or with tokens from a closure; if the server is named by
    /// `FIRESTORE_EMULATOR_HOST` alone, the cache is in memory. For the embedded database `MemoryCacheSettings` means data
    /// in memory, as `storage = .memory`; it has no cache.
    ///
    /// Together with `isPersistenceEnabled = false` or a custom `cacheSizeBytes`, which it replaces, every operation
    /// fails with `invalidArgument`.
    public var cacheSettings: any LocalCacheSettings & NSObjectProtocol {
        get {
            if let cache { return cache }
            switch values.cache {
            case .off: return NoCacheSettings()
            case .memory(.eager): return MemoryCacheSettings(garbageCollectorSettings: MemoryEagerGCSetting())
            case .memory(.leastRecentlyUsed(let sizeBytes)):
                return MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings(sizeBytes: NSNumber(value: sizeBytes)))
            case .disk(let sizeBytes): return PersistentCacheSettings(sizeBytes: NSNumber(value: sizeBytes))
            case nil: return values.isPersistenceEnabled ? PersistentCacheSettings() : MemoryCacheSettings()
            }
        }
        set {
            cache = newValue
            values.cache =
                switch newValue {
                case is NoCacheSettings: .off
                case let memory as MemoryCacheSettings: .memory(memory.collection)
                case let disk as PersistentCacheSettings: .disk(sizeBytes: disk.sizeBytes)
                default: .disk(sizeBytes: SettingsValues.defaultCacheSizeBytes)
                }
        }
    }

    /// The location where the embedded database stores its data.
    ///
    /// Beyond the Apple SDK.
    public var storage: Storage {
        get { values.storage }
        set { values.storage = newValue }
    }

    /// The failures that an acknowledged write survives; with a cache, the failures that a queued write survives.
    ///
    /// Beyond the Apple SDK.
    public var durability: Durability {
        get { values.durability }
        set { values.durability = newValue }
    }

    /// How indexes are created.
    ///
    /// Instances that share a file share its policy: that of the instance opened last.
    ///
    /// Beyond the Apple SDK.
    public var indexPolicy: IndexPolicy {
        get { values.indexPolicy }
        set { values.indexPolicy = newValue }
    }

    /// Equal when every setting is.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? FirestoreSettings)?.values == values
    }

    /// Combines the settings.
    public override var hash: Int { Hasher.hash(values.host, values.storage, values.durability, values.credentials) }

    /// An independent copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = FirestoreSettings()
        copy.values = values
        copy.cache = cache
        return copy
    }
}
