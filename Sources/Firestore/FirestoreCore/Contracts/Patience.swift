// SPDX-License-Identifier: Apache-2.0

/// How long an answer is wanted. Work that a stranger sizes looks at it now and then, and ends with its error.
package struct Patience: Sendable {
    package var deadline: ContinuousClock.Instant?

    package init(deadline: ContinuousClock.Instant?) { self.deadline = deadline }

    package init(_ context: RequestContext) { self.init(deadline: context.deadline) }

    package static let endless = Patience(deadline: nil)

    /// Throws if the task of the call was cancelled, as it is when the caller has left, or if the deadline has passed.
    package func check() throws(FirestoreError) {
        if Task.isCancelled { throw FirestoreError(.cancelled, "the caller no longer waits for the answer") }
        if let deadline, ContinuousClock.now >= deadline {
            throw FirestoreError(.deadlineExceeded, "the deadline of the call has passed")
        }
    }
}
