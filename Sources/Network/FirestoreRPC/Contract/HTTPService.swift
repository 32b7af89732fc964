// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Answers requests that are not gRPC, over HTTP/1.1 and HTTP/2 alike.
package protocol HTTPService: Sendable {
    /// Called off the connection's loop once the whole request was received.
    ///
    /// A request that `readsBody` answers with true comes without its body once its headers were received, and the exchange has the
    /// body to read.
    func handle(_ exchange: any HTTPExchange)

    /// Whether the service reads the body of a request while it arrives, for bodies larger than fit into memory. Called on the
    /// connection's loop: must return quickly.
    func readsBody(method: String, path: String) -> Bool
}

extension HTTPService {
    package func readsBody(method: String, path: String) -> Bool { false }
}

package struct HTTPRequest: Sendable {
    package var method: String
    /// As sent, without the query and with its percent escapes.
    package var path: String
    /// The parameters after the question mark, decoded, in order.
    package var query: [(name: String, value: String)]
    package var headers: RPCMetadata
    package var body: ByteSlice
    package var peer: String
    /// The origin of the page that sends the request, allowed by the server's policy; nil if it is not from a page.
    package var page: String?
    /// Whether the request has arrived over HTTP/2, where any number of requests share a connection.
    package var isHTTP2 = false

    package init(
        method: String, path: String, query: [(name: String, value: String)] = [], headers: RPCMetadata = RPCMetadata(),
        body: ByteSlice = .empty, peer: String = "", page: String? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
        self.page = page
    }
}

/// A request and the means to answer it. All members may be used from any thread; calls after the end, or after the peer has
/// disconnected, are ignored.
package protocol HTTPExchange: AnyObject, AnswerReservation {
    var request: HTTPRequest { get }

    /// Sends the whole answer.
    func respond(status: Int, headers: RPCMetadata, body: [UInt8])

    /// Starts an answer in pieces: `begin`, any number of `write`, `end`.
    func begin(status: Int, headers: RPCMetadata)
    func write(_ piece: [UInt8])
    func end()

    /// Returns when there is room for more; throws when the peer has disconnected.
    func whenWritable() async throws(RPCStatus)

    /// Runs `body` once if the peer disconnects before the end.
    func onCancel(_ body: @escaping @Sendable () -> Void)

    /// The body of the request, if the service reads it while it arrives.
    var requestBody: HTTPRequestBody? { get }

    /// Breaks off an answer that was started: the peer sees that it is not complete.
    func cut()
}

extension HTTPExchange {
    package var requestBody: HTTPRequestBody? { nil }
    package func cut() { end() }
}
