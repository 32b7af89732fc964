// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// What the settings are, and what is rejected.
@Suite struct SettingsTests {
    @Test func `the defaults equal those of the original`() {
        let settings = FirestoreSettings()
        #expect(settings.host == "firestore.googleapis.com" && settings.isSSLEnabled && settings.isPersistenceEnabled)
        #expect(settings.cacheSizeBytes == 104_857_600 && settings.dispatchQueue === DispatchQueue.main || settings.dispatchQueue.label == DispatchQueue.main.label)
        #expect(settings.cacheSettings is PersistentCacheSettings)
        #expect(settings.indexPolicy == .automatic && settings.durability == .full && settings.storage == .automatic)
        #expect(FirestoreCacheSizeUnlimited == -1)
    }

    @Test func `cache settings are stored, copied and compared by value`() {
        let settings = FirestoreSettings()
        settings.cacheSettings = PersistentCacheSettings(sizeBytes: 2_000_000)
        #expect((settings.cacheSettings as? PersistentCacheSettings) == PersistentCacheSettings(sizeBytes: 2_000_000))
        #expect(settings != FirestoreSettings())
        #expect(settings.copy() as? FirestoreSettings == settings)
        settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings(sizeBytes: 5))
        #expect(settings.cacheSettings is MemoryCacheSettings)
        #expect((settings.cacheSettings as? MemoryCacheSettings) != MemoryCacheSettings())
        settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryEagerGCSetting())
        #expect((settings.cacheSettings as? MemoryCacheSettings) != MemoryCacheSettings())
        #expect(MemoryCacheSettings() == MemoryCacheSettings() && MemoryEagerGCSetting() == MemoryEagerGCSetting())
        #expect(MemoryLRUGCSettings() == MemoryLRUGCSettings(sizeBytes: 104_857_600) && MemoryLRUGCSettings() != MemoryLRUGCSettings(sizeBytes: 1))
        #expect(PersistentCacheSettings() == PersistentCacheSettings(sizeBytes: 104_857_600))
        #expect((PersistentCacheSettings().copy() as? PersistentCacheSettings) == PersistentCacheSettings())
        settings.cacheSettings = NoCacheSettings()
        #expect(settings.cacheSettings as? NoCacheSettings == NoCacheSettings() && settings != FirestoreSettings())
        let other = FirestoreSettings()
        other.indexPolicy = .manual
        #expect(other != FirestoreSettings())
    }

    @Test func `an instance gives its cache settings back by value`() async throws {
        let db = Firestore.firestore(app: Scratch.app())
        let caches: [any LocalCacheSettings & NSObjectProtocol] = [
            PersistentCacheSettings(sizeBytes: FirestoreCacheSizeUnlimited as NSNumber), NoCacheSettings(), MemoryCacheSettings(),
            MemoryCacheSettings(garbageCollectorSettings: MemoryEagerGCSetting()),
            MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings(sizeBytes: 5)),
        ]
        for cache in caches {
            let settings = db.settings
            settings.cacheSettings = cache
            db.settings = settings
            #expect(db.settings.cacheSettings.isEqual(cache))
        }
    }

    @Test func `the settings for work offline`() {
        let (settings, other) = (FirestoreSettings(), FirestoreSettings())
        #expect(settings.awaitedWrites == .acknowledgedOrOffline && settings.failedWritePolicy == .keep && settings.offlineAfter == .seconds(10))
        #expect(!settings.cacheIsPerUser && settings.cacheDirectory == nil)
        #expect(settings.serverTimestamps == .none)
        let changes: [(FirestoreSettings) -> Void] = [
            { $0.awaitedWrites = .saved }, { $0.failedWritePolicy = .hold }, { $0.offlineAfter = .zero }, { $0.cacheIsPerUser = true },
            { $0.cacheDirectory = URL(fileURLWithPath: "/caches") }, { $0.serverTimestamps = .estimate },
        ]
        for change in changes {
            change(settings)
            #expect(settings != other && settings.copy() as? FirestoreSettings == settings)
            change(other)
            #expect(settings == other)
        }
    }

    /// Settings the original ends the process for, and a word of the message.
    static var refused: [(word: String, change: (FirestoreSettings) -> Void)] {
        [
            ("cacheSizeBytes", { $0.cacheSizeBytes = 1_048_575 }),
            ("PersistentCacheSettings", { $0.cacheSettings = PersistentCacheSettings(sizeBytes: 0) }),
            ("cacheSettings", { settings in
                settings.isPersistenceEnabled = false
                settings.cacheSettings = MemoryCacheSettings()
            }),
            ("cacheSettings", { settings in
                settings.cacheSizeBytes = 2_000_000
                settings.cacheSettings = PersistentCacheSettings()
            }),
            ("isSSLEnabled", { $0.isSSLEnabled = false }),
            ("offlineAfter", { $0.offlineAfter = .seconds(-1) }),
            ("cacheDirectory", { $0.cacheDirectory = URL(string: "https://example.com/cache") }),
        ]
    }

    @Test(arguments: refused.indices)
    func `settings that contradict each other fail every operation`(index: Int) async {
        let (word, change) = Self.refused[index]
        let db = Firestore.firestore(app: Scratch.app())
        let settings = db.settings
        settings.storage = .memory
        change(settings)
        db.settings = settings
        #expect(isFailure(await failure { try await db.document("a/b").setData([:]) }, .invalidArgument, naming: word))
        #expect(isFailure(await failure { try await db.collection("a").getDocuments() }, .invalidArgument, naming: word))
    }

    @Test func `settings at their limits are fine`() async throws {
        for size in [1_048_576, FirestoreCacheSizeUnlimited] {
            let db = Firestore.firestore(app: Scratch.app())
            let settings = db.settings
            settings.storage = .memory
            settings.cacheSizeBytes = size
            db.settings = settings
            try await db.document("a/b").setData([:])
        }
    }
}
