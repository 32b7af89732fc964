// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Logging

/// Identity Toolkit over HTTP: reads requests, and recognizes requests of administrators.
///
/// The listener has already rejected foreign hosts and foreign pages.
package final class AccountsHTTP: HTTPService {
    /// Answers requests, once the accounts are open.
    struct Backend: Sendable {
        let toolkit: IdentityToolkit
        let projects: AccountProjects
        /// Recognizes administrators; without it, only development mode has any.
        let authentication: (any CallAuthentication)?
        /// Where clients reach the accounts.
        let base: String
    }

    /// A client's requests contain tokens and a few short texts, an administrator's also lists of accounts.
    static let maximumClientBody = 256 << 10
    package static let maximumBody = 4 << 20
    /// Requests being answered. Passwords are limited further by `AccountService`.
    static let maximumRequests = 512

    private let settings: AccountSettings
    private let proxies: TrustedProxies
    private let log: Logger
    private let backend = Mutex<Backend?>(nil)
    private let running = Mutex(0)

    init(_ settings: AccountSettings, proxies: TrustedProxies, log: Logger) {
        self.settings = settings
        self.proxies = proxies
        self.log = log
    }

    /// Starts to answer. Until then requests are `UNAVAILABLE`.
    func serve(_ backend: Backend) { self.backend.withLock { $0 = backend } }

    func handle(_ exchange: any HTTPExchange) {
        let request = exchange.request
        var exchange = exchange
        if let origin = CrossOrigin(request) {
            if CrossOrigin.isPreflight(request) { return origin.answerPreflight(exchange) }
            exchange = CrossOriginExchange(exchange, origin)
        }
        if request.method == "OPTIONS" {
            let allow = RPCMetadata([("allow", "GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS")])
            return exchange.respond(status: 200, headers: allow, body: [])
        }
        guard let backend = backend.withLock(\.self) else { return send(Self.refusal("the server is starting; try again", 503), exchange) }
        if Self.probes.contains(request.path) { return send(text: "ok\n", exchange) }
        if settings.isDevelopment, TrustedProxies.isForwarded(request.headers) {
            let reason = "development mode trusts every caller, so it does not answer requests that a proxy passes on"
            return send(Self.refusal(reason, 403, "PERMISSION_DENIED"), exchange)
        }
        let isAdmitted = running.withLock { running in
            guard running < Self.maximumRequests else { return false }
            running += 1
            return true
        }
        guard isAdmitted else { return send(Self.refusal("too many requests are being answered; try again", 503), exchange) }
        let answering = exchange
        Task {
            await answer(answering, backend)
            running.withLock { $0 -= 1 }
        }
    }

    static let probes: Set<String> = ["/healthz", "/livez", "/readyz"]

    private static func refusal(_ message: String, _ status: Int, _ name: String = "UNAVAILABLE") -> IdentityResponse {
        IdentityResponse(AccountError(refused: message, status, name))
    }

    private func answer(_ exchange: any HTTPExchange, _ backend: Backend) async {
        let request = exchange.request
        if request.path == "/.well-known/openid-configuration", request.method == "GET" || request.method == "HEAD" {
            return send(IdentityResponse(Discovery.document(settings, base: backend.base)), exchange, isPublic: true)
        }
        if let page = await page(request, backend) {
            return exchange.respond(status: page.status, headers: page.headers, body: request.method == "HEAD" ? [] : page.body)
        }
        do throws(AccountError) {
            let caller = try await caller(request, backend)
            let body = try Self.body(of: request, isBounded: caller != .administrator)
            var asked = IdentityRequest(
                method: request.method == "HEAD" ? "GET" : request.method, path: request.path, query: request.query, body: body,
                caller: caller, address: proxies.client(of: request))
            asked.headerKey = request.headers["x-goog-api-key"]
            let response = await backend.toolkit.respond(to: asked)
            send(response, exchange, isPublic: request.path == "/.well-known/jwks.json")
        } catch {
            send(IdentityResponse(error), exchange)
        }
    }

    /// The pages that a person sees in a browser: the pages of links, and sign-in windows.
    private func page(_ request: HTTPRequest, _ backend: Backend) async -> AccountPage.Answer? {
        if let page = SignInWindow(path: request.path) { return page.answer(request, settings) }
        guard !settings.isDevelopment, request.path == AccountPage.stylePath || request.path == ActionPage.path else { return nil }
        if request.path == AccountPage.stylePath { return AccountPage.style }
        return await ActionPage(settings, backend.toolkit).answer(request, from: proxies.client(of: request))
    }

    // MARK: Callers

    private static let invalidCredentials = AccountError(
        refused: "Request had invalid authentication credentials. Expected an administrator's key as bearer token, or none.", 401,
        "UNAUTHENTICATED")

    /// The caller of a request (AU-21). An API key proves nothing: with any key the caller is a client.
    private func caller(_ request: HTTPRequest, _ backend: Backend) async throws(AccountError) -> IdentityRequest.Caller {
        guard let authorization = request.headers["authorization"] else {
            let key = request.query.last { equalUTF8($0.name, "key") }?.value ?? request.headers["x-goog-api-key"] ?? ""
            return key.isEmpty ? .none : .client
        }
        let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
        if settings.isDevelopment, parts.count == 2, parts[0].lowercased() == "bearer",
            parts[1].lowercased() == "owner" || parts[1].hasPrefix("ya29.")
        {
            return .administrator
        }
        guard let authentication = backend.authentication else { throw Self.invalidCredentials }
        let identity: CallIdentity
        do throws(FirestoreError) {
            identity = try await authentication.identify(
                RPCCallInfo(path: request.path, metadata: request.headers, peer: request.peer))
        } catch {
            // Any client can cause this, as often as it likes.
            log.debug("credentials of a request were refused", metadata: ["reason": "\(error.message)"])
            throw Self.invalidCredentials
        }
        guard case .administrator = identity.caller else { throw Self.invalidCredentials }
        return .administrator
    }

    // MARK: Bodies

    private static func body(of request: HTTPRequest, isBounded: Bool) throws(AccountError) -> JSON {
        guard request.body.count > 0 else { return .object([]) }
        guard request.headers["content-encoding"].map({ $0.lowercased() == "identity" }) ?? true else {
            throw AccountError(refused: "the content encoding is not supported; send the body as it is", 415, "INVALID_ARGUMENT")
        }
        guard !isBounded || request.body.count <= maximumClientBody else {
            let refusal = HTTPRefusal.tooLarge(maximumClientBody)
            throw AccountError(refused: refusal.message, refusal.status, refusal.name)
        }
        let type = request.headers["content-type"]?.lowercased() ?? ""
        let bytes = request.body.array
        // Elsewhere a form is what curl calls a body by default.
        if type.hasPrefix("application/x-www-form-urlencoded"), request.path.hasSuffix("/v1/token") {
            return IdentityRequest.body(form: String(decoding: bytes, as: UTF8.self)[...])
        }
        guard let json = try? JSON(bytes), case .object = json else {
            throw AccountError(refused: "Invalid JSON payload received: a JSON object is expected.", 400, "INVALID_ARGUMENT")
        }
        return json
    }

    // MARK: Responses

    private func send(_ response: IdentityResponse, _ exchange: any HTTPExchange, isPublic: Bool = false) {
        let request = exchange.request
        // Without the query, which contains keys and codes.
        var about: Logger.Metadata = ["method": "\(request.method.prefix(20))", "status": "\(response.status)"]
        about["path"] = "\(request.path.prefix(200))"
        if let note = response.note {
            log.error("a request for accounts failed", metadata: about.merging(["reason": "\(note)"]) { $1 })
        } else {
            log.debug("a request for accounts was answered", metadata: about)
        }
        var headers = RPCMetadata([("content-type", "application/json; charset=utf-8")])
        headers.append("cache-control", isPublic && response.status == 200 ? "public, max-age=3600" : "no-store")
        headers.append("x-content-type-options", "nosniff")
        if response.status == 401 { headers.append("www-authenticate", "Bearer") }
        exchange.respond(status: response.status, headers: headers, body: request.method == "HEAD" ? [] : response.body.bytes())
    }

    private func send(text: String, _ exchange: any HTTPExchange) {
        exchange.respond(status: 200, headers: RPCMetadata([("content-type", "text/plain; charset=utf-8")]), body: Array(text.utf8))
    }
}

extension AccountError {
    /// An error whose message is a sentence.
    fileprivate init(refused message: String, _ status: Int, _ name: String) {
        self.init(message, status: status, canonicalName: name)
    }
}
