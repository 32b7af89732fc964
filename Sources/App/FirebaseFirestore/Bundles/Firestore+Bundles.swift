// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
public import Foundation

extension Firestore {
    /// Loads a bundle into the database, without waiting. The task reports the progress; a failure is logged.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func loadBundle(_ bundleData: Data) -> LoadBundleTask {
        loadBundle(bundleData, completion: nil)
    }

    /// Loads a bundle into the database: documents and named queries that a server has put together.
    ///
    /// A document is written if it is missing, if it is unchanged since an earlier bundle wrote it, or if its last
    /// change is older than the bundle's version of it. Later changes of the app are preserved. A bundle is skipped if it,
    /// or a newer one with the same id, was loaded before.
    ///
    /// `completion` is called on the queue of the settings. Every failure has the code `unknown` and a message with the
    /// cause, and comes together with the progress made; documents written until then remain.
    ///
    /// Bundles are loaded one after the other. The embedded database takes a few hundred documents per commit, and a bundle
    /// need not fit into memory. For a database on a server the whole bundle is read into memory, at most 256 MiB, and then
    /// stored in the cache, also while offline; nothing is sent. A malformed bundle changes nothing there. Without a cache
    /// loading fails.
    @discardableResult
    public func loadBundle(
        _ bundleData: Data, completion: ((LoadBundleTaskProgress?, (any Error)?) -> Void)?
    ) -> LoadBundleTask {
        load(DataSource(bundleData), completion: completion)
    }

    /// Loads a bundle into the database, without waiting. The task reports the progress; a failure is logged.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func loadBundle(_ bundleStream: InputStream) -> LoadBundleTask {
        loadBundle(bundleStream, completion: nil)
    }

    /// Loads a bundle from a stream.
    ///
    /// The stream is opened, read to its end and closed; do not use it meanwhile. Otherwise like
    /// ``loadBundle(_:completion:)-(Data,_)``.
    @discardableResult
    public func loadBundle(
        _ bundleStream: InputStream, completion: ((LoadBundleTaskProgress?, (any Error)?) -> Void)?
    ) -> LoadBundleTask {
        load(StreamSource(bundleStream), completion: completion)
    }

    /// Loads a bundle into the database and returns when all of it is stored.
    ///
    /// Every failure is thrown with the code `unknown` and a message with the cause.
    @discardableResult
    public nonisolated(nonsending) func loadBundle(_ bundleData: Data) async throws -> LoadBundleTaskProgress {
        try await finished(DataSource(bundleData))
    }

    /// Loads a bundle from a stream and returns when all of it is stored.
    ///
    /// Every failure is thrown with the code `unknown` and a message with the cause.
    @discardableResult
    public nonisolated(nonsending) func loadBundle(_ bundleStream: InputStream) async throws -> LoadBundleTaskProgress {
        try await finished(StreamSource(bundleStream))
    }

    /// Calls back with a named query of a bundle, or nil if no loaded bundle has a query of that name.
    ///
    /// Waits for bundles that are being loaded. `completion` is called on the queue of the settings.
    public func getQuery(named name: String, completion: @escaping (Query?) -> Void) {
        let callback = UserCallback(completion)
        let queue = callbackQueue
        Task { callback.call(on: queue, await namedQuery(name)) }
    }

    /// A named query of a bundle, or nil if no loaded bundle has a query of that name.
    ///
    /// Waits for bundles that are being loaded.
    public nonisolated(nonsending) func getQuery(named name: String) async -> Query? {
        await namedQuery(name)
    }

    @concurrent
    private func namedQuery(_ name: String) async -> Query? {
        await bundleLoads.withLock { $0 }?.value
        let query = try? await backend().bundles?.query(named: name, in: databaseID)
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
                if let error { UnhandledFailure.log(UnhandledFailure.notice(of: error, calling: "loadBundle(_:)")) }
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

    /// Loads a bundle after the bundles before it.
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
        let reported = Mutex(BundleProgress())
        var progress: BundleProgress
        var failure: FirestoreError?
        do throws(FirestoreError) {
            guard let bundles = try backend().bundles else {
                throw FirestoreError(
                    .unimplemented,
                    "a bundle needs the embedded database or a cache, and this database has neither; set settings.cacheSettings")
            }
            progress = try await bundles.loadBundle(source, in: databaseID) { progress in
                reported.withLock { $0 = progress }
                task.report(LoadBundleTaskProgress(progress))
            }
        } catch {
            progress = reported.withLock { $0 }.failure
            failure = FirestoreError(
                .unknown, "the bundle could not be loaded: \(error.message)", at: error.location, cause: error.publicError)
        }
        let last = LoadBundleTaskProgress(progress)
        task.report(last)
        completion(last, failure?.publicError)
    }
}
