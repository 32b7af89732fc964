// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The way to a server, as the client sees it. Connects when first used and again when the connection is lost.
package protocol RPCChannel: Sendable {
    /// One message out, one in. Cancelling the task cancels the call.
    func unary(
        _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice

    /// Opens a call with streams.
    func open(
        _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
    ) -> any RPCClientCall

    /// Opens a call with one message out and any number in.
    func open(
        _ path: String, only request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?,
        handler: any RPCClientHandler
    ) -> any RPCClientCall

    /// Ends what is under way and closes. Later calls fail with `unavailable`.
    func shutdown() async
}

extension RPCChannel {
    package func open(
        _ path: String, only request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?,
        handler: any RPCClientHandler
    ) -> any RPCClientCall {
        let call = open(path, metadata: metadata, deadline: deadline, handler: handler)
        call.send(request)
        call.halfClose()
        return call
    }
}

/// A call with streams, as the client sees it. Everything may be used from any thread.
package protocol RPCClientCall: AnyObject, Sendable {
    /// Queues a message; dropped once the call has ended.
    func send(_ message: [UInt8])
    var isWritable: Bool { get }
    func whenWritable() async throws(RPCStatus)
    /// Nothing more will be sent.
    func halfClose()
    func cancel()
    func setReading(_ isOn: Bool)
}

/// The client's side of a call with streams. Called by the connection's loop, one call at a time: must not block.
package protocol RPCClientHandler: AnyObject, Sendable {
    func receive(_ message: ByteSlice)
    func becameWritable()
    /// The last thing it hears, once: nil for `ok`.
    func ended(_ status: RPCStatus?, trailers: RPCMetadata)
}
