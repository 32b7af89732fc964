// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The network below a sync engine: raw Listen and Write streams.
///
/// A conformer moves messages and reports how a stream ended, with the status untouched. It does not retry, resume or
/// interpret anything: that is the work of the engine above. It is not in `FirestoreCore/Contracts`, because its frames are
/// the messages of the protocol.
package protocol SyncTransport: Sendable {
    /// The maximum number of unanswered batches on a Write stream.
    var writeWindow: Int { get }
    /// The number of their bytes from which no further batch is sent.
    var writeWindowBytes: Int { get }
    /// Whether the server stores the sequence of a Write stream and repeats lost answers (`WriteRequest.streamID`).
    var resumesWriteStreams: Bool { get }

    /// Opens a Listen stream. `receive` is called for one event at a time, in order, on any thread, and with `.ended` last.
    /// Requests may be sent immediately: they wait for the connection. The stream is read no faster than `receive` returns, so
    /// that events that a slow engine has not taken wait at the server and not in memory. Meanwhile the engine may call the link, whose
    /// methods must not wait for `receive`.
    func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink

    /// Opens a Write stream, in the same way. The first request is the handshake.
    func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink

    /// Forgets the credentials in use, so that the next stream asks for new ones.
    func invalidateCredentials()
}

extension SyncTransport {
    package var writeWindowBytes: Int { 4 << 20 }
}

package enum ListenStreamEvent: Sendable {
    case response(ListenResponse)
    /// nil: the server closed the stream without an error.
    case ended(FirestoreError?)
}

package enum WriteStreamEvent: Sendable {
    case response(WriteResponse)
    case ended(FirestoreError?)
}

/// An open Listen stream.
package protocol ListenLink: AnyObject, Sendable {
    func send(_ request: ListenRequest)
    /// Ends the stream. Idempotent; an event that is already in flight may still arrive.
    func close()
}

/// An open Write stream.
package protocol WriteLink: AnyObject, Sendable {
    func send(_ request: WriteRequest)
    /// Ends the stream. Idempotent; an event that is already in flight may still arrive.
    func close()
}
