// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestorePipelines
import Foundation

/// A thread for one pipeline, with a stack on which every one can be executed. The lane bounds how many there are.
enum PipelineThread {
    static func run<R: Sendable>(
        _ body: @escaping @Sendable () throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            let thread = Thread {
                do throws(FirestoreError) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            thread.name = "hearth.pipeline"
            thread.stackSize = PipelineStack.bytes
            thread.start()
        }
        return try result.get()
    }
}
