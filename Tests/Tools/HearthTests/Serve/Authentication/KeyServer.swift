// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreTokens

/// A server on this machine that publishes keys, as issuers do.
final class KeyServer: Sendable {
    struct Page: Sendable {
        var status = 200
        var body: [UInt8] = []
        var cacheControl: String? = "public, max-age=3600"
        var location: String?
    }

    private final class Pages: HTTPService {
        let state = Mutex((pages: [String: Page](), requests: [String]()))

        func handle(_ exchange: any HTTPExchange) {
            let path = exchange.request.path
            let page = state.withLock { state in
                state.requests.append(path)
                return state.pages[path]
            }
            guard let page else { return exchange.respond(status: 404, headers: RPCMetadata(), body: []) }
            var headers: [(name: String, value: String)] = []
            if let text = page.cacheControl { headers.append(("cache-control", text)) }
            if let text = page.location { headers.append(("location", text)) }
            exchange.respond(status: page.status, headers: RPCMetadata(headers), body: page.body)
        }
    }

    private struct NoCalls: RPCService {
        func method(at path: String) -> RPCMethod? { nil }
    }

    private let pages = Pages()
    private let server: RPCServer
    private let address: RPCAddress

    init() async throws {
        server = RPCServer(configuration: RPCServerConfiguration(), service: NoCalls(), http: pages)
        address = try await server.start()
    }

    func stop() async { await server.shutdown(grace: .zero) }

    /// The address of a page, always of this machine.
    func url(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(address.port)\(path)" }

    func publish(_ path: String, _ page: Page) { pages.state.withLock { $0.pages[path] = page } }

    func publish(_ path: String, _ text: String) { publish(path, Page(body: [UInt8](text.utf8))) }

    func publish(_ path: String, keys: [SigningKey]) { publish(path, Page(body: SigningKey.document(of: keys).bytes())) }

    /// How often a page was asked for.
    func requests(_ path: String) -> Int { pages.state.withLock { $0.requests.count { $0 == path } } }
}
