package import FirestoreCore

/// What metrics and logs want to know of a server. Called on connections' loops: must be quick.
package protocol RPCObserver: Sendable {
    func connectionOpened()
    func connectionClosed()
    func callStarted(_ path: String)
    func callEnded(_ call: RPCCallRecord)
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
