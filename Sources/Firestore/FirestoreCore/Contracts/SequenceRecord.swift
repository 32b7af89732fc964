// SPDX-License-Identifier: Apache-2.0

/// The record that a service stores about a sequence of commits, so that a client that has lost an answer receives it again (decision
/// 28).
///
/// The service stores the outcome of a commit together with the commit: after a crash both are present, or neither. Outcomes are
/// found again by the sequence's `streamID`, whatever the `WriteSequence` and the connection. A service that cannot do this
/// rejects the commit with `unimplemented`.
package struct SequenceRecord: Sendable {
    package enum Step: Sendable, Hashable {
        /// Creates the record of the sequence. The commit has no writes and the number 0.
        case begin
        /// Finds the record of an earlier sequence of the same name. The commit has no writes, and the number of the last commit
        /// whose outcome the client has. Fails with `sequenceLost` unless the outcome of every later commit can be repeated.
        case resume
        /// Applies a commit, or repeats the outcome it had.
        ///
        /// `digest` distinguishes the batch from others, so that a batch with a number that another one had is not answered with the
        /// other's outcome. Outcomes up to `confirmed` are no longer stored.
        case commit(digest: UInt64, confirmed: Int64)
    }

    /// The owner, which alone may continue the sequence.
    package let owner: SequenceOwner
    package let step: Step

    package init(owner: SequenceOwner, step: Step) {
        self.owner = owner
        self.step = step
    }
}

/// The caller that began a sequence or a transaction. Anonymous callers are not distinguished, and neither are administrators.
package struct SequenceOwner: Sendable, Hashable {
    package let name: String

    /// The owner as it is stored.
    package init(name: String) { self.name = name }

    package init(_ caller: RequestContext.Caller) {
        switch caller {
        case .administrator: name = "administrator"
        case .anonymous: name = "anonymous"
        case .user(let id, _): name = "user:" + id
        }
    }

    package static let administrator = SequenceOwner(.administrator)

    package var isAdministrator: Bool { self == .administrator }

    /// Whether one person or program has this name, and not any number of them.
    package var isOneUser: Bool { name.utf8.starts(with: "user:".utf8) }
}

extension FirestoreError {
    /// The beginning of the message by which a client recognises `sequenceLost`: only the code and the message of an error cross
    /// the wire.
    package static let sequenceLostMark = "[write-stream-lost]"

    /// Outcomes of a sequence cannot be repeated: commits that the client sends again could be applied twice.
    package static func sequenceLost(_ reason: String) -> FirestoreError {
        FirestoreError(.failedPrecondition, "\(sequenceLostMark) the write stream cannot be resumed: \(reason)")
    }

    /// The sequence belongs to another caller, and is lost to this one.
    package static let sequenceOfAnother = FirestoreError(
        .permissionDenied, "\(sequenceLostMark) the write stream cannot be resumed: another caller has opened it")

    /// Whether this is `sequenceLost` or `sequenceOfAnother`, also after it crossed the wire.
    package var isSequenceLost: Bool {
        (code == .failedPrecondition || code == .permissionDenied) && message.utf8.starts(with: Self.sequenceLostMark.utf8)
    }
}
