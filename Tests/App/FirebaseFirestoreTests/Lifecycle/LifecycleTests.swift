// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// Terminating, clearing, waiting, the network switch, and settings over a lifetime.
@Suite struct LifecycleTests {
    func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("hearth-\(UUID().uuidString)")
            .appendingPathComponent("database.sqlite")
    }

    func open(_ file: URL, app: FirebaseApp) -> Firestore {
        let db = Firestore.firestore(app: app)
        let settings = db.settings
        settings.storage = .file(file)
        settings.durability = .relaxed
        settings.dispatchQueue = DispatchQueue(label: "hearth.tests.lifecycle")
        db.settings = settings
        return db
    }

    @Test(.only(.files)) func `data in a file outlives the instance, until it is cleared`() async throws {
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let app = Scratch.app()
        let first = open(file, app: app)
        try await first.document("a/b").setData(["n": 1])
        #expect(isFailure(await failure { try await first.clearPersistence() }, .failedPrecondition))
        try await first.terminate()
        try await first.terminate()
        let second = open(file, app: app)
        #expect(second !== first)
        #expect(try await second.document("a/b").getDocument()["n"] as? Int == 1)
        try await second.terminate()
        let cleared: (any Error)? = await completion { done in second.clearPersistence { done($0) } }
        #expect(cleared == nil)
        let third = open(file, app: app)
        #expect(try await third.document("a/b").getDocument().exists == false)
        try await third.terminate()
    }

    @Test func `after terminate everything fails and registrations can still be removed`() async throws {
        let db = Scratch.firestore()
        let told = Collector<String>()
        let registration = db.collection("a").addSnapshotListener { snapshot, error in
            told.append(error == nil ? "snapshot" : "error")
        }
        _ = await told.first(1)
        let error: (any Error)? = await completion { done in db.terminate { done($0) } }
        #expect(error == nil)
        registration.remove()
        let document = db.document("a/b")
        #expect(isFailure(await failure { try await document.getDocument() }, .failedPrecondition))
        #expect(isFailure(await failure { try await document.setData([:]) }, .failedPrecondition))
        #expect(isFailure(await failure { try await db.collection("a").getDocuments() }, .failedPrecondition))
        #expect(isFailure(await failure { try await db.batch().commit() }, .failedPrecondition))
        #expect(isFailure(await failure { try await db.waitForPendingWrites() }, .failedPrecondition))
        #expect(isFailure(await failure { try await db.enableNetwork() }, .failedPrecondition))
        #expect(isFailure(await failure { try await db.runTransaction { _, _ in 1 } }, .failedPrecondition))
    }

    @Test func `a read begun before terminate is answered`() async throws {
        let first = Scratch.firestore()
        try await first.document("a/b").setData(["n": 1])
        let told = Collector<Bool>()
        for _ in 0..<40 {
            first.document("a/b").getDocument { snapshot, _ in told.append(snapshot?["n"] as? Int == 1) }
            first.collection("a").getDocuments { snapshot, _ in told.append(snapshot?.count == 1) }
            first.collection("a").count.getAggregation(source: .server) { snapshot, _ in told.append(snapshot?.count == 1) }
        }
        let terminated: (any Error)? = await completion { done in first.terminate { done($0) } }
        #expect(terminated == nil)
        #expect(await told.first(120).allSatisfy { $0 })
        // Also the read that opens the database.
        let second = Scratch.firestore()
        second.document("a/b").getDocument { snapshot, _ in told.append(snapshot?.exists == false) }
        try await second.terminate()
        #expect(await told.first(121).allSatisfy { $0 })
        #expect(isFailure(await failure { try await second.document("a/b").getDocument() }, .failedPrecondition))
        let late: (any Error)? = await completion { done in second.document("a/b").getDocument { _, error in done(error) } }
        #expect(isFailure(late, .failedPrecondition, naming: "terminated"))
    }

    @Test(.only(.instances)) func `deleting an app terminates its databases`() async throws {
        let app = Scratch.app()
        let db = Scratch.firestore(of: app)
        try await db.document("a/b").setData([:])
        #expect(await app.delete())
        #expect(isFailure(await failure { try await db.document("a/b").getDocument() }, .failedPrecondition))
    }

    @Test func `without a server waiting for writes and switching the network succeed`() async throws {
        let db = Scratch.firestore()
        let calls: [(any Error)?] = await [
            completion { done in db.waitForPendingWrites { done($0) } },
            completion { done in db.disableNetwork { done($0) } },
            completion { done in db.enableNetwork { done($0) } },
        ]
        #expect(calls.allSatisfy { $0 == nil })
        func write() { for number in 0..<20 { db.document("a/\(number)").setData(["n": number]) } }
        write()
        try await db.waitForPendingWrites()
        #expect(try await db.collection("a").getDocuments().count == 20)
    }

    #if Remote
        @Test func `at a server there is an index manager unless the settings select a cache in memory, or none`() throws {
            func database(_ cache: (any LocalCacheSettings & NSObjectProtocol)?) -> Firestore {
                let db = Firestore.firestore(app: Scratch.app())
                db.useEmulator(withHost: "127.0.0.1", port: 1)
                let settings = db.settings
                settings.cacheDirectory = ScratchCaches.directory
                if let cache { settings.cacheSettings = cache }
                db.settings = settings
                return db
            }
            for cache in [PersistentCacheSettings(), nil] {
                let db = database(cache)
                let manager = try #require(db.persistentCacheIndexManager)
                #expect(manager === db.persistentCacheIndexManager)
                manager.enableIndexAutoCreation()
            }
            #expect(database(MemoryCacheSettings()).persistentCacheIndexManager == nil)
            #expect(database(NoCacheSettings()).persistentCacheIndexManager == nil)
        }

        @Test func `with a host where no server listens and without a cache every operation reports it`() async {
            let db = Firestore.firestore(app: Scratch.app())
            db.useEmulator(withHost: "127.0.0.1", port: 1)
            let settings = db.settings
            settings.cacheSettings = NoCacheSettings()
            db.settings = settings
            #expect(db.settings.host == "127.0.0.1:1")
            #expect(!db.settings.isSSLEnabled)
            let error = await failure { try await db.document("a/b").setData([:]) }
            #expect(isFailure(error, .unavailable, naming: "127.0.0.1:1"))
            #expect(isFailure(await failure { try await db.collection("a").getDocuments() }, .unavailable))
        }
    #endif

    @Test(.only(.files)) func `a file that cannot be opened fails every operation`() async {
        let db = Firestore.firestore(app: Scratch.app())
        let settings = FirestoreSettings()
        settings.storage = .file(URL(fileURLWithPath: "/proc/no/such/place.sqlite"))
        db.settings = settings
        let error = await failure { try await db.document("a/b").setData([:]) }
        #expect(error is FirestoreErrorCode)
    }

    @Test func `settings are copies and equal by value`() {
        let db = Firestore.firestore(app: Scratch.app())
        let settings = db.settings
        settings.host = "changed"
        #expect(db.settings.host == "firestore.googleapis.com")
        let (left, right) = (FirestoreSettings(), FirestoreSettings())
        #expect(left == right && left.hash == right.hash)
        #expect(left.isSSLEnabled && left.isPersistenceEnabled && left.dispatchQueue.label == DispatchQueue.main.label)
        #expect(left.cacheSizeBytes == 104_857_600)
        right.cacheSizeBytes = FirestoreCacheSizeUnlimited
        #expect(left != right)
        left.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings(sizeBytes: 5))
        #expect(left.cacheSettings is MemoryCacheSettings)
        #expect((left.copy() as? FirestoreSettings)?.cacheSettings is MemoryCacheSettings)
        #expect(PersistentCacheSettings(sizeBytes: -1) != PersistentCacheSettings())
        #expect(MemoryCacheSettings() == MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings()))
    }
}

extension LifecycleTests {
    @Test(.only(.files)) func `a file that another instance has open is not cleared`() async throws {
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let first = open(file, app: Scratch.app(project: "demo-shared"))
        try await first.document("a/b").setData(["n": 1])
        let second = open(file, app: Scratch.app(project: "demo-shared"))
        #expect(isFailure(await failure { try await second.clearPersistence() }, .failedPrecondition))
        #expect(try await first.document("a/b").getDocument().exists)
        try await first.terminate()
        try await second.clearPersistence()
    }
}
