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

    /// The host of Cloud Firestore.
    static let defaultHost = "firestore.googleapis.com"

    var values = SettingsValues()
    private var cache: (any LocalCacheSettings & NSObjectProtocol)?

    /// The defaults: the embedded database, callbacks on the main queue.
    public override init() { super.init() }

    /// The host to work with, optionally with `:port`.
    ///
    /// Any other than the default one asks for a remote database; this version of Hearth has the embedded one only, and
    /// every operation then fails with `unimplemented`.
    public var host: String {
        get { values.host }
        set { values.host = newValue }
    }

    /// Whether connections are encrypted; the embedded database makes none.
    public var isSSLEnabled: Bool {
        get { values.isSSLEnabled }
        set { values.isSSLEnabled = newValue }
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
    public var cacheSizeBytes: Int64 {
        get { values.cacheSizeBytes }
        set { values.cacheSizeBytes = newValue }
    }

    /// What kind of cache to use; `MemoryCacheSettings` is the same as `storage = .memory`.
    public var cacheSettings: any LocalCacheSettings & NSObjectProtocol {
        get {
            if let cache { return cache }
            return values.isPersistenceEnabled && !values.cachesInMemory
                ? PersistentCacheSettings() : MemoryCacheSettings()
        }
        set {
            cache = newValue
            values.cachesInMemory = newValue is MemoryCacheSettings
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

/// The settings as a value: what a Firestore instance keeps.
struct SettingsValues: Sendable, Equatable {
    var host = FirestoreSettings.defaultHost
    var isSSLEnabled = true
    /// nil for the main queue, whose object is another one each time it is asked for outside of Apple platforms.
    private var ownQueue: DispatchQueue?
    var dispatchQueue: DispatchQueue {
        get { ownQueue ?? .main }
        set { ownQueue = newValue.label == DispatchQueue.main.label ? nil : newValue }
    }
    var isPersistenceEnabled = true
    var cachesInMemory = false
    var cacheSizeBytes: Int64 = 104_857_600
    var storage = FirestoreSettings.Storage.automatic
    var durability = FirestoreSettings.Durability.full

    /// Where the data is to lie, all settings about it taken together.
    var effectiveStorage: FirestoreSettings.Storage {
        isPersistenceEnabled && !cachesInMemory ? storage : .memory
    }

    static func == (left: SettingsValues, right: SettingsValues) -> Bool {
        left.host == right.host && left.isSSLEnabled == right.isSSLEnabled
            && left.ownQueue === right.ownQueue && left.isPersistenceEnabled == right.isPersistenceEnabled
            && left.cachesInMemory == right.cachesInMemory && left.cacheSizeBytes == right.cacheSizeBytes
            && left.storage == right.storage && left.durability == right.durability
    }
}
