// SPDX-License-Identifier: Apache-2.0

/// The policy for a write whose documents were changed by others since the state it was made on (SY-D24).
package enum ConflictRule: Sendable {
    /// It is applied in any case.
    case lastWriteWins
    /// The authority rejects it, and the handler decides; without one the client's own. A handler ends with the process, the
    /// condition does not.
    case requireUnchanged(ConflictHandler?)

    package var requiresUnchanged: Bool { if case .requireUnchanged = self { true } else { false } }

    package var handler: ConflictHandler? { if case .requireUnchanged(let handler) = self { handler } else { nil } }
}

/// Decides about the conflicts of one batch: with one answer for each, in their order, or with an error if it cannot. It is called
/// once, on any thread, and answers once, on any thread.
package typealias ConflictHandler =
    @Sendable (_ conflicts: [DocumentConflict], _ answer: @escaping @Sendable (Result<[ConflictAnswer], FirestoreError>) -> Void) -> Void

/// A document that others have changed since the state a write was made on.
package struct DocumentConflict: Sendable {
    package let key: DocumentKey
    /// The authority's state that the write was made on; nil if the document was missing, or if its content was not known.
    package let base: Document?
    package let isBaseKnown: Bool
    /// The result of applying the write to it; nil if the write deletes the document, or does not apply to it.
    package let local: Document?
    /// The authority's state now; nil if the document is missing.
    package let remote: Document?

    package init(key: DocumentKey, base: Document?, isBaseKnown: Bool, local: Document?, remote: Document?) {
        self.key = key
        self.base = base
        self.isBaseKnown = isBaseKnown
        self.local = local
        self.remote = remote
    }
}

/// A handler's decision about a document in conflict.
package enum ConflictAnswer: Sendable {
    /// The write is applied to what the authority has now.
    case mine
    /// The write leaves the document as the authority has it.
    case theirs
    /// This write of the document is made instead.
    case merge(Write)
}
