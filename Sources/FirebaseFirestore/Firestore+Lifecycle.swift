import FirestoreCore
import Foundation

extension Firestore {
    /// Ends all listeners, finishes reads and writes and closes the database, without waiting; a failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func terminate() {
        terminate(completion: nil)
    }

    /// Ends all listeners, finishes reads and writes and closes the database. The next `firestore()` gives a new object.
    ///
    /// May be called again. Reads that have begun are answered (by a server within ten seconds, or they fail); every other
    /// operation of this instance fails with `failedPrecondition` from now on.
    public func terminate(completion: (((any Error)?) -> Void)?) {
        run("terminate()", completion) { await self.shutDown() }
    }

    /// Ends all listeners, finishes reads and writes and closes the database. The next `firestore()` gives a new object.
    public nonisolated(nonsending) func terminate() async throws {
        await shutDown()
    }

    /// Calls back when all writes made so far are acknowledged.
    public func waitForPendingWrites(completion: @escaping ((any Error)?) -> Void) {
        run("waitForPendingWrites()", completion) { try await self.awaitPendingWrites() }
    }

    /// Returns when all writes made so far are acknowledged.
    public nonisolated(nonsending) func waitForPendingWrites() async throws {
        try await awaitPendingWrites()
    }

    /// Accepted for source compatibility: the embedded database needs no network. A failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func enableNetwork() {
        enableNetwork(completion: nil)
    }

    /// Accepted for source compatibility: the embedded database needs no network.
    public func enableNetwork(completion: (((any Error)?) -> Void)?) {
        run("enableNetwork()", completion) { try await self.setNetworkEnabled(true) }
    }

    /// Accepted for source compatibility: the embedded database needs no network.
    public nonisolated(nonsending) func enableNetwork() async throws {
        try await setNetworkEnabled(true)
    }

    /// Accepted for source compatibility: the embedded database needs no network. A failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func disableNetwork() {
        disableNetwork(completion: nil)
    }

    /// Accepted for source compatibility: the embedded database needs no network and is never offline.
    public func disableNetwork(completion: (((any Error)?) -> Void)?) {
        run("disableNetwork()", completion) { try await self.setNetworkEnabled(false) }
    }

    /// Accepted for source compatibility: the embedded database needs no network and is never offline.
    public nonisolated(nonsending) func disableNetwork() async throws {
        try await setNetworkEnabled(false)
    }

    /// Deletes all data of the database, without waiting; a failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func clearPersistence() {
        clearPersistence(completion: nil)
    }

    /// Deletes all data of the database. Only before the first use or after `terminate`.
    ///
    /// The embedded database is no cache: what is deleted here is gone. Of a database on a server nothing is kept here, and
    /// nothing is deleted. Fails with `failedPrecondition` while the database is in use.
    public func clearPersistence(completion: (((any Error)?) -> Void)?) {
        run("clearPersistence()", completion) { try await self.deleteFiles() }
    }

    /// Deletes all data of the database. Only before the first use or after `terminate`.
    public nonisolated(nonsending) func clearPersistence() async throws {
        try await deleteFiles()
    }

    private func awaitPendingWrites() async throws {
        if isTerminated { throw Self.terminated.publicError }
        // Nothing was opened, so nothing was written.
        guard isStarted else { return }
        do {
            try await backend().waitForPendingWrites()
        } catch {
            throw publicForm(of: error)
        }
    }

    private func setNetworkEnabled(_ isEnabled: Bool) async throws {
        if isTerminated { throw Self.terminated.publicError }
        // Nothing is open, so nothing is connected.
        guard isStarted else { return }
        do {
            try await backend().setNetworkEnabled(isEnabled)
        } catch {
            throw publicForm(of: error)
        }
    }

    private func deleteFiles() async throws {
        do throws(FirestoreError) {
            let inUse = FirestoreError(
                .failedPrecondition, "data can only be cleared before the first use or after terminate")
            guard !isStarted else { throw inUse }
            // Of a database on a server nothing is kept here.
            guard !isOverService, let location = try place().location else { return }
            guard !FirestoreRegistry.isOpen(location) else { throw inUse }
            try await deleteEmbedded(location, databaseID: databaseID)
        } catch {
            throw error.publicError
        }
    }

    /// Where the open embedded database lies; nil while none is open.
    var openLocation: DatabaseLocation? {
        guard isStarted, !isOverService else { return nil }
        return try? place().location
    }

    private func place() throws(FirestoreError) -> DatabasePlace {
        try DatabasePlace.find(
            settings: settingsValues, databaseID: databaseID, environment: ProcessInfo.processInfo.environment)
    }

    /// Runs an operation that has no result and reports its end on the callback queue, or its failure in the log.
    func run(
        _ operation: String, _ completion: (((any Error)?) -> Void)?, _ body: @escaping @Sendable () async throws -> Void
    ) {
        let callback = completion.map { UserCallback($0) }
        let queue = callbackQueue
        Task {
            do {
                try await body()
                callback?.call(on: queue, nil)
            } catch {
                guard let callback else {
                    return UnheededFailure.log(UnheededFailure.notice(of: error, calling: operation))
                }
                callback.call(on: queue, publicForm(of: error))
            }
        }
    }
}
