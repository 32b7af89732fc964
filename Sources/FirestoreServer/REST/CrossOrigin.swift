// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// What a browser needs to hear so that a page may read an answer (CORS).
///
/// Which pages may ask at all is the listener's `AccessPolicy`: a request of any other page does not come this far.
struct CrossOrigin {
    private let page: String

    /// nil if no page asks.
    init?(_ request: HTTPRequest) {
        guard let page = request.page else { return nil }
        self.page = page
    }

    var headers: [(name: String, value: String)] {
        [(name: "access-control-allow-origin", value: page), (name: "vary", value: "origin")]
    }

    /// The question a browser asks before a request that only a page with permission may send.
    static func isPreflight(_ request: HTTPRequest) -> Bool {
        request.method == "OPTIONS" && request.headers["access-control-request-method"] != nil
    }

    func answerPreflight(_ exchange: any HTTPExchange) {
        var answer = RPCMetadata(headers)
        answer.append("access-control-allow-methods", "GET, HEAD, POST, PATCH, DELETE")
        answer.append("access-control-allow-headers", exchange.request.headers["access-control-request-headers"] ?? "content-type")
        answer.append("access-control-max-age", "3600")
        exchange.respond(status: 200, headers: answer, body: [])
    }
}

/// A request of a page: every answer to it says that the page may read it.
final class CrossOriginExchange: HTTPExchange {
    private let exchange: any HTTPExchange
    private let headers: [(name: String, value: String)]

    init(_ exchange: any HTTPExchange, _ origin: CrossOrigin) {
        self.exchange = exchange
        headers = origin.headers
    }

    var request: HTTPRequest { exchange.request }

    private func extended(_ answer: RPCMetadata) -> RPCMetadata { RPCMetadata(answer.entries + headers) }

    func respond(status: Int, headers: RPCMetadata, body: [UInt8]) {
        exchange.respond(status: status, headers: extended(headers), body: body)
    }

    func begin(status: Int, headers: RPCMetadata) { exchange.begin(status: status, headers: extended(headers)) }
    func write(_ piece: [UInt8]) { exchange.write(piece) }
    func end() { exchange.end() }
    func whenWritable() async throws(RPCStatus) { try await exchange.whenWritable() }
    func onCancel(_ body: @escaping @Sendable () -> Void) { exchange.onCancel(body) }
}
