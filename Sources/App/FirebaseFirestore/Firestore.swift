// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
package import FirestoreCore
import FirestoreClient
public import Foundation

/// A database: the entry point for references, queries, batches and transactions.
///
/// ```swift
/// let db = Firestore.firestore()
/// try await db.collection("cities").document("SF").setData(["name": "San Francisco"])
/// ```
/// Without configuration this is the embedded database of the process: a file in the user's application-support
/// directory, opened at the first read or write. Its location is logged once. `settings` and the environment select
/// another database: a server (`useEmulator`, `settings.host`, `FIRESTORE_EMULATOR_HOST`), or Google's service
/// (`settings.credentials`, `GOOGLE_APPLICATION_CREDENTIALS`).
///
/// All methods may be called from any thread. Completion handlers and listeners are called on `settings.dispatchQueue`;
/// `async` methods resume in the isolation of their caller.
///
/// The embedded database is its own authority: it is never offline, and a write is acknowledged when it is durable. A
/// database on a server is used with a cache, unless the credentials are an administrator's or the settings say otherwise:
/// reads, listeners and writes work offline, and writes wait in a queue (``pendingWrites``, ``failedWrites``). Without a
/// cache, operations that cannot reach the server fail with `unavailable`, reads after a few attempts. Listeners
/// reconnect automatically.
public final class Firestore: NSObject, Sendable {
    private struct State {
        var settings = SettingsValues()
        var databaseID: DatabaseID
        var backend: (any ClientBackend)?
        var isTerminated = false
    }

    /// The app the database belongs to.
    public let app: FirebaseApp
    private let openBackend: Composition
    /// Whether the instance uses a service that its creator opened.
    let isOverService: Bool
    private let state: Mutex<State>
    /// The loading of the latest bundle, which waits for the bundles before it.
    let bundleLoads = Mutex<Task<Void, Never>?>(nil)
    let indexManager = Mutex<PersistentCacheIndexManager?>(nil)
    /// For awaited writes that return when the client is offline.
    let offlineObservation = OfflineObservation()
    /// Orders calls that read, change and write the same document.
    let documentLines = DocumentLines()
    /// Orders transactions that conflict with each other.
    let transactionTurns = TransactionTurns()
    /// The user for whom the rules of an embedded database decide.
    private let currentUser: CurrentUser
    /// What is called for changes of documents.
    let eventHandlers = EventHandlers()
    /// Results that are read page by page: `terminate` ends them.
    let openResults = OpenResults()
    /// The reads in flight: `terminate` lets them finish.
    let reads = OperationsInFlight()

    init(app: FirebaseApp, databaseID: DatabaseID, isOverService: Bool = false, composition: @escaping Composition) {
        self.app = app
        openBackend = composition
        self.isOverService = isOverService
        currentUser = CurrentUser(of: app)
        state = Mutex(State(databaseID: databaseID))
        super.init()
        notePlace(SettingsValues())
    }

    /// The default database of the default app; the same object until it is terminated.
    ///
    /// Works without `FirebaseApp.configure()`, using the options `configure()` would load.
    public class func firestore() -> Firestore {
        FirestoreRegistry.instance(app: .defaultOrImplicit(), database: DatabaseID.defaultDatabase)
    }

    /// The default database of an app.
    public class func firestore(app: FirebaseApp) -> Firestore {
        FirestoreRegistry.instance(app: app, database: DatabaseID.defaultDatabase)
    }

    /// A named database of the default app.
    public class func firestore(database: String) -> Firestore {
        FirestoreRegistry.instance(app: .defaultOrImplicit(), database: database)
    }

    /// A named database of an app.
    public class func firestore(app: FirebaseApp, database: String) -> Firestore {
        FirestoreRegistry.instance(app: app, database: database)
    }

