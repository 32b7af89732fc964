// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The headers by which a browser allows a page to read an answer (CORS).
///
/// The listener's `AccessPolicy` decides which pages may send requests; those of other pages do not get here.
package struct CrossOrigin {
    private let page: String

    /// nil if the request is not from a page.
    package init?(_ request: HTTPRequest) {
        guard let page = request.page else { return nil }
        self.page = page
    }

    /// The web SDK sends requests with credentials, although it uses none (WC-52). Nothing here is authorized by what a browser sends
    /// by itself, such as cookies (WC-53).
    var headers: [(name: String, value: String)] {
        [
            (name: "access-control-allow-origin", value: page), (name: "access-control-allow-credentials", value: "true"),
            (name: "vary", value: "origin"),
        ]
    }

    /// Whether the request is a preflight: the browser asks whether the page may send a request that needs permission.
    package static func isPreflight(_ request: HTTPRequest) -> Bool {
        request.method == "OPTIONS" && request.headers["access-control-request-method"] != nil
    }

    /// Answers a preflight with the methods that the path of the request offers.
    package func answerPreflight(
        _ exchange: any HTTPExchange, allowing verbs: [String] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    ) {
        var answer = RPCMetadata(headers)
        answer.append("access-control-allow-methods", verbs.joined(separator: ", "))
        answer.append("access-control-allow-headers", exchange.request.headers["access-control-request-headers"] ?? "content-type")
        answer.append("access-control-max-age", "3600")
        if exchange.request.headers["access-control-request-private-network"] == "true" {
            answer.append("access-control-allow-private-network", "true")
        }
        exchange.respond(status: 200, headers: answer, body: [])
    }
}

/// A request from a page: every answer allows the page to read it.
package final class CrossOriginExchange: HTTPExchange {
    private let exchange: any HTTPExchange
    private let headers: [(name: String, value: String)]

    package init(_ exchange: any HTTPExchange, _ origin: CrossOrigin) {
        self.exchange = exchange
        headers = origin.headers
    }

    package var request: HTTPRequest { exchange.request }

    private func extended(_ answer: RPCMetadata) -> RPCMetadata { RPCMetadata(answer.entries + headers) }

    package func respond(status: Int, headers: RPCMetadata, body: [UInt8]) {
        exchange.respond(status: status, headers: extended(headers), body: body)
    }

    package func begin(status: Int, headers: RPCMetadata) { exchange.begin(status: status, headers: extended(headers)) }
    package func write(_ piece: [UInt8]) { exchange.write(piece) }
    package func end() { exchange.end() }
    package func whenWritable() async throws(RPCStatus) { try await exchange.whenWritable() }
    package func reserve(_ bytes: Int) async throws(RPCStatus) { try await exchange.reserve(bytes) }
    package func giveBackReserved() { exchange.giveBackReserved() }
    package func onCancel(_ body: @escaping @Sendable () -> Void) { exchange.onCancel(body) }
    package var requestBody: HTTPRequestBody? { exchange.requestBody }
    package func cut() { exchange.cut() }
}
