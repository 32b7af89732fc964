// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// The writes of one call that wait in the queue for the server.
///
/// Beyond the Apple SDK.
public struct PendingWrite: Sendable, Identifiable {
    /// The kind of change that a write makes to its document.
    ///
    /// Beyond the Apple SDK.
    public enum Kind: Sendable, Hashable {
        /// Creates or replaces it.
        case set
        /// Changes some of its fields; creates it if the write merges.
        case update
        /// Deletes it.
        case delete
    }

    /// How far the writes have come.
    ///
    /// Beyond the Apple SDK.
    public enum Stage: Sendable, Hashable {
        /// They wait to be sent.
        case queued
        /// They are in flight: the response is outstanding.
        case sent
        /// They wait behind a failed write (`settings.failedWritePolicy = .hold`).
        case held
        /// They were made without a user while a sign-in was in progress, and wait until it has ended. If it succeeds, they are sent as the
        /// signed-in user.
        case signingIn
    }

    /// Identifies the call, also after a restart; the same as the `id` of its receipt.
    public let id: WriteReceipt.ID
    /// The documents, in the order of the writes.
    public let documents: [DocumentReference]
    /// The kind of change to each of the documents.
    public let kinds: [Kind]
    /// When the call was made, by the clock of this machine.
    public let localWriteTime: Date
    /// How often sending them has failed without an answer, attempts to connect included. Only those of the oldest call of the queue are
    /// counted.
    public let attempts: Int
    /// The error of the last of these attempts; nil if there was none.
    public let lastError: FirestoreErrorCode?
    /// The size in the queue, in bytes.
    public let byteCount: Int
    /// How far the writes have come.
    public let stage: Stage

    init(_ write: QueuedWrite, of firestore: Firestore, in cache: UInt64) {
        id = WriteReceipt.ID(cache: cache, number: write.id)
        documents = write.writes.map { DocumentReference(key: $0.key, firestore: firestore) }
        kinds = write.writes.map(\.kind)
        localWriteTime = Date(microseconds: write.localWriteTime)
        attempts = write.attempts
        lastError = write.lastError?.publicError
        byteCount = write.byteCount
        stage =
            switch write.stage {
            case .queued: .queued
            case .sent: .sent
            case .held: .held
            case .signingIn: .signingIn
            }
    }
}

/// The writes of one call that the server has rejected. They no longer appear in any snapshot.
///
/// Beyond the Apple SDK.
public struct FailedWrite: Sendable, Identifiable {
    /// Identifies the call, also after a restart; the same as the `id` of its receipt.
    public let id: WriteReceipt.ID
    /// The documents, in the order of the writes.
    public let documents: [DocumentReference]
    /// The kind of change that was rejected, for each of the documents.
    public let kinds: [PendingWrite.Kind]
    /// Why the server rejected the writes.
    public let error: FirestoreErrorCode
    /// When it did, by the clock of this machine.
    public let failedAt: Date

    init(_ write: RejectedWrite, of firestore: Firestore, in cache: UInt64) {
        id = WriteReceipt.ID(cache: cache, number: write.id)
        documents = write.writes.map { DocumentReference(key: $0.key, firestore: firestore) }
        kinds = write.writes.map(\.kind)
        error = write.error.publicError
        failedAt = Date(microseconds: write.failedAt)
    }
}

extension Write {
    fileprivate var kind: PendingWrite.Kind {
        switch operation {
        case .set: .set
        case .patch, .verify: .update
        case .delete: .delete
        }
    }
}

extension Date {
    fileprivate init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
