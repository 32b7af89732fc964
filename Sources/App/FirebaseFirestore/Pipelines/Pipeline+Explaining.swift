// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Pipeline {
    /// How a database executes a pipeline, and its cost.
    ///
    /// Beyond the Apple SDK.
    public struct Explanation: Sendable, CustomStringConvertible {
        /// The steps, for people to read. The wording may change.
        public let text: String

        /// The steps, for people to read.
        public var description: String { text }
    }

    /// Reports how the pipeline is executed, by running it and counting its reads.
    ///
    /// ```swift
    /// print(try await pipeline.explain())
    /// ```
    /// A pipeline that writes is only planned.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - analyze: Whether to run the pipeline. If false, it is only planned.
    ///   - source: Where the pipeline would be executed; see ``execute(source:)``.
    public nonisolated(nonsending) func explain(
        analyze: Bool = true, source: FirestoreSource = .default
    ) async throws -> Explanation {
        let (firestore, request) = try runnable()
        return try await firestore.reading { backend in
            Explanation(text: try await backend.explain(request, analyze: analyze, from: source.internalForm).text)
        }
    }
}
