// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// Forwards all calls, and detects that the server does not accept the token.
final class AuthorizedHandler: RPCClientHandler {
    private let handler: any RPCClientHandler
    private let rejected: @Sendable () -> Void

    init(_ handler: any RPCClientHandler, rejected: @escaping @Sendable () -> Void) {
        self.handler = handler
        self.rejected = rejected
    }

    func receive(_ message: ByteSlice) { handler.receive(message) }
    func becameWritable() { handler.becameWritable() }

    func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
        if status?.code == .unauthenticated { rejected() }
        handler.ended(status, trailers: trailers)
    }
}
