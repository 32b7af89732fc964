// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What happens to a call of a `FaultyArchive`.
package enum ArchiveFault: Sendable {
    /// The call fails and has no effect.
    case fail(FirestoreError)
    /// The call has its effect, and then fails: its answer is lost.
    case loseAnswer(FirestoreError)
    /// The call is carried out after a closure has returned: it can wait for anything.
    case delay(@Sendable () async -> Void)
    /// A listing ends after so many objects, and looks complete.
    case tear(after: Int)
    /// An object arrives with other bytes.
    case damage(@Sendable ([UInt8]) -> [UInt8])

    /// A transient failure.
    package static let unavailable = fail(FirestoreError(.unavailable, "the archive cannot be reached; injected by the test"))
    /// A transient failure after the effect.
    package static let answerLost = loseAnswer(FirestoreError(.unavailable, "the answer was lost; injected by the test"))
    /// A full disk.
    package static let full = fail(FirestoreError(.resourceExhausted, "the disk of the archive is full; injected by the test"))
}
