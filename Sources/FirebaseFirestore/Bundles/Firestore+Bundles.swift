import FirestoreClient
import FirestoreCore
public import Foundation

extension Firestore {
    /// Loads a bundle into the database, without waiting; a failure is logged, and shown by the task.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func loadBundle(_ bundleData: Data) -> LoadBundleTask {
        loadBundle(bundleData, completion: nil)
    }

    /// Loads a bundle into the database: documents and named queries that a server put together.
    ///
    /// A document is written if it is missing, if it is still as an earlier bundle left it, or if it was last changed
    /// before the bundle's version of it; what the app has changed later stays. A bundle that was loaded before, or a
    /// newer one of its id, is skipped. `completion` is called on the queue of the settings. Whatever goes wrong gives
    /// `unknown` with a text that says what, and the progress so far beside it; documents written by then stay.
    ///
    /// Bundles are loaded one after the other, a few hundred documents per commit, and need not fit into memory.
    @discardableResult
    public func loadBundle(
        _ bundleData: Data, completion: ((LoadBundleTaskProgress?, (any Error)?) -> Void)?
    ) -> LoadBundleTask {
        load(DataSource(bundleData), completion: completion)
    }

    /// Loads a bundle into the database, without waiting; a failure is logged, and shown by the task.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func loadBundle(_ bundleStream: InputStream) -> LoadBundleTask {
        loadBundle(bundleStream, completion: nil)
    }

    /// Loads a bundle from a stream, which is opened, read to its end and closed; nobody else may touch it meanwhile.
    ///
    /// Otherwise like ``loadBundle(_:completion:)-(Data,_)``.
    @discardableResult
    public func loadBundle(
        _ bundleStream: InputStream, completion: ((LoadBundleTaskProgress?, (any Error)?) -> Void)?
    ) -> LoadBundleTask {
        load(StreamSource(bundleStream), completion: completion)
    }

    /// Loads a bundle into the database and returns when all of it is there; throws `unknown` for whatever goes wrong.
    @discardableResult
    public nonisolated(nonsending) func loadBundle(_ bundleData: Data) async throws -> LoadBundleTaskProgress {
        try await finished(DataSource(bundleData))
    }

    /// Loads a bundle from a stream and returns when all of it is there; throws `unknown` for whatever goes wrong.
    @discardableResult
    public nonisolated(nonsending) func loadBundle(_ bundleStream: InputStream) async throws -> LoadBundleTaskProgress {
        try await finished(StreamSource(bundleStream))
    }

    /// Calls back with a query that a bundle gave a name, nil if none did; waits for bundles that are being loaded.
    public func getQuery(named name: String, completion: @escaping (Query?) -> Void) {
        let callback = UserCallback(completion)
        let queue = callbackQueue
        Task { callback.call(on: queue, await namedQuery(name)) }
    }

    /// A query that a bundle gave a name, nil if none did; waits for bundles that are being loaded.
    public nonisolated(nonsending) func getQuery(named name: String) async -> Query? {
        await namedQuery(name)
    }

    @concurrent
    private func namedQuery(_ name: String) async -> Query? {
        await bundleLoads.withLock { $0 }?.value
        let query = try? await backend().facts?.query(named: name, in: databaseID)
        return query.map { Query(firestore: self, definition: .success($0)) }
    }

    // MARK: Loading

    private func load(
        _ source: any BundleSource, completion: ((LoadBundleTaskProgress?, (any Error)?) -> Void)?
    ) -> LoadBundleTask {
        let callback = completion.map { completion in
            UserCallback<(LoadBundleTaskProgress, (any Error)?)> { completion($0.0, $0.1) }
        }
        let queue = callbackQueue
        return enqueue(source) { progress, error in
            guard let callback else {
                if let error { UnheededFailure.log(UnheededFailure.notice(of: error, calling: "loadBundle(_:)")) }
                return
            }
            queue.async { callback((progress, error)) }
        }
    }

    private func finished(_ source: any BundleSource) async throws -> LoadBundleTaskProgress {
        try await withCheckedThrowingContinuation { continuation in
            _ = enqueue(source) { progress, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: progress) }
            }
        }
    }

    /// Loads a bundle when those before it are over.
    private func enqueue(
        _ source: any BundleSource, completion: @escaping @Sendable (LoadBundleTaskProgress, (any Error)?) -> Void
    ) -> LoadBundleTask {
        let task = LoadBundleTask(queue: callbackQueue)
        bundleLoads.withLock { last in
            let previous = last
            last = Task.detached {
                await previous?.value
                await self.run(source, for: task, completion: completion)
            }
        }
        return task
    }

    private func run(
        _ source: any BundleSource, for task: LoadBundleTask,
        completion: @Sendable (LoadBundleTaskProgress, (any Error)?) -> Void
    ) async {
        var progress = BundleProgress()
        var failure: FirestoreError?
        do throws(FirestoreError) {
            let backend = try backend()
            guard let facts = backend.facts else {
                throw FirestoreError(.unimplemented, "only an embedded database loads bundles")
            }
            var loader = BundleLoader(backend: backend, facts: facts, database: databaseID) { progress in
                task.report(LoadBundleTaskProgress(progress))
            }
            do throws(FirestoreError) {
                progress = try await loader.load(source)
            } catch {
                progress = loader.lastProgress.failure
                throw error
            }
        } catch {
            progress = progress.failure
            failure = FirestoreError(
                .unknown, "the bundle could not be loaded: \(error.message)", at: error.location, cause: error.publicError)
        }
        let last = LoadBundleTaskProgress(progress)
        task.report(last)
        completion(last, failure?.publicError)
    }
}
