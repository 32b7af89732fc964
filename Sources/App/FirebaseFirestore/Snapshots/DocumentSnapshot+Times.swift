// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCore

extension DocumentSnapshot {
    /// When the document was created.
    ///
    /// nil if it does not exist, or if it has writes that the server has not acknowledged. Of the server's clock, in microseconds.
    ///
    /// Beyond the Apple SDK.
    public var createTime: Timestamp? { version(\.createTime)?.publicTime }

    /// When the document was last changed: the condition of ``Precondition/updatedAt(_:)``.
    ///
    /// nil if it does not exist, or if it has writes that the server has not acknowledged. A write that changes nothing does not change
    /// the time. Of the server's clock, in microseconds.
    ///
    /// Beyond the Apple SDK.
    public var updateTime: Timestamp? { updateVersion?.publicTime }

    var updateVersion: DocumentVersion? { version(\.updateTime) }

    private func version(_ time: KeyPath<Document, DocumentVersion>) -> DocumentVersion? {
        guard !metadata.hasPendingWrites, let version = document?[keyPath: time], version != .none else { return nil }
        return version
    }
}

extension DocumentVersion {
    var publicTime: Timestamp { Timestamp(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds) }
}
