// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// How a call ended, unless successfully.
package struct RPCStatus: Error, Sendable, Hashable {
    package var code: FirestoreError.Code
    package var message: String
    /// An encoded `google.rpc.Status` with details, for `grpc-status-details-bin`; nil for none.
    package var details: ByteSlice?
    /// How far the call had come, as known to the calling side.
    package var progress: FirestoreError.Progress

    package init(
        _ code: FirestoreError.Code, _ message: String, details: ByteSlice? = nil, progress: FirestoreError.Progress = .answered
    ) {
        self.code = code
        self.message = message
        self.details = details
        self.progress = progress
    }

    /// Returns the status for a call that had made less progress than the others of its connection.
    func before(_ progress: FirestoreError.Progress) -> RPCStatus {
        guard self.progress == .unknown || self.progress == .answered else { return self }
        var copy = self
        copy.progress = progress
        return copy
    }
}
