// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation

/// A token endpoint over real HTTP, on a port of this machine: records requests and answers as the test decides.
final class TokenServer: HTTPService {
    struct Request: Sendable {
        let method: String
        let path: String
        let headers: RPCMetadata
        let form: [String: String]
    }

    enum Answer: Sendable {
        case json(Int, String)
        case redirect(String)
        case nothing

        static func token(_ token: String, lifetime: Int = 3600) -> Answer {
            .json(200, #"{"access_token": "\#(token)", "expires_in": \#(lifetime), "token_type": "Bearer"}"#)
        }
    }

    private let answer: @Sendable (Request, Int) -> Answer
    private let state = Mutex<[Request]>([])
    private let server = Mutex<RPCServer?>(nil)
    private let hanging = Mutex<[any HTTPExchange]>([])

    /// `answer` gets the request and how many came before it.
    init(_ answer: @escaping @Sendable (Request, Int) -> Answer) { self.answer = answer }

    var requests: [Request] { state.withLock { $0 } }

    /// Runs `body` with `host:port`.
    func run(_ body: (String) async throws -> Void) async throws {
        let rpc = RPCServer(configuration: RPCServerConfiguration(), service: NoMethods(), http: self)
        let address = try await rpc.start()
        do { try await body("\(address)") } catch {
            await rpc.shutdown(grace: .zero)
            throw error
        }
        await rpc.shutdown(grace: .zero)
    }

    func handle(_ exchange: any HTTPExchange) {
        let asked = exchange.request
        let text = String(decoding: asked.body.array, as: UTF8.self)
        var form: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
            if parts.count == 2 { form[parts[0]] = parts[1] }
        }
        let request = Request(method: asked.method, path: asked.path, headers: asked.headers, form: form)
        let count = state.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        switch answer(request, count) {
        case .json(let status, let body):
            exchange.respond(status: status, headers: RPCMetadata([("content-type", "application/json")]), body: Array(body.utf8))
        case .redirect(let target): exchange.respond(status: 302, headers: RPCMetadata([("location", target)]), body: [])
        // Retained, so that it is not answered by being released.
        case .nothing: hanging.withLock { $0.append(exchange) }
        }
    }
}

/// gRPC is not what it is for.
private struct NoMethods: RPCService {
    func method(at path: String) -> RPCMethod? { nil }
}
