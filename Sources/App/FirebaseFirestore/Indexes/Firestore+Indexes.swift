// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

extension Firestore {
    /// Controls whether the database creates indexes automatically; nil if `settings` select a cache in memory, or none at a server.
    ///
    /// Returns the same object at each call. Reading the property opens the database. A database in memory that
    /// `settings.storage = .memory` selects has indexes, too. The indexes of a database on a server are managed there: the methods
    /// log that they have no effect. Its cache creates the indexes it needs by itself, as far as `settings.indexPolicy` allows; the
    /// manager does not control them. Once the instance is terminated, the methods log that they fail.
    public var persistentCacheIndexManager: PersistentCacheIndexManager? {
        let settings = settingsValues
        guard settings.cachesOnDisk else { return nil }
        if !isTerminated {
            let backend = try? backend()
            if settings.cache == .off, backend?.indexAdministration == nil { return nil }
        }
        return indexManager.withLock { manager in
            if let manager { return manager }
            let made = PersistentCacheIndexManager { [weak self] () throws(FirestoreError) in
                guard let self else { throw Self.terminated }
                return try self.indexes()
            }
            manager = made
            return made
        }
    }

    /// Replaces the configured indexes by those of a `firestore.indexes.json`, without waiting. A failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func setIndexConfiguration(_ json: String) {
        setIndexConfiguration(json, completion: nil)
    }

    /// Replaces the configured indexes by those of a `firestore.indexes.json`.
    ///
    /// Missing indexes are built on the live database, without stopping writes; configured indexes that are not in the
    /// text are removed. Documents expire by the fields that have `"ttl": true`, and by no others (see
    /// ``setTimeToLive(on:field:offset:)-(_,String,_)``). `completion` is called on the queue of the settings when the change is
    /// recorded; building continues in the background (see ``waitForIndexes()``). A malformed text gives `invalidArgument` and changes
    /// nothing; the message names the entry.
    public func setIndexConfiguration(_ json: String, completion: (((any Error)?) -> Void)?) {
        run("setIndexConfiguration(_:)", completion) { try await self.configureIndexes([UInt8](json.utf8)) }
    }

    /// Replaces the configured indexes by those of a `firestore.indexes.json`, and returns when the change is recorded.
    ///
    /// Throws `invalidArgument` for a malformed text; the message names the entry.
    public nonisolated(nonsending) func setIndexConfiguration(_ json: String) async throws {
        try await configureIndexes([UInt8](json.utf8))
    }

    /// Replaces the configured indexes by those of a `firestore.indexes.json`, without waiting. A failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func setIndexConfiguration(_ stream: InputStream) {
        setIndexConfiguration(stream, completion: nil)
    }

    /// Replaces the configured indexes by those of a `firestore.indexes.json`.
    ///
    /// The stream is read to its end and closed. Otherwise like `setIndexConfiguration(_:completion:)` with a text.
    public func setIndexConfiguration(_ stream: InputStream, completion: (((any Error)?) -> Void)?) {
        let source = StreamSource(stream)
        run("setIndexConfiguration(_:)", completion) { try await self.configureIndexes(source) }
    }

    /// Replaces the configured indexes by those of a `firestore.indexes.json`, and returns when the change is recorded.
    public nonisolated(nonsending) func setIndexConfiguration(_ stream: InputStream) async throws {
        try await configureIndexes(StreamSource(stream))
    }

    /// All indexes, configured and automatically created ones, as the text of a `firestore.indexes.json`. Fields by which documents expire
    /// have `ttl`.
    ///
    /// Throws `unimplemented` for a database on a server.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func indexConfiguration() async throws -> String {
        try await reading { (indexes) throws(FirestoreError) in
            IndexConfiguration(
                try await indexes.indexes().map(\.definition), expiry: try await backend().expiryAdministration?.policies() ?? [])
        }
    }

    /// The indexes that the queries so far would need in Cloud Firestore, as the text of a `firestore.indexes.json`.
    ///
    /// Run your tests, write this text to a file, and deploy it: in Cloud Firestore a query fails if its composite
    /// index is missing. Includes the queries since the database was opened. Throws `unimplemented` for a database on a
    /// server.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func neededIndexConfiguration() async throws -> String {
        try await reading { (indexes) throws(FirestoreError) in IndexConfiguration(indexes.neededIndexes()) }
    }

    /// Returns when no index is being built. Throws `unimplemented` for a database on a server.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func waitForIndexes() async throws {
        await indexManager.withLock { $0 }?.settled()
        do {
            try await indexes().indexesSettled()
        } catch {
            throw publicForm(of: error)
        }
    }

    // MARK: Implementation

    private func indexes() throws(FirestoreError) -> any IndexAdministration {
        guard let administration = try backend().indexAdministration else {
            throw FirestoreError(
                .unimplemented,
                "the indexes of a database on a server are managed there; only those of the embedded database can be managed here")
        }
        return administration
    }

    private func configureIndexes(_ text: [UInt8]) async throws {
        do throws(FirestoreError) {
            let configuration = try IndexConfiguration(json: text)
            try await indexes().configureIndexes(configuration.definitions)
            try await backend().expiryAdministration?.replacePolicies(configuration.expiry)
        } catch {
            throw error.publicError
        }
    }

    private func configureIndexes(_ source: StreamSource) async throws {
        var text: [UInt8] = []
        do throws(FirestoreError) {
            while let chunk = try await source.next() { text += chunk }
        } catch {
            throw error.publicError
        }
        try await configureIndexes(text)
    }

    private func reading(
        _ read: (any IndexAdministration) async throws(FirestoreError) -> IndexConfiguration
    ) async throws -> String {
        await indexManager.withLock { $0 }?.settled()
        do throws(FirestoreError) {
            return try await read(try indexes()).json.text(.indented) + "\n"
        } catch {
            throw error.publicError
        }
    }
}
