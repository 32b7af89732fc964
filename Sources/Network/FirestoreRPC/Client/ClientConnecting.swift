// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The shared behavior of channels: calls over a connection from a provider.
protocol ClientConnecting: Sendable {
    /// The connection to use now: a different one than `spent`, which takes no more calls, unless the channel is shut down.
    func connection(after spent: ClientConnection?) -> ClientConnection
}

extension ClientConnecting {
    func call(
        _ path: String, _ request: [UInt8], _ metadata: RPCMetadata, _ deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice {
        let response = UnaryResponse()
        let call = start(path, metadata, deadline, onlyMessage: request, handler: response)
        let result = await withTaskCancellationHandler {
            await response.value()
        } onCancel: {
            call.cancel()
        }
        return try result.get()
    }

    func start(
        _ path: String, _ metadata: RPCMetadata, _ deadline: ContinuousClock.Instant?, onlyMessage: [UInt8]? = nil,
        handler: any RPCClientHandler
    ) -> ClientStream {
        var spent: ClientConnection?
        while true {
            let connection = connection(after: spent)
            let stream = ClientStream(
                connection, path: path, metadata: metadata, deadline: deadline, onlyMessage: onlyMessage, handler: handler)
            if connection.open(stream) { return stream }
            if connection === spent {
                connection.refuse(stream)
                return stream
            }
            spent = connection
        }
    }
}
