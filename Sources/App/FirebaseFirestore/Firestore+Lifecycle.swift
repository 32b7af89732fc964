// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation

extension Firestore {
    /// Ends all listeners, finishes reads and closes the database, without waiting. A failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func terminate() {
        terminate(completion: nil)
    }

    /// Ends all listeners, finishes reads and closes the database.
    ///
    /// The embedded database, and a database on a server without a cache, finish writes first. With a cache, writes that the
    /// server has not answered stay in its queue and are sent when it is opened again; a cache in memory loses them. Their
    /// completion handlers are not called, and calls that await them throw `cancelled`.
    ///
    /// The next call of `firestore()` returns a new object. Calling this method again has no effect. Reads that have
    /// started are allowed to finish; a read from a server that takes longer than ten seconds fails. Every other
    /// operation of this instance fails with `failedPrecondition` from now on. `completion` is called on the queue of
    /// the settings.
    public func terminate(completion: (((any Error)?) -> Void)?) {
        run("terminate()", completion) { await self.shutDown() }
    }

    /// Ends all listeners, finishes reads and closes the database.
    ///
    /// The embedded database, and a database on a server without a cache, finish writes first. With a cache, writes that the
    /// server has not answered stay in its queue and are sent when it is opened again; a cache in memory loses them. Their
    /// completion handlers are not called, and calls that await them throw `cancelled`.
    ///
    /// The next call of `firestore()` returns a new object. Every later operation of this instance fails with
    /// `failedPrecondition`.
    public nonisolated(nonsending) func terminate() async throws {
        await shutDown()
    }

    /// Calls back when the server has accepted or rejected all writes made so far.
    ///
    /// Called immediately when no write is pending. Writes of earlier runs that are still in the queue of a cache are included:
    /// while offline it waits, however long. After a change of the user it fails with `cancelled`. `completion` is called on
    /// the queue of the settings.
    public func waitForPendingWrites(completion: @escaping ((any Error)?) -> Void) {
        run("waitForPendingWrites()", completion) { try await self.waitForPendingWrites() }
    }

    /// Returns when the server has accepted or rejected all writes made so far, including those of earlier runs.
    public nonisolated(nonsending) func waitForPendingWrites() async throws {
        try await withClient { try await $0.waitForPendingWrites() }
    }

    /// Connects to the server again, without waiting. A failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func enableNetwork() {
        enableNetwork(completion: nil)
    }

    /// Connects to the server again: listeners continue, queued writes are sent.
    ///
    /// The embedded database needs no network, and a database on a server that is used without a cache is always used online:
    /// there it has no effect.
    public func enableNetwork(completion: (((any Error)?) -> Void)?) {
        run("enableNetwork()", completion) { try await self.setNetworkEnabled(true) }
    }

    /// Connects to the server again.
    ///
    /// - Throws: `failedPrecondition` if the instance is terminated.
    public nonisolated(nonsending) func enableNetwork() async throws {
        try await setNetworkEnabled(true)
    }

    /// Disconnects from the server, without waiting. A failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func disableNetwork() {
        disableNetwork(completion: nil)
    }

    /// Disconnects from the server, until the network is enabled again: reads and listeners answer from the cache, writes
    /// wait in the queue.
    ///
    /// The embedded database needs no network, and a database on a server that is used without a cache is always used online:
    /// there it has no effect.
    public func disableNetwork(completion: (((any Error)?) -> Void)?) {
        run("disableNetwork()", completion) { try await self.setNetworkEnabled(false) }
    }

    /// Disconnects from the server.
    ///
    /// - Throws: `failedPrecondition` if the instance is terminated.
    public nonisolated(nonsending) func disableNetwork() async throws {
        try await setNetworkEnabled(false)
    }

    /// Deletes the embedded database, or the cache of a server's, without waiting. A failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func clearPersistence() {
        clearPersistence(completion: nil)
    }

    /// Deletes the embedded database, or the cache of a server's. Call it before the first use or after `terminate`.
    ///
    /// The embedded database is not a cache: the deleted data cannot be restored. With a cache, its queue is deleted, too:
    /// writes that the server has not received are lost. Data on a server is not deleted.
    /// Fails with `failedPrecondition` while the database is in use. `completion` is called on the queue of the
    /// settings.
    public func clearPersistence(completion: (((any Error)?) -> Void)?) {
        run("clearPersistence()", completion) { try await self.clearPersistence() }
    }

    /// Deletes the embedded database, or the cache of a server's. Call it before the first use or after `terminate`.
    ///
    /// The embedded database is not a cache: the deleted data cannot be restored. With a cache, its queue is deleted, too:
    /// writes that the server has not received are lost. Data on a server is not deleted.
    /// Throws `failedPrecondition` while the database is in use.
    public nonisolated(nonsending) func clearPersistence() async throws {
        do throws(FirestoreError) {
            let inUse = FirestoreError(
                .failedPrecondition, "data can only be cleared before the first use or after terminate")
            guard !isStarted else { throw inUse }
            if isOverService { return }
            let place = try place()
            guard let location = place.location else {
                return try deleteCache(place, settings: settingsValues, databaseID: databaseID, app: app)
            }
            guard !FirestoreRegistry.isOpen(location) else { throw inUse }
            try await deleteEmbedded(location, databaseID: databaseID)
        } catch {
            throw error.publicError
        }
    }

    private nonisolated(nonsending) func setNetworkEnabled(_ isEnabled: Bool) async throws {
        try await withClient { try await $0.setNetworkEnabled(isEnabled) }
    }

    /// Does nothing if no client is open: then nothing was written and nothing is connected. A client with a cache is opened: an earlier
    /// run may have left writes in its queue, and it stays offline.
    private nonisolated(nonsending) func withClient(
        _ body: nonisolated(nonsending) (any ClientBackend) async throws -> Void
    ) async throws {
        if isTerminated { throw Self.terminated.publicError }
        do {
            guard try isStarted || isOverService || hasCache() else { return }
            try await body(backend())
        } catch {
            throw publicForm(of: error)
        }
    }

    private func hasCache() throws(FirestoreError) -> Bool {
        if isOverService { return false }
        return try usesCache(try place(), settings: settingsValues, databaseID: databaseID, app: app)
    }

    /// The location of the open embedded database; nil while none is open.
    var openLocation: DatabaseLocation? {
        guard isStarted, !isOverService else { return nil }
        return try? place().location
    }

    private func place() throws(FirestoreError) -> DatabasePlace {
        try DatabasePlace.find(
            settings: settingsValues, databaseID: databaseID, environment: ProcessInfo.processInfo.environment)
    }

    /// Runs an operation that has no result and reports its completion on the callback queue, or its failure in the
    /// log.
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
                    return UnhandledFailure.log(UnhandledFailure.notice(of: error, calling: operation))
                }
                callback.call(on: queue, publicForm(of: error))
            }
        }
    }
}
