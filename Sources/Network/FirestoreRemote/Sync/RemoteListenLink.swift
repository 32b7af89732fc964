// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreWire

/// A Listen stream of a `RemoteTransport`.
final class RemoteListenLink: ListenLink {
    /// Keeps the connection open.
    private let transport: RemoteTransport
    private let call: ListenCall

    init(
        _ transport: RemoteTransport, _ connection: RemoteConnection, _ receive: @escaping @Sendable (ListenStreamEvent) -> Void
    ) {
        self.transport = transport
        let events = StreamEvents(receive)
        call = ListenCall(
            on: DispatchQueue(label: "hearth.remote.sync.listen", qos: .userInitiated),
            receive: { call, message in
                do throws(FirestoreError) {
                    events.next(.response(try ListenResponse(decoding: message)))
                } catch {
                    events.last(.ended(.unreadable("a message of the listen stream", error)))
                    call.cancel()
                }
            },
            end: { _, status in events.last(.ended(status.map { FirestoreError($0) })) })
        call.open(connection)
    }

    func send(_ request: ListenRequest) { call.send(request) }

    func close() { call.cancel() }
}
