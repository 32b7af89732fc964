// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
package import FirestoreCore

/// How a pipeline is executed, for ``Pipeline/execute(_:)``.
public struct ExecuteOptions: Sendable, Hashable {
    /// Whether a pipeline that writes does so all or nothing.
    public var isAtomic: Bool

    /// Creates options.
    public init(isAtomic: Bool = false) { self.isAtomic = isAtomic }
}

extension Pipeline {
    /// How a pipeline is executed, for ``Pipeline/execute(_:)``.
    public typealias ExecuteOptions = FirebaseFirestore.ExecuteOptions

    /// Runs the pipeline.
    ///
    /// An empty result is not an error. Sees every write made before the call, except that a server does not see writes that are still
    /// queued. The rows are of one moment.
    ///
    /// - Throws: An `NSError` of the domain `com.google.firebase.firestore` for mistakes in how the pipeline was put together, such as two
    ///   fields of one name. `invalidArgument` for everything that the database rejects, and for an evaluation that fails.
    @discardableResult
    public nonisolated(nonsending) func execute() async throws -> Snapshot {
        try await snapshot(from: .default, .latest)
    }

    /// Runs the pipeline, with an explicit source.
    ///
    /// A database on a server that is used with a cache: `.default` and `.server` ask the server and fail with `unavailable` while the
    /// client is offline; `.cache` runs the pipeline on the documents that are known on this machine, queued writes included, and may give
    /// fewer rows. The embedded database is server and cache in one, and without a cache every source is the server.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public nonisolated(nonsending) func execute(source: FirestoreSource) async throws -> Snapshot {
        try await snapshot(from: source.internalForm, .latest)
    }

    /// Runs the pipeline on an earlier state of the database.
    ///
    /// Shows the state after the last commit at or before `time`. Queued writes are not shown if the database is on a server.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameter time: A time within the last hour. What is finer than a microsecond is cut off: commits have whole microseconds.
    /// - Throws: `invalidArgument` for a time in the future and for a pipeline that writes,
    ///   `failedPrecondition` for a time too long ago, `unavailable` if the server cannot be reached.
    @discardableResult
    public nonisolated(nonsending) func execute(at time: Timestamp) async throws -> Snapshot {
        let version = try publicly { () throws(FirestoreError) in try time.asReadTime() }
        return try await snapshot(from: .server, PipelineOptions(.past(version)))
    }

    /// Runs the pipeline with options.
    ///
    /// - Throws: `resourceExhausted` if `isAtomic` is set and a pipeline writes more documents than one commit takes; nothing is written
    ///   then. The errors of ``execute()``.
    @discardableResult
    public nonisolated(nonsending) func execute(_ options: ExecuteOptions) async throws -> Snapshot {
        try await snapshot(from: .default, PipelineOptions(isAtomic: options.isAtomic))
    }

    /// Runs a pipeline that writes, all or nothing if `atomic` is true.
    ///
    /// Equivalent of ``execute(_:)`` with ``ExecuteOptions/isAtomic``.
    ///
    /// Otherwise a pipeline that changes very many documents may write them in several commits, of which the first ones remain if a later
    /// one fails.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Throws: `resourceExhausted` for more documents than one commit takes; nothing is written then.
    @discardableResult
    public nonisolated(nonsending) func execute(atomic: Bool) async throws -> Snapshot {
        try await snapshot(from: .default, PipelineOptions(isAtomic: atomic))
    }

    private nonisolated(nonsending) func snapshot(from source: ReadSource, _ options: PipelineOptions) async throws -> Snapshot {
        let (firestore, request) = try runnable()
        return try await firestore.reading { backend in
            Snapshot(try await backend.execute(request, from: source, options: options), firestore: firestore)
        }
    }

    /// The pipeline as it is sent, and the database to which it is sent; throws what is wrong with the pipeline.
    package func runnable() throws -> (Firestore, PipelineRequest) {
        guard let firestore else {
            var faults = content.faults
            faults.add(PipelineFaults(construction: Self.noDatabase))
            throw faults.error
        }
        if !content.faults.isEmpty { throw content.faults.error }
        return (firestore, PipelineRequest(content.stages))
    }

    private static let noDatabase =
        "This pipeline was created without a database; a Subcollection is executed as a part of another pipeline only."
}
