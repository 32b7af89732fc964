// SPDX-License-Identifier: Apache-2.0
import FirestoreGateway
import FirestoreRPC

/// A request below `/console`: every answer has the headers that exclude other pages, and allow only the console's own scripts (CO-53).
final class ConsoleExchange: HTTPExchange {
    private static let headers: [(name: String, value: String)] = [
        (
            name: "content-security-policy",
            value: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
                + "font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
        ),
        (name: "x-content-type-options", value: "nosniff"), (name: "referrer-policy", value: "no-referrer"),
        (name: "cross-origin-opener-policy", value: "same-origin"), (name: "cross-origin-resource-policy", value: "same-origin"),
    ]

    private let exchange: any HTTPExchange

    init(_ exchange: any HTTPExchange) { self.exchange = exchange }

    var request: HTTPRequest { exchange.request }

    private func extended(_ answer: RPCMetadata) -> RPCMetadata { RPCMetadata(answer.entries + Self.headers) }

    func respond(status: Int, headers: RPCMetadata, body: [UInt8]) {
        exchange.respond(status: status, headers: extended(headers), body: body)
    }

    func begin(status: Int, headers: RPCMetadata) { exchange.begin(status: status, headers: extended(headers)) }
    func write(_ piece: [UInt8]) { exchange.write(piece) }
    func end() { exchange.end() }
    func whenWritable() async throws(RPCStatus) { try await exchange.whenWritable() }
    func reserve(_ bytes: Int) async throws(RPCStatus) { try await exchange.reserve(bytes) }
    func giveBackReserved() { exchange.giveBackReserved() }
    func onCancel(_ body: @escaping @Sendable () -> Void) { exchange.onCancel(body) }
    var requestBody: HTTPRequestBody? { exchange.requestBody }
    func cut() { exchange.cut() }
}
