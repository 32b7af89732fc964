// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// A stack on which every pipeline within the limits can be checked and executed.
///
/// Expressions, pipelines in pipelines and stages that make several rows of one are recursive. Most pipelines are neither deep nor long and
/// stay on the thread of their caller.
package enum PipelineStack {
    package static let bytes = 16 << 20

    /// Runs work here, or on a new thread for which this one waits.
    static func run<R>(if isNeeded: Bool, _ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        guard isNeeded else { return try body() }
        var result: Result<R, FirestoreError>?
        let hasRun = LargeStack.run(bytes: bytes) {
            do throws(FirestoreError) {
                result = .success(try body())
            } catch {
                result = .failure(error)
            }
        }
        guard hasRun, let result else {
            throw FirestoreError(.resourceExhausted, "no thread could be started for the pipeline; try again later")
        }
        return try result.get()
    }
}

extension CheckedPipeline {
    /// Runs `body`, which reads a snapshot and executes the pipeline over it, on a thread with stack enough for it. A snapshot belongs to
    /// the thread that has opened it.
    package func withStack<R>(_ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        try PipelineStack.run(if: counts.isDeep, body)
    }
}

extension PipelineCounts {
    /// Whether it may need more stack than a thread of an app has, with room for a debug build.
    var isDeep: Bool { stages > 32 || pipelines > 2 || depth > 12 }
}
