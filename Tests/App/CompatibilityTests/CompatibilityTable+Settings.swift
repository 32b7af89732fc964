// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseFirestore
import Foundation
import ModeSupport

extension CompatibilityTable {
    /// api.md 3.1.
    static func firestoreSettings() -> CompatibilitySection {
        var section = CompatibilitySection("3.1", "FirestoreSettings")
        section.row(.core, "init()") { _ in
            let settings = FirestoreSettings()
            return settings.host == "firestore.googleapis.com" && settings.isSSLEnabled && settings.isPersistenceEnabled && settings.cacheSizeBytes == 104_857_600
        }
        section.row(.core, "var host: String { get set }", differs: "the default does not name a server: embedded, or as credentials or the environment select") { _ in
            let settings = FirestoreSettings()
            settings.host = "localhost:8080"
            return settings.host == "localhost:8080"
        }
        section.row(.core, "var isSSLEnabled: Bool { get set }", differs: "the embedded database makes no connections") { _ in
            let settings = FirestoreSettings()
            settings.isSSLEnabled = false
            return !settings.isSSLEnabled
        }
        section.row(.full, "var dispatchQueue: DispatchQueue { get set }") { _ in
            let queue = DispatchQueue(label: "hearth.compatibility")
            let key = DispatchSpecificKey<Bool>()
            queue.setSpecific(key: key, value: true)
            let db = Scratch.firestore(callbacks: queue)
            let isOnQueue: Bool = await completion { done in
                db.document("a/b").getDocument { _, _ in done(DispatchQueue.getSpecific(key: key) == true) }
            }
            return isOnQueue && db.settings.dispatchQueue === queue
        }
        section.row(.core, "var isPersistenceEnabled: Bool { get set }") { _ in
            let db = Firestore.firestore(app: Scratch.app())
            let settings = db.settings
            settings.isPersistenceEnabled = false
            settings.dispatchQueue = DispatchQueue(label: "hearth.compatibility")
            db.settings = settings
            try await db.document("a/b").setData(["n": 1])
            let stored = try await db.document("a/b").getDocument()
            return stored.exists && db.persistentCacheIndexManager == nil
        }
        section.row(.full, "var cacheSizeBytes: Int64 { get set }", differs: "for a cache only: the embedded database drops nothing") { _ in
            let settings = FirestoreSettings()
            settings.cacheSizeBytes = FirestoreCacheSizeUnlimited
            return settings.cacheSizeBytes == -1
        }
        section.row(
            .full,
            "var cacheSettings: LocalCacheSettings & NSObjectProtocol { get set }",
            differs: "unset, the credentials decide whether there is a cache; embedded, `MemoryCacheSettings` means data in memory"
        ) { _ in
            let settings = FirestoreSettings()
            let unset: any LocalCacheSettings & NSObjectProtocol = settings.cacheSettings
            settings.cacheSettings = MemoryCacheSettings()
            return unset is PersistentCacheSettings && settings.cacheSettings is MemoryCacheSettings
        }
        return section
    }

    /// api.md 3.2.
    static func cacheSettings() -> CompatibilitySection {
        var section = CompatibilitySection("3.2", "Cache settings")
        section.row(.full, "protocol LocalCacheSettings") { _ in
            let kinds: [any LocalCacheSettings & NSObjectProtocol] = [PersistentCacheSettings(), MemoryCacheSettings()]
            return kinds.count == 2
        }
        section.row(.full, "class PersistentCacheSettings : NSObject, NSCopying, LocalCacheSettings — init()") { _ in
            let settings: any NSObject & NSCopying & LocalCacheSettings = PersistentCacheSettings()
            return settings.isEqual(settings.copy())
        }
        section.row(.full, "PersistentCacheSettings.init(sizeBytes size: NSNumber)", differs: "for a cache only: the embedded database drops nothing") { _ in
            PersistentCacheSettings(sizeBytes: -1) != PersistentCacheSettings()
        }
        section.row(.full, "class MemoryCacheSettings : NSObject, NSCopying, LocalCacheSettings — init()") { _ in
            let settings: any NSObject & NSCopying & LocalCacheSettings = MemoryCacheSettings()
            return settings.isEqual(settings.copy())
        }
        section.row(
            .full,
            "MemoryCacheSettings.init(garbageCollectorSettings settings: MemoryGarbageCollectorSettings & NSObjectProtocol)",
            differs: "for a cache only: an embedded database in memory keeps everything until it is terminated"
        ) { _ in
            MemoryCacheSettings(garbageCollectorSettings: MemoryEagerGCSetting()) != MemoryCacheSettings()
                && MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings()) == MemoryCacheSettings()
        }
        section.row(.full, "protocol MemoryGarbageCollectorSettings") { _ in
            let kinds: [any MemoryGarbageCollectorSettings & NSObjectProtocol] = [MemoryEagerGCSetting(), MemoryLRUGCSettings()]
            return kinds.count == 2
        }
        section.row(.full, "class MemoryEagerGCSetting : NSObject, NSCopying, MemoryGarbageCollectorSettings — init()", differs: "for a cache only: the embedded database drops nothing") { _ in
            let settings: any NSObject & NSCopying & MemoryGarbageCollectorSettings = MemoryEagerGCSetting()
            return settings.isEqual(settings.copy())
        }
        section.row(.full, "class MemoryLRUGCSettings : NSObject, NSCopying, MemoryGarbageCollectorSettings — init()", differs: "for a cache only: the embedded database drops nothing") { _ in
            let settings: any NSObject & NSCopying & MemoryGarbageCollectorSettings = MemoryLRUGCSettings()
            return settings.isEqual(settings.copy())
        }
        section.row(.full, "MemoryLRUGCSettings.init(sizeBytes size: NSNumber)", differs: "for a cache only: the embedded database drops nothing") { _ in
            MemoryLRUGCSettings(sizeBytes: 5) != MemoryLRUGCSettings()
        }
        return section
    }
}