    /// A copy of the settings. Assign it back to change them.
    ///
    /// Assigning different settings after the first read or write is a programming error: the process crashes with a
    /// message. Only ``FirestoreSettings/user`` may change at any time.
    public var settings: FirestoreSettings {
        get {
            let settings = FirestoreSettings()
            settings.values = state.withLock { $0.settings }
            return settings
        }
        set {
            let values = newValue.values
            let databaseID = Self.databaseID(app, self.databaseID.databaseID, values)
            notePlace(values)
            let isLate = state.withLock { state in
                if state.settings == values { return false }
                var sameUser = values
                sameUser.user = state.settings.user
                if state.backend != nil, state.settings != sameUser { return true }
                state.settings = values
                state.databaseID = databaseID
                return false
            }
            if isLate {
                endForMisuse(
                    "the settings of Firestore can only be changed before its first read or write; set them at launch")
            }
            currentUser.change(to: values.user)
        }
    }

    /// Sets `settings.host` and turns `settings.isSSLEnabled` off, because emulators do not use TLS.
    ///
    /// Works with `hearth serve` and with Google's emulator. Calls are the signed-in user's, or have no credentials:
    /// where security rules are in effect, they decide. `settings.credentials = .emulatorOwner` gives the rights of the
    /// emulator's administrator, whom rules do not restrict. No connection is made before the first read or write.
    public func useEmulator(withHost host: String, port: Int) {
        let settings = self.settings
        settings.host = "\(host):\(port)"
        settings.isSSLEnabled = false
        self.settings = settings
    }

    /// Sets the log level to debug (`true`) or notice (`false`).
    public class func enableLogging(_ logging: Bool) {
        FirebaseConfiguration.shared.setLoggerLevel(logging ? .debug : .notice)
    }

    /// Project and database.
    public override var description: String {
        "<Firestore: project=\(databaseID.projectID) database=\(databaseID.databaseID)>"
    }
}

extension Firestore {
    /// Project and database. If the app does not name a project, a key file in the settings may.
    package var databaseID: DatabaseID { state.withLock { $0.databaseID } }

    static func databaseID(_ app: FirebaseApp, _ database: String, _ settings: SettingsValues) -> DatabaseID {
        let project = projectID(
            named: app.namedProjectID, settings: settings, environment: ProcessInfo.processInfo.environment,
            fallback: app.projectID)
        return DatabaseID(projectID: project, databaseID: database)
    }

    /// The queue of completion handlers and listeners.
    var callbackQueue: DispatchQueue { state.withLock { $0.settings.dispatchQueue } }

    /// The backend of this instance, opened at the first call.
    ///
    /// `isAdmitted`: the operation started before `terminate` was called.
    package func backend(isAdmitted: Bool = false) throws(FirestoreError) -> any ClientBackend {
        let outcome: Result<any ClientBackend, FirestoreError> = state.withLock { state in
            if state.isTerminated, !isAdmitted { return .failure(Self.terminated) }
            if let backend = state.backend { return .success(backend) }
            // Under the lock, so that two concurrent first calls do not open the file twice.
            return Result { () throws(FirestoreError) in
                var settings = state.settings
                settings.currentUser = currentUser
                settings.engineConflictHandler = settings.fallbackConflictHandler.map { conflictHandler($0) }
                let backend = try openBackend(settings, state.databaseID, app)
                state.backend = backend
                return backend
            }
        }
        return try outcome.get()
    }

    static let terminated = FirestoreError(
        .failedPrecondition, "this Firestore instance is terminated; Firestore.firestore() gives a new one")

    var isStarted: Bool { state.withLock { $0.backend != nil && !$0.isTerminated } }
    var isTerminated: Bool { state.withLock { $0.isTerminated } }
    var settingsValues: SettingsValues { state.withLock { $0.settings } }

    /// How long `terminate` waits for the answers of a server. An embedded database always answers.
    private static let patience = Duration.seconds(10)

    func shutDown() async {
        FirestoreRegistry.forget(self)
        let running = state.withLock { state in
            state.isTerminated = true
            return state.backend
        }
        running?.endListeners()
        openResults.endAll(Self.terminated)
        await eventHandlers.end()
        // Requests that the server has not answered by then fail, which ends the wait.
        let limit = running.flatMap { running in
            !running.isShared
                ? nil
                : Task {
                    try await Task.sleep(for: Self.patience)
                    await running.terminate()
                }
        }
        await reads.wait()
        limit?.cancel()
        _ = await limit?.result
        let backend = state.withLock { $0.backend.take() }
        await backend?.terminate()
        currentUser.detach()
        offlineObservation.end()
        indexManager.withLock { $0 = nil }
    }
}
