// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Receives what metrics and logs need from a server. Called on connections' loops: must return quickly.
package protocol RPCObserver: Sendable {
    func connectionOpened()
    func connectionClosed()
    /// The maximum number of connections was reached, or the server is stopping.
    func connectionRefused()
    func callStarted(_ path: String)
    func callEnded(_ call: RPCCallRecord)
    /// A request was refused before it became a call: because of its host or origin, its size or form, or because too many answers
    /// are waiting.
    func requestRefused(_ code: FirestoreError.Code, isGRPC: Bool)
    /// The server protects itself. Called for each, so it must not write a line for each.
    func shed(_ reason: ShedReason)
}

extension RPCObserver {
    package func shed(_ reason: ShedReason) {}
}

/// A call that has ended.
package struct RPCCallRecord: Sendable {
    package var path: String
    package var code: FirestoreError.Code
    package var duration: Duration
    /// Bytes of messages, without framing, after inflating.
    package var received: Int
    package var sent: Int
    /// The headers of the call.
    package var metadata: RPCMetadata

    package init(
        path: String, code: FirestoreError.Code, duration: Duration, received: Int, sent: Int, metadata: RPCMetadata = RPCMetadata()
    ) {
        self.path = path
        self.metadata = metadata
        self.code = code
        self.duration = duration
        self.received = received
        self.sent = sent
    }
}
