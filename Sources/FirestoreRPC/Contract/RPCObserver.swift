// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What metrics and logs want to know of a server. Called on connections' loops: must be quick.
package protocol RPCObserver: Sendable {
    func connectionOpened()
    func connectionClosed()
    /// There are as many as there may be, or the server stops.
    func connectionRefused()
    func callStarted(_ path: String)
    func callEnded(_ call: RPCCallRecord)
    /// A request was turned away before it became a call: because of its host or the page that asks, of its size or form, or
    /// because too much waits.
    func requestRefused(_ code: FirestoreError.Code, isGRPC: Bool)
}

/// A call that is over.
package struct RPCCallRecord: Sendable {
    package var path: String
    package var code: FirestoreError.Code
    package var duration: Duration
    /// Bytes of messages, without framing, after inflating.
    package var received: Int
    package var sent: Int
}
