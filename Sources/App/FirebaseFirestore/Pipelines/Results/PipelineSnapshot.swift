// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
package import FirestoreCore

extension Pipeline {
    /// The result of a pipeline, as of one moment.
    public struct Snapshot: Sendable {
        /// The rows, in the order of the pipeline.
        public let results: [PipelineResult]
        /// The moment of which the rows are.
        public let executionTime: Timestamp
        /// Whether the rows come from a cache, so that the server may have others. False for the embedded database.
        ///
        /// Beyond the Apple SDK.
        public let isFromCache: Bool

        package init(_ page: PipelinePage, firestore: Firestore) {
            results = page.rows.map { PipelineResult($0, firestore: firestore) }
            executionTime = page.readTime.publicTime
            isFromCache = page.isFromCache
        }
    }
}

/// A snapshot is a collection of its rows.
///
/// Beyond the Apple SDK.
extension Pipeline.Snapshot: RandomAccessCollection {
    /// The position of the first row, 0.
    public var startIndex: Int { results.startIndex }
    /// The position behind the last row.
    public var endIndex: Int { results.endIndex }
    /// The row at a position.
    public subscript(position: Int) -> PipelineResult { results[position] }
}
