// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import TestSupport

extension CompatibilityTable {
    /// api.md 2.
    static func firestore() -> CompatibilitySection {
        var section = CompatibilitySection("2", "Firestore")
        section.row(
            .core,
            "class func firestore() -> Self",
            differs: "also works without `FirebaseApp.configure()`; the database is a file of the user unless settings or environment select another"
        ) { _ in
            try await OwnProcess.opensTheDefaultDatabase()
            return true
        }
        section.row(.full, "class func firestore(app: FirebaseApp) -> Self") { _ in
            let app = Scratch.app()
            let db: Firestore = Firestore.firestore(app: app)
            return db === Firestore.firestore(app: app) && db !== Firestore.firestore(app: Scratch.app())
        }
        section.row(.full, "class func firestore(database: String) -> Self") { _ in
            try await OwnProcess.opensTheDefaultDatabase()
            return true
        }
        section.row(.full, "class func firestore(app: FirebaseApp, database: String) -> Self") { _ in
            let app = Scratch.app()
            let main = Firestore.firestore(app: app)
            let named: Firestore = Firestore.firestore(app: app, database: "compatibility")
            let again = Firestore.firestore(app: app, database: "compatibility")
            return named === again && named !== main && Firestore.firestore(app: app, database: "(default)") === main
        }
        section.row(.core, "var settings: FirestoreSettings { get set }") { _ in
            let db = Scratch.firestore()
            let settings: FirestoreSettings = db.settings
            settings.cacheSizeBytes = FirestoreCacheSizeUnlimited
            let unchanged = db.settings.cacheSizeBytes
            db.settings = settings
            return unchanged == 104_857_600 && db.settings.cacheSizeBytes == -1
        }
        section.row(.full, "var app: FirebaseApp { get }") { _ in
            let known = Scratch.app()
            let app: FirebaseApp = Firestore.firestore(app: known).app
            return app === known
        }
        section.row(.full, "var persistentCacheIndexManager: PersistentCacheIndexManager? { get }", differs: "manages the indexes of the embedded database", only: .indexes) { here in
            let manager: PersistentCacheIndexManager? = here.db.persistentCacheIndexManager
            let inMemory = Scratch.firestore()
            let settings = inMemory.settings
            settings.cacheSettings = MemoryCacheSettings()
            inMemory.settings = settings
            return manager != nil && manager === here.db.persistentCacheIndexManager && inMemory.persistentCacheIndexManager == nil
        }
        section.row(
            .full,
            "func setIndexConfiguration(_ json: String, completion: ((Error?) -> Void)? = nil)",
            "func setIndexConfiguration(_ json: String) async throws",
            "func setIndexConfiguration(_ stream: InputStream, completion: ((Error?) -> Void)? = nil)",
            "func setIndexConfiguration(_ stream: InputStream) async throws",
            differs: "makes these the configured indexes of the embedded database", only: .indexes
        ) { _ in
            let json = #"{"indexes":[{"collectionGroup":"letters","queryScope":"COLLECTION","fields":[{"fieldPath":"n","order":"ASCENDING"},{"fieldPath":"m","order":"ASCENDING"}]}]}"#
            let db = Scratch.firestore()
            let errors = [
                await told { db.setIndexConfiguration(json, completion: $0) },
                await told { db.setIndexConfiguration(InputStream(data: Data(json.utf8)), completion: $0) },
            ]
            try await db.setIndexConfiguration(json)
            try await db.setIndexConfiguration(InputStream(data: Data(json.utf8)))
            let configured = try await db.indexConfiguration()
            let malformed = await failure { try await db.setIndexConfiguration("{") }
            return errors.allSatisfy { $0 == nil } && configured.contains("\"letters\"") && isFailure(malformed, .invalidArgument)
        }
        section.row(.core, "func collection(_ collectionPath: String) -> CollectionReference") { here in
            let collection: CollectionReference = here.db.collection("a/b/c")
            let bad = await failure { try await here.db.collection("a/b").getDocuments() }
            return collection.path == "a/b/c" && isFailure(bad, .invalidArgument)
        }
        section.row(.core, "func document(_ documentPath: String) -> DocumentReference") { here in
            let document: DocumentReference = here.db.document("a/b")
            let bad = await failure { try await here.db.document("a").getDocument() }
            return document.path == "a/b" && isFailure(bad, .invalidArgument)
        }
        section.row(.full, "func collectionGroup(_ collectionID: String) -> Query") { here in
            let group: Query = here.db.collectionGroup("letters")
            return try await here.finds("abc", group)
        }
        section.row(.core, "func runTransaction(_ updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?, completion: @escaping (Any?, Error?) -> Void)") { here in
            let ref = try await here.fresh(["n": 1])
            let value: Int? = await completion { done in
                here.db.runTransaction({ transaction, errorPointer in
                    do {
                        let n = try transaction.getDocument(ref)["n"] as? Int ?? 0
                        transaction.setData(["n": n + 1], forDocument: ref)
                        return n + 1
                    } catch {
                        errorPointer?.pointee = error as NSError
                        return nil
                    }
                }, completion: { value, _ in done(value as? Int) })
            }
            let stored = try await here.numbers(ref)
            return value == 2 && stored == ["n": 2]
        }
        section.row(.core, "func runTransaction(_ updateBlock: @escaping (Transaction, NSErrorPointer) -> sending Any?) async throws -> sending Any?") { here in
            let ref = here.fresh()
            let value: Any? = try await here.db.runTransaction { transaction, _ in
                transaction.setData(["n": 1], forDocument: ref)
                return "done"
            }
            let reported = await failure {
                try await here.db.runTransaction { _, errorPointer in
                    errorPointer?.pointee = NSError(domain: "app", code: 7)
                    return nil
                }
            }
            let stored = try await here.numbers(ref)
            return value as? String == "done" && stored == ["n": 1] && (reported as NSError?)?.code == 7
        }
        section.row(
            .full,
            "func runTransaction(with options: TransactionOptions?, block updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?, completion: @escaping (Any?, Error?) -> Void)"
        ) { here in
            let attempts = Mutex(0)
            let options = TransactionOptions()
            options.maxAttempts = 1
            let error: (any Error)? = await completion { done in
                here.db.runTransaction(with: options, block: { _, errorPointer in
                    attempts.withLock { $0 += 1 }
                    errorPointer?.pointee = FirestoreErrorCode(.aborted) as NSError
                    return nil
                }, completion: { _, error in done(error) })
            }
            return attempts.withLock { $0 } == 1 && isFailure(error, .aborted)
        }
        section.row(.core, "func batch() -> WriteBatch") { here in
            let batch: WriteBatch = here.db.batch()
            try await batch.commit()
            return batch !== here.db.batch()
        }
        section.row(.full, "class func enableLogging(_ logging: Bool)") { _ in
            try await OwnProcess.setsTheLoggerLevel()
            return true
        }
        section.row(
            .core,
            "func useEmulator(withHost host: String, port: Int)",
            differs: "also sets `isSSLEnabled` to false, because emulators do not use TLS"
        ) { _ in
            let db = Firestore.firestore(app: Scratch.app())
            db.useEmulator(withHost: "127.0.0.1", port: 1)
            let settings = db.settings
            settings.cacheDirectory = ScratchCaches.directory
            db.settings = settings
            let error = await failure { try await db.document("a/b").getDocument() }
            #if Remote
                let code = FirestoreErrorCode.unavailable
            #else
                // Built without the network layer.
                let code = FirestoreErrorCode.unimplemented
            #endif
            return db.settings.host == "127.0.0.1:1" && isFailure(error, code)
        }
        section.row(
            .full,
            "func enableNetwork(completion: ((Error?) -> Void)? = nil)",
            "func enableNetwork() async throws",
            differs: "embedded, there is no network to connect to"
        ) { here in
            try await here.db.enableNetwork()
            return await told { here.db.enableNetwork(completion: $0) } == nil
        }
        section.row(
            .full,
            "func disableNetwork(completion: ((Error?) -> Void)? = nil)",
            "func disableNetwork() async throws",
            differs: "embedded, the database is in the process and never offline"
        ) { here in
            try await here.db.disableNetwork()
            guard Mode.can(.oneAuthority) else {
                let error = await failure { try await here.letters.document("a").getDocument(source: .server) }
                try await here.db.enableNetwork()
                return isFailure(error, .unavailable)
            }
            let snapshot = try await here.letters.document("a").getDocument(source: .server)
            return await told { here.db.disableNetwork(completion: $0) } == nil && snapshot.exists
        }
        section.row(
            .full,
            "func clearPersistence(completion: ((Error?) -> Void)? = nil)",
            "func clearPersistence() async throws",
            differs: "embedded, deletes the database itself, which is not a cache"
        ) { here in
            let db = Scratch.firestore()
            try await db.clearPersistence()
            let error = await told { db.clearPersistence(completion: $0) }
            let whileRunning = await failure { try await here.db.clearPersistence() }
            return error == nil && isFailure(whileRunning, .failedPrecondition)
        }
        section.row(.full, "func waitForPendingWrites(completion: @escaping (Error?) -> Void)", "func waitForPendingWrites() async throws") { here in
            let ref = here.fresh()
            synchronously { ref.setData(["n": 1]) }
            try await here.db.waitForPendingWrites()
            return await told { here.db.waitForPendingWrites(completion: $0) } == nil
        }
        section.row(.full, "func addSnapshotsInSyncListener(_ listener: @escaping () -> Void) -> ListenerRegistration") { here in
            let calls = Collector<Bool>()
            let registration: any ListenerRegistration = here.db.addSnapshotsInSyncListener { calls.append(true) }
            defer { registration.remove() }
            return await calls.first(1) == [true]
        }
        section.row(.full, "func terminate(completion: ((Error?) -> Void)? = nil)", "func terminate() async throws") { _ in
            let db = Scratch.firestore()
            try await db.document("a/b").setData([:])
            try await db.terminate()
            let again = await told { db.terminate(completion: $0) }
            let later = await failure { try await db.document("a/b").getDocument() }
            return again == nil && isFailure(later, .failedPrecondition) && Firestore.firestore(app: db.app) !== db
        }
        section.row(
            .full,
            "func loadBundle(_ bundleData: Data) -> LoadBundleTask",
            "func loadBundle(_ bundleStream: InputStream) -> LoadBundleTask",
            differs: "embedded, documents are stored in the database; changes that the app made after the bundle's time are kept", only: .bundles
        ) { here in
            let (data, other) = (here.bundle(), here.bundle())
            let start: (Data) -> LoadBundleTask = { here.db.loadBundle($0) }
            let startStream: (InputStream) -> LoadBundleTask = { here.db.loadBundle($0) }
            let states = [await here.lastState(of: start(data)), await here.lastState(of: startStream(InputStream(data: other)))]
            return states == [.success, .success]
        }
        section.row(
            .full,
            "func loadBundle(_ bundleData: Data, completion: ((LoadBundleTaskProgress?, Error?) -> Void)? = nil) -> LoadBundleTask",
            "func loadBundle(_ bundleStream: InputStream, completion: ((LoadBundleTaskProgress?, Error?) -> Void)? = nil) -> LoadBundleTask",
            differs: "embedded, documents are stored in the database; changes that the app made after the bundle's time are kept", only: .bundles
        ) { here in
            let (data, other) = (here.bundle(), here.bundle())
            let progress: LoadBundleTaskProgress? = await completion { done in
                here.db.loadBundle(data) { progress, error in done(error == nil ? progress : nil) }
            }
            let streamed: LoadBundleTaskProgress? = await completion { done in
                here.db.loadBundle(InputStream(data: other)) { progress, error in done(error == nil ? progress : nil) }
            }
            let refused: (LoadBundleTaskProgress?, (any Error)?) = await completion { done in
                here.db.loadBundle(Data("nothing".utf8)) { done(($0, $1)) }
            }
            return progress?.state == .success && streamed?.state == .success && refused.0?.state == .error && isFailure(refused.1, .unknown)
        }
        section.row(
            .full,
            "func loadBundle(_ bundleData: Data) async throws -> LoadBundleTaskProgress",
            "func loadBundle(_ bundleStream: InputStream) async throws -> LoadBundleTaskProgress",
            differs: "embedded, documents are stored in the database; changes that the app made after the bundle's time are kept", only: .bundles
        ) { here in
            let progress: LoadBundleTaskProgress = try await here.db.loadBundle(here.bundle())
            let streamed = try await here.db.loadBundle(InputStream(data: here.bundle()))
            let snapshot = try await here.db.document("bundled/a").getDocument(source: Mode.current == .embedded ? .default : .cache)
            return progress.state == .success && streamed.state == .success && snapshot["n"] as? Int == 1
        }
        section.row(.full, "func getQuery(named name: String, completion: @escaping (Query?) -> Void)", "func getQuery(named name: String) async -> Query?", only: .bundles) { here in
            try await here.db.loadBundle(here.bundle())
            let query: Query? = await here.db.getQuery(named: "bundled")
            let again: Query? = await completion { here.db.getQuery(named: "bundled", completion: $0) }
            let unknown = await here.db.getQuery(named: "unknown")
            return query == here.db.collection("bundled").whereField("n", isEqualTo: 1) && query == again && unknown == nil
        }
        section.row(.full, "let FirestoreCacheSizeUnlimited: Int64") { _ in
            let size: Int64 = FirestoreCacheSizeUnlimited
            return size == -1
        }
        section.row(.core, "let FirestoreErrorDomain: String") { _ in
            let domain: String = FirestoreErrorDomain
            return domain == "FIRFirestoreErrorDomain"
        }
        return section
    }
}
