// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreWire

/// A Write stream of a `RemoteTransport`.
final class RemoteWriteLink: WriteLink {
    /// What is known of the stream, to end it properly.
    private final class Progress: Sendable {
        private struct State {
            var database: DatabaseID?
            var token: ByteSlice?
            var unanswered = 0
            var isClosed = false
        }

        private let state = Mutex(State())

        func sent(_ request: WriteRequest) {
            state.withLock { state in
                if let database = request.database { state.database = database }
                if !request.writes.isEmpty { state.unanswered += 1 }
            }
        }

        func answered(_ response: WriteResponse) {
            state.withLock { state in
                // The first response answers the handshake.
                if state.token != nil { state.unanswered -= 1 }
                state.token = response.streamToken
            }
        }

        var isClosed: Bool { state.withLock { $0.isClosed } }

        /// Returns what to close the stream with; nil if it must be cancelled instead.
        func close() -> (DatabaseID, ByteSlice)? {
            state.withLock { state in
                state.isClosed = true
                guard state.unanswered == 0, let database = state.database, let token = state.token else { return nil }
                return (database, token)
            }
        }
    }

    /// Keeps the connection open.
    private let transport: RemoteTransport
    private let call: WriteCall
    private let events: StreamEvents<WriteStreamEvent>
    private let queue: DispatchQueue
    private let progress = Progress()

    init(
        _ transport: RemoteTransport, _ connection: RemoteConnection, _ receive: @escaping @Sendable (WriteStreamEvent) -> Void
    ) {
        self.transport = transport
        let events = StreamEvents(receive)
        let queue = DispatchQueue(label: "hearth.remote.sync.write", qos: .userInitiated)
        self.events = events
        self.queue = queue
        // Not on the connection's loop, which must not wait for the engine. The window bounds how much is waiting.
        call = WriteCall { [progress] call, event in queue.async { Self.receive(event, call, progress, events) } }
        call.open(connection)
    }

    private static func receive(
        _ event: WriteCall.Event, _ call: WriteCall, _ progress: Progress, _ events: StreamEvents<WriteStreamEvent>
    ) {
        switch event {
        case .message(let message):
            do throws(FirestoreError) {
                let response = try WriteResponse(decoding: message)
                progress.answered(response)
                events.next(.response(response))
            } catch {
                events.last(.ended(.unreadable("an answer of the write stream", error)))
                call.cancel()
            }
        case .ended(let status): events.last(.ended(status.map { FirestoreError($0) }))
        }
    }

    func send(_ request: WriteRequest) {
        if request.writes.contains(where: \.hasPendingTimestamp) {
            assertionFailure("a server timestamp that is still pending must not be sent: send the transform")
            queue.async { [events] in events.last(.ended(.pendingTimestamp)) }
            return call.cancel()
        }
        guard !progress.isClosed else { return }
        progress.sent(request)
        call.send(request)
    }

    /// A stream with unanswered batches is cancelled, so that a server that keeps its sequence does not take it for finished.
    func close() {
        guard !progress.isClosed else { return }
        if let (database, token) = progress.close() { call.close(database, token) } else { call.cancel() }
    }
}

extension FirestoreError {
    fileprivate static let pendingTimestamp = FirestoreError(
        .internal, "the cache was about to send an estimated server timestamp; nothing was sent")
}
