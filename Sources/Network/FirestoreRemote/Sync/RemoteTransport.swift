// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreWire

/// The streams below a sync engine, over the connection of a `RemoteService`.
///
/// The connection stays open while the service or one of its transports is in use: until `shutdown`, or until the transport and
/// its links are released.
package final class RemoteTransport: SyncTransport {
    private let connection: RemoteConnection
    private let isShutDown = Mutex(false)

    init(_ connection: RemoteConnection) {
        self.connection = connection
        connection.retain()
    }

    deinit {
        guard !isShutDown.withLock({ $0 }) else { return }
        Task { [connection] in await connection.release() }
    }

    package var writeWindow: Int { connection.writeAhead.most }

    package var writeWindowBytes: Int { connection.writeAhead.bytes }

    package var resumesWriteStreams: Bool { connection.writeAhead.resumes }

    package func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
        RemoteListenLink(self, connection, receive)
    }

    package func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
        RemoteWriteLink(self, connection, receive)
    }

    package func invalidateCredentials() { connection.invalidateCredentials() }

    /// Ends the transport. If the service has been shut down too, this closes the connection, and with it the open streams.
    package func shutdown() async {
        if isShutDown.setOnce() { await connection.release() }
    }
}

/// Passes on the events of one stream, none after the end.
final class StreamEvents<Event: Sendable>: Sendable {
    private let receive: @Sendable (Event) -> Void
    private let isOver = Mutex(false)

    init(_ receive: @escaping @Sendable (Event) -> Void) { self.receive = receive }

    func next(_ event: Event) {
        if !isOver.withLock({ $0 }) { receive(event) }
    }

    func last(_ event: Event) {
        if isOver.setOnce() { receive(event) }
    }
}

extension FirestoreError {
    /// Later messages of a stream cannot be trusted after one that cannot be read.
    static func unreadable(_ what: String, _ error: FirestoreError) -> FirestoreError {
        var reason = FirestoreError(.unavailable, "\(what) cannot be read (\(error.message))")
        reason.progress = .unknown
        return reason
    }
}
