// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation

/// The settings as a value, which a Firestore instance stores.
struct SettingsValues: Sendable, Equatable {
    enum Cache: Sendable, Equatable {
        case off
        case memory(MemoryCollection)
        case disk(sizeBytes: Int64)
    }

    /// When a cache in memory drops documents.
    enum MemoryCollection: Sendable, Hashable {
        case eager
        case leastRecentlyUsed(sizeBytes: Int64)

        /// Unless the settings ask for another one (SY-150).
        static let standard = MemoryCollection.leastRecentlyUsed(sizeBytes: SettingsValues.defaultCacheSizeBytes)
    }

    static let defaultCacheSizeBytes: Int64 = 104_857_600
    private static let smallestCache: Int64 = 1_048_576

    var host = FirestoreSettings.defaultHost
    var isSSLEnabled = true
    /// nil for the main queue, which outside of Apple platforms is a different object at each access.
    private var ownQueue: DispatchQueue?
    var dispatchQueue: DispatchQueue {
        get { ownQueue ?? .main }
        set { ownQueue = newValue.label == DispatchQueue.main.label ? nil : newValue }
    }
    var isPersistenceEnabled = true
    /// The value that `cacheSettings` was set to, if any.
    var cache: Cache?
    var cacheSizeBytes = defaultCacheSizeBytes
    var storage = FirestoreSettings.Storage.automatic
    var durability = FirestoreSettings.Durability.full
    var indexPolicy = FirestoreSettings.IndexPolicy.automatic
    var credentials = FirestoreSettings.Credentials.automatic
    var trustedCertificates: URL?
    var awaitedWrites = FirestoreSettings.AwaitedWrites.acknowledgedOrOffline
    var failedWritePolicy = FirestoreSettings.FailedWritePolicy.keep
    var offlineAfter = Duration.seconds(10)
    var cacheIsPerUser = false
    var serverTimestamps = ServerTimestampBehavior.none
    var cacheDirectory: URL?
    var conflictPolicy = ConflictPolicy.lastWriteWins
    var conflictHandler: ConflictPolicy.Handler?
    var rules: SecurityRules?
    var user: SecurityRules.User?
    var strictLists = false
    /// Says for whom rules decide: bound to the instance when that is opened.
    var currentUser: CurrentUser?
    /// Decides for the client: bound to the instance when that is opened.
    var engineConflictHandler: ConflictHandler?

    /// The handler of writes that have none.
    var fallbackConflictHandler: ConflictPolicy.Handler? {
        if let conflictHandler { return conflictHandler }
        if case .requireUnchanged(let handler) = conflictPolicy.kind { return handler }
        return nil
    }

    /// Whether the data survives the instance, as far as the Apple SDK's settings determine it.
    var cachesOnDisk: Bool {
        if case .memory? = cache { return false }
        return isPersistenceEnabled
    }

    /// The cache that the settings ask for; nil if they leave it to the credentials.
    var requestedCache: Cache? {
        if let cache { return cache }
        if !isPersistenceEnabled { return .memory(.leastRecentlyUsed(sizeBytes: cacheSizeBytes)) }
        return cacheSizeBytes == Self.defaultCacheSizeBytes ? nil : .disk(sizeBytes: cacheSizeBytes)
    }

    /// The location of the data, all settings taken together.
    var effectiveStorage: FirestoreSettings.Storage {
        cachesOnDisk ? storage : .memory
    }

    /// Fails where the Apple SDK raises an exception: for contradicting settings and a cache that is too small.
    func check() throws(FirestoreError) {
        if cache != nil, !isPersistenceEnabled || cacheSizeBytes != Self.defaultCacheSizeBytes {
            throw .invalidArgument(
                "settings.cacheSettings replaces isPersistenceEnabled and cacheSizeBytes; set either the one or the others")
        }
        try Self.check(cacheSizeBytes, of: "settings.cacheSizeBytes")
        if case .disk(let sizeBytes)? = cache { try Self.check(sizeBytes, of: "the size of PersistentCacheSettings") }
        if !isSSLEnabled, host.utf8.elementsEqual(FirestoreSettings.defaultHost.utf8) {
            throw .invalidArgument("settings.isSSLEnabled can only be false with a custom settings.host")
        }
        guard offlineAfter >= .zero else { throw .invalidArgument("settings.offlineAfter must not be negative") }
        if let cacheDirectory, !cacheDirectory.isFileURL {
            throw .invalidArgument("settings.cacheDirectory must be a file URL", at: "\(cacheDirectory)")
        }
    }

    private static func check(_ size: Int64, of name: String) throws(FirestoreError) {
        guard size >= smallestCache || size == FirestoreCacheSizeUnlimited else {
            throw .invalidArgument("\(name) must be at least \(smallestCache) bytes, or FirestoreCacheSizeUnlimited")
        }
    }

    static func == (left: SettingsValues, right: SettingsValues) -> Bool {
        guard left.conflictPolicy == right.conflictPolicy, left.conflictHandler === right.conflictHandler else { return false }
        return left.host == right.host && left.isSSLEnabled == right.isSSLEnabled
            && left.ownQueue === right.ownQueue && left.isPersistenceEnabled == right.isPersistenceEnabled
            && left.cache == right.cache && left.cacheSizeBytes == right.cacheSizeBytes
            && left.storage == right.storage && left.durability == right.durability
            && left.indexPolicy == right.indexPolicy && left.credentials == right.credentials
            && left.trustedCertificates == right.trustedCertificates && left.awaitedWrites == right.awaitedWrites
            && left.failedWritePolicy == right.failedWritePolicy && left.offlineAfter == right.offlineAfter
            && left.serverTimestamps == right.serverTimestamps && left.cacheIsPerUser == right.cacheIsPerUser
            && left.cacheDirectory == right.cacheDirectory && left.rules == right.rules
            && left.user == right.user && left.strictLists == right.strictLists
    }
}
