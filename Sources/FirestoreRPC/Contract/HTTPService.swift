// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What answers requests that are not gRPC, over HTTP/1.1 and HTTP/2 alike.
package protocol HTTPService: Sendable {
    /// Called off the connection's loop once the whole request is there.
    func handle(_ exchange: any HTTPExchange)
}

package struct HTTPRequest: Sendable {
    package var method: String
    /// As it was sent, without the query: percent escapes are still there.
    package var path: String
    /// What stands behind the question mark, decoded, in order.
    package var query: [(name: String, value: String)]
    package var headers: RPCMetadata
    package var body: ByteSlice
    package var peer: String
    /// The origin of the page that asks, which the server's policy has let in; nil if no page asks.
    package var page: String?

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

/// A request and the way to answer it. Everything may be used from any thread; what comes after the end, or when the
/// other side is gone, is dropped.
package protocol HTTPExchange: AnyObject, Sendable {
    var request: HTTPRequest { get }

    /// The whole answer at once.
    func respond(status: Int, headers: RPCMetadata, body: [UInt8])

    /// The answer in pieces: `begin`, any number of `write`, `end`.
    func begin(status: Int, headers: RPCMetadata)
    func write(_ piece: [UInt8])
    func end()

    /// Returns when there is room for more; throws when the other side is gone.
    func whenWritable() async throws(RPCStatus)

    /// Runs `body` once if the other side goes before the end.
    func onCancel(_ body: @escaping @Sendable () -> Void)
}
