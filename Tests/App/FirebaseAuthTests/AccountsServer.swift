// SPDX-License-Identifier: Apache-2.0
#if Remote && canImport(FirestoreAccounts)
    import FirestoreAccounts
    import FirestoreCore
    import FirestoreRPC
    import FirestoreTokens
    import Foundation
    import TestSupport

    @testable import FirebaseAuth

    /// The accounts of `hearth serve --auth` in the test's process, over HTTP.
    final class AccountsServer: Sendable {
        private static let key = Result { try SigningKey.create() }
        let clock: ManualClock
        let mails = Mutex<[AccountMail]>([])
        let requests = Mutex<[(path: String, headers: RPCMetadata, body: String)]>([])
        /// Answers the next requests instead of the accounts: status and body.
        let script = Mutex<[(status: Int, body: String)]>([])
        private let service = Mutex<AccountService?>(nil)
        private let server = Mutex<RPCServer?>(nil)
        let address = Mutex(RPCAddress(host: "127.0.0.1", port: 0))

        init(_ clock: ManualClock, project: String = "demo-auth", change: (inout AccountPolicy) -> Void = { _ in }) async throws {
            self.clock = clock
            var policy = AccountPolicy.development(project: project)
            policy.passwordCost = PasswordHash.Cost(logRounds: 1, blockSize: 1, parallelism: 1)
            change(&policy)
            let accounts = try AccountService(
                policy, store: try AccountStore.openInMemory(project: project), key: try Self.key.get(), clock: clock,
                deliver: { [weak self] mail in self?.mails.withLock { $0.append(mail) } })
            service.withLock { $0 = accounts }
            let server = RPCServer(
                configuration: RPCServerConfiguration(), service: NoMethods(),
                http: Routes(toolkit: IdentityToolkit(accounts)) { [weak self] request in
                    guard let self else { return nil }
                    requests.withLock { $0.append((request.path, request.headers, String(decoding: request.body.array, as: UTF8.self))) }
                    return script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                })
            let bound = try await server.start()
            address.withLock { $0 = bound }
            self.server.withLock { $0 = server }
        }

        var accounts: AccountService { get throws { try service.withLock(\.self).orThrow() } }

        /// The last parts of the paths of all requests, without those before.
        func takeMethods() -> [String] {
            requests.withLock { requests in
                defer { requests = [] }
                return requests.map { $0.path.split(separator: "/").last.map(String.init) ?? "" }
            }
        }

        func answer(_ status: Int, _ body: String) { script.withLock { $0.append((status, body)) } }

        func fail(_ code: String, status: Int = 400) {
            answer(status, #"{"error":{"code":\#(status),"message":"\#(code)","errors":[]}}"#)
        }

        func auth(_ place: AuthFixture) -> Auth {
            let auth = place.auth()
            let address = address.withLock { $0 }
            auth.useEmulator(withHost: address.host, port: address.port)
            return auth
        }

        func stop() async { await server.withLock(\.self)?.shutdown(grace: .zero) }
    }

    extension Optional {
        fileprivate func orThrow() throws -> Wrapped {
            guard let self else { throw CancellationError() }
            return self
        }
    }

    private struct NoMethods: RPCService {
        func method(at path: String) -> RPCMethod? { nil }
    }

    private struct Routes: HTTPService {
        let toolkit: IdentityToolkit
        let scripted: @Sendable (HTTPRequest) -> (status: Int, body: String)?

        func handle(_ exchange: any HTTPExchange) {
            let request = exchange.request
            if let (status, body) = scripted(request) {
                return exchange.respond(status: status, headers: RPCMetadata(), body: Array(body.utf8))
            }
            Task {
                let hasKey = request.query.contains { $0.name == "key" && !$0.value.isEmpty }
                let answer = await toolkit.respond(
                    to: IdentityRequest(
                        method: request.method, path: request.path, query: request.query,
                        body: (try? JSON(request.body.array)) ?? .object([]), caller: hasKey ? .client : .none, address: request.peer))
                exchange.respond(status: answer.status, headers: RPCMetadata(), body: answer.body.bytes())
            }
        }
    }
#endif
