// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A connection to a server, as the client sees it. Connects when first used, and again when the connection is lost.
package protocol RPCChannel: Sendable {
    /// Sends one message and returns one. Cancelling the task cancels the call.
    func unary(
        _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice

    /// Opens a streaming call.
    func open(
        _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
    ) -> any RPCClientCall

    /// Opens a call with one request message and any number of answers.
    func open(
        _ path: String, only request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?,
        handler: any RPCClientHandler
    ) -> any RPCClientCall

    /// Ends the calls in flight and closes. Later calls fail with `unavailable`.
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

/// A streaming call, as the client sees it. All members may be used from any thread.
package protocol RPCClientCall: AnyObject, Sendable {
    /// Queues a message; dropped once the call has ended.
    func send(_ message: [UInt8])
    var isWritable: Bool { get }
    func whenWritable() async throws(RPCStatus)
    /// Ends the request.
    func halfClose()
    func cancel()
    func setReading(_ isOn: Bool)
}

/// The client's side of a streaming call. Called on the connection's loop, one call at a time: must not block.
package protocol RPCClientHandler: AnyObject, Sendable {
    func receive(_ message: ByteSlice)
    func becameWritable()
    /// The last call to the handler, made once: nil for `ok`.
    func ended(_ status: RPCStatus?, trailers: RPCMetadata)
}
