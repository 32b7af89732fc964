import FirestoreCore
public import Foundation

extension Firestore {
    /// Decides whether the database makes indexes by itself; nil if `settings` ask for a cache in memory.
    ///
    /// The same object at each call. Reading it opens the database. (A database in memory that
    /// `settings.storage = .memory` asks for has indexes too.) A database on a server keeps its indexes there: without
    /// `PersistentCacheSettings` the manager is nil, with them its calls log that they change nothing.
    public var persistentCacheIndexManager: PersistentCacheIndexManager? {
        let settings = settingsValues
        guard settings.cachesOnDisk else { return nil }
        if !isTerminated {
            guard let backend = try? backend() else { return nil }
            guard backend.indexAdministration != nil || settings.cache != nil else { return nil }
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

    /// Makes exactly the indexes of a `firestore.indexes.json` the configured ones, without waiting; a failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func setIndexConfiguration(_ json: String) {
        setIndexConfiguration(json, completion: nil)
    }

    /// Makes exactly the indexes of a `firestore.indexes.json` the configured ones.
    ///
    /// What is missing is built on the live database, without stopping writes; configured indexes that are not in the
    /// text go. `completion` is called on the queue of the settings when the change is recorded; building goes on behind
    /// (``waitForIndexes()``). A text that is malformed gives `invalidArgument` and changes nothing; the message names the
    /// entry.
    public func setIndexConfiguration(_ json: String, completion: (((any Error)?) -> Void)?) {
        run("setIndexConfiguration(_:)", completion) { try await self.configureIndexes([UInt8](json.utf8)) }
    }

    /// Makes exactly the indexes of a `firestore.indexes.json` the configured ones, and returns when that is recorded.
    ///
    /// Throws `invalidArgument` for a malformed text, naming the entry.
    public nonisolated(nonsending) func setIndexConfiguration(_ json: String) async throws {
        try await configureIndexes([UInt8](json.utf8))
    }

    /// Makes exactly the indexes of a `firestore.indexes.json` the configured ones, without waiting; a failure is logged.
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func setIndexConfiguration(_ stream: InputStream) {
        setIndexConfiguration(stream, completion: nil)
    }

    /// Makes exactly the indexes of a `firestore.indexes.json` the configured ones; the stream is read to its end and
    /// closed.
    public func setIndexConfiguration(_ stream: InputStream, completion: (((any Error)?) -> Void)?) {
        let source = StreamSource(stream)
        run("setIndexConfiguration(_:)", completion) { try await self.configureIndexes(source) }
    }

    /// Makes exactly the indexes of a `firestore.indexes.json` the configured ones, and returns when that is recorded.
    public nonisolated(nonsending) func setIndexConfiguration(_ stream: InputStream) async throws {
        try await configureIndexes(StreamSource(stream))
    }

    /// All indexes there are, configured ones and those the database has made by itself, as the text of a
    /// `firestore.indexes.json`.
    public nonisolated(nonsending) func indexConfiguration() async throws -> String {
        try await reading { (indexes) throws(FirestoreError) in try await indexes.indexes().map(\.definition) }
    }

    /// The indexes that the queries so far would need in Cloud Firestore, as the text of a `firestore.indexes.json`.
    ///
    /// Run your tests, write this to a file, and deploy it: there, a query whose composite index is missing fails. Counts
    /// from the moment the database was opened.
    public nonisolated(nonsending) func neededIndexConfiguration() async throws -> String {
        try await reading { (indexes) throws(FirestoreError) in indexes.neededIndexes() }
    }

    /// Returns when no index is being built.
    public nonisolated(nonsending) func waitForIndexes() async throws {
        await indexManager.withLock { $0 }?.settled()
        do {
            try await indexes().indexesSettled()
        } catch {
            throw publicForm(of: error)
        }
    }

    // MARK: Behind it

    private func indexes() throws(FirestoreError) -> any IndexAdministration {
        guard let administration = try backend().indexAdministration else {
            throw FirestoreError(.unimplemented, "only the indexes of an embedded database can be managed")
        }
        return administration
    }

    private func configureIndexes(_ text: [UInt8]) async throws {
        do throws(FirestoreError) {
            try await indexes().configureIndexes(try IndexConfiguration(json: text).definitions)
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
        _ read: (any IndexAdministration) async throws(FirestoreError) -> [IndexDefinition]
    ) async throws -> String {
        await indexManager.withLock { $0 }?.settled()
        do throws(FirestoreError) {
            return IndexConfiguration(try await read(try indexes())).json.text(.indented) + "\n"
        } catch {
            throw error.publicError
        }
    }
}
