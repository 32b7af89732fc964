import FirestoreCore
import FirestoreRPC

/// Which pages in browsers may use the REST surface: those that come from this machine, as in development.
///
/// Google's emulator lets every page in. But a browser lends its place in the network to whatever page it shows, and whoever
/// reaches the port is an administrator: a page from elsewhere could read the databases of the machine it is looked at on.
struct CrossOrigin {
    private let origin: String
    private let isAllowed: Bool

    /// nil if the request does not come from a page.
    init?(_ request: HTTPRequest) {
        guard let origin = request.headers["origin"] else { return nil }
        self.origin = origin
        isAllowed = Self.isOfThisMachine(origin)
    }

    /// What an answer needs so that the page may read it.
    var headers: [(name: String, value: String)] {
        let vary = (name: "vary", value: "origin")
        return isAllowed ? [(name: "access-control-allow-origin", value: origin), vary] : [vary]
    }

    /// The answer to the question a browser asks before a request.
    func answerPreflight(_ exchange: any HTTPExchange) {
        var answer = RPCMetadata(headers)
        if isAllowed {
            answer.append("access-control-allow-methods", "GET, POST, PATCH, DELETE")
            answer.append("access-control-allow-headers", exchange.request.headers["access-control-request-headers"] ?? "content-type")
            answer.append("access-control-max-age", "3600")
        }
        exchange.respond(status: isAllowed ? 200 : 403, headers: answer, body: [])
    }

    /// `http://localhost:5173`, `https://app.localhost`, `http://127.0.0.1`, `http://[::1]:3000`
    static func isOfThisMachine(_ origin: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { origin.utf8.starts(with: $0.utf8) }) else { return false }
        var host = Array(origin.utf8.dropFirst(scheme.utf8.count))
        if let colon = host.lastIndex(of: UInt8(ascii: ":")), !host[(colon + 1)...].isEmpty,
            host[(colon + 1)...].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        {
            host.removeSubrange(colon...)
        }
        let name = ".localhost".utf8
        return ["localhost", "127.0.0.1", "[::1]"].contains { host.elementsEqual($0.utf8) }
            || (host.count > name.count && host.suffix(name.count).elementsEqual(name))
    }
}

/// A request of a page: every answer to it says whether the page may read it.
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
