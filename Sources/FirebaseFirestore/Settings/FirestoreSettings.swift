public import Dispatch
public import Foundation

/// Turns size-based clean-up of a cache off.
public let FirestoreCacheSizeUnlimited: Int64 = -1

/// Where a Firestore instance keeps its data and how it calls back.
///
/// `Firestore.settings` returns a copy: change it and assign it back, before the first read or write.
public final class FirestoreSettings: NSObject, NSCopying {
    /// Where the embedded database keeps its data.
    public enum Storage: Hashable, Sendable {
        /// The file named by the environment variable `HEARTH_DATABASE`, else one in the user's
        /// application-support directory, a folder per project and a file per database.
        case automatic
        /// In memory; gone with the instance.
        case memory
        /// A file of your choice, created if missing.
        case file(URL)
    }

    /// What an acknowledged write survives.
    public enum Durability: Hashable, Sendable {
        /// The end of the process and of power. The default.
        case full
        /// The end of the process. After a power failure the last moments may be missing; the database stays whole.
        case relaxed
    }

    /// Who decides which indexes there are.
    public enum IndexPolicy: Hashable, Sendable {
        /// The database makes the index a query would like, once queries have read many more documents than they
        /// returned. The default.
        case automatic
        /// Only what `setIndexConfiguration` asked for; other queries read more.
        case manual
        /// As in Cloud Firestore: a query whose composite index was not configured fails with `failedPrecondition`, and the
        /// message has the entry for `firestore.indexes.json`.
        case required
    }

    /// The host of Cloud Firestore.
    static let defaultHost = "firestore.googleapis.com"

    var values = SettingsValues()
    private var cache: (any LocalCacheSettings & NSObjectProtocol)?

    /// The defaults: the embedded database, callbacks on the main queue.
    public override init() { super.init() }

    /// The server to work with, as `host:port`; with TLS the port may be left out.
    ///
    /// The default means no particular one: the embedded database, or what the environment or `credentials` ask for. A server
    /// that cannot be reached fails operations with `unavailable`, and one that is no Firestore server, or not for TLS, with
    /// `failedPrecondition` and the reason.
    public var host: String {
        get { values.host }
        set { values.host = newValue }
    }

    /// Whether connections are encrypted, true by default; the embedded database makes none.
    ///
    /// False needs a `host` of your own; with the default one every operation fails with `invalidArgument`.
    public var isSSLEnabled: Bool {
        get { values.isSSLEnabled }
        set { values.isSSLEnabled = newValue }
    }

    /// Who calls, for databases on servers. Credentials of Google's kinds lead to Google's service when `host` is the
    /// default.
    ///
    /// Together with a `storage` of your own, which is for the embedded database, every operation fails with
    /// `invalidArgument`.
    public var credentials: Credentials {
        get { values.credentials }
        set { values.credentials = newValue }
    }

    /// A PEM file with the certificates to trust instead of the system's: for a server of your own whose certificate no
    /// public authority has signed. nil by default; read when the database is opened.
    public var trustedCertificates: URL? {
        get { values.trustedCertificates }
        set { values.trustedCertificates = newValue }
    }

    /// The queue on which completion handlers and listeners are called; the main queue by default.
    public var dispatchQueue: DispatchQueue {
        get { values.dispatchQueue }
        set { values.dispatchQueue = newValue }
    }

    /// Whether data survives the instance; false is the same as `storage = .memory`.
    public var isPersistenceEnabled: Bool {
        get { values.isPersistenceEnabled }
        set { values.isPersistenceEnabled = newValue }
    }

    /// How large a cache may grow. The embedded database is no cache: the value is kept and changes nothing.
    ///
    /// Below 1 MiB (and not `FirestoreCacheSizeUnlimited`) every operation fails with `invalidArgument`.
    public var cacheSizeBytes: Int64 {
        get { values.cacheSizeBytes }
        set { values.cacheSizeBytes = newValue }
    }

    /// What kind of cache to use; `MemoryCacheSettings` is the same as `storage = .memory`.
    ///
    /// Together with `isPersistenceEnabled = false` or a `cacheSizeBytes` of your own, which it replaces, every operation
    /// fails with `invalidArgument`.
    public var cacheSettings: any LocalCacheSettings & NSObjectProtocol {
        get {
            if let cache { return cache }
            switch values.cache {
            case .memory: return MemoryCacheSettings()
            case .disk(let sizeBytes): return PersistentCacheSettings(sizeBytes: NSNumber(value: sizeBytes))
            case nil: return values.isPersistenceEnabled ? PersistentCacheSettings() : MemoryCacheSettings()
            }
        }
        set {
            cache = newValue
            values.cache =
                newValue is MemoryCacheSettings
                ? .memory
                : .disk(
                    sizeBytes: (newValue as? PersistentCacheSettings)?.sizeBytes ?? SettingsValues.defaultCacheSizeBytes)
        }
    }

    /// Where the embedded database keeps its data.
    public var storage: Storage {
        get { values.storage }
        set { values.storage = newValue }
    }

    /// What an acknowledged write survives.
    public var durability: Durability {
        get { values.durability }
        set { values.durability = newValue }
    }

    /// Who decides which indexes there are. Instances that share a file share its policy: that of the last one opened.
    public var indexPolicy: IndexPolicy {
        get { values.indexPolicy }
        set { values.indexPolicy = newValue }
    }

    /// Equal when every setting is.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? FirestoreSettings)?.values == values
    }

    /// Combines the settings.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(values.host)
        hasher.combine(values.storage)
        hasher.combine(values.durability)
        hasher.combine(values.credentials)
        return hasher.finalize()
    }

    /// An independent copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = FirestoreSettings()
        copy.values = values
        copy.cache = cache
        return copy
    }
}
