// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreCore
import FirestoreRPC
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import hearth

/// What the port of the accounts does before and around Identity Toolkit.
@Suite(.timeLimit(.minutes(2)))
struct AccountsHTTPTests {
    private static let prefix = "/identitytoolkit.googleapis.com/v1/"

    // MARK: Forms of a request

    @Test(arguments: ["/identitytoolkit.googleapis.com/v1/accounts:signUp", "/v1/accounts:signUp", "/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser"])
    func `an anonymous user signs up, is looked up, and refreshes`(path: String) async throws {
        for arguments in [AccountsPort.development, AccountsPort.production] {
            try await AccountsPort.run(arguments) { port in
                let up = await port.post(path + "?key=any", #"{"returnSecureToken":true}"#)
                #expect(up.status == 200 && up.text("expiresIn") == "3600" && up.text("localId").utf8.count == 28)
                #expect(up.head.contains("content-type: application/json") && up.head.contains("cache-control: no-store"))
                let lookup = await port.post(Self.prefix + "accounts:lookup", #"{"idToken":"\#(up.text("idToken"))"}"#, "x-goog-api-key: any")
                #expect(lookup.status == 200 && lookup.body.contains(up.text("localId")))
                let token = "/securetoken.googleapis.com/v1/token?key=any"
                let refreshed = await port.post(token, #"{"grantType":"refresh_token","refreshToken":"\#(up.text("refreshToken"))"}"#)
                #expect(refreshed.status == 200 && refreshed.text("user_id") == up.text("localId") && refreshed.text("token_type") == "Bearer")
                let form = await port.ask(
                    "POST", token, ["content-type: application/x-www-form-urlencoded"],
                    "grant_type=refresh_token&refresh_token=\(up.text("refreshToken"))")
                #expect(form.status == 200 && form.text("user_id") == up.text("localId"))
            }
        }
    }

    static let bodies: [(body: String, headers: [String], status: Int, message: String)] = [
        ("", [], 200, ""), ("{}", [], 200, ""), ("[]", [], 400, "Invalid JSON payload"), ("{", [], 400, "Invalid JSON payload"), ("null", [], 400, "Invalid JSON payload"),
        ("{}", ["content-type: application/x-www-form-urlencoded"], 200, ""), ("a=b", ["content-type: application/x-www-form-urlencoded"], 400, "Invalid JSON payload"),
        ("{}", ["content-encoding: gzip"], 415, "content encoding"), ("{}", ["content-encoding: identity"], 200, ""),
        (#"{"email":5}"#, [], 400, "Invalid value at 'email'"), (#"{"a":"\#(String(repeating: "x", count: 256 << 10))"}"#, [], 413, "exceeds the maximum of 262144 bytes"),
    ]

    @Test(arguments: bodies.indices)
    func `bodies are JSON objects within their bounds`(index: Int) async throws {
        let (body, headers, status, message) = Self.bodies[index]
        try await AccountsPort.run(AccountsPort.development) { port in
            let answer = await port.ask("POST", Self.prefix + "accounts:signUp?key=a", headers, body)
            #expect(answer.status == status && (message.isEmpty || answer.message.contains(message)), "\(answer)")
            if status == 200 { return }
            #expect(answer.json["error"]?["code"]?.text() == String(status))
            // Administrators send lists of accounts.
            guard status == 413 else { return }
            let large = await port.ask("POST", Self.prefix + "accounts:signUp", ["authorization: Bearer owner"], body)
            #expect(large.status == 200)
            let endless = String(repeating: " ", count: AccountsHTTP.maximumBody + 1)
            #expect(await port.ask("POST", Self.prefix + "accounts:signUp", ["authorization: Bearer owner"], endless).status == 413)
        }
    }

    @Test func `wrong credentials do not fill the log`() async throws {
        try await AccountsPort.run(AccountsPort.production, authentication: OneAdministrator()) { port in
            let answer = await port.post(Self.prefix + "accounts:lookup", "{}", "authorization: Bearer wrong")
            let refusals = port.log.lines.filter { $0.contains("credentials of a request were refused") }
            #expect(answer.status == 401 && refusals.count == 1 && refusals[0].hasPrefix("debug"), "\(refusals)")
        }
    }

    // MARK: Hosts and pages

    /// Every path of this port, in both modes.
    static let paths = [
        "GET /", "GET /.well-known/jwks.json", "GET /.well-known/openid-configuration", "POST /v1/accounts:signUp?key=a", "POST /v1/token?key=a",
        "POST /identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=a", "POST /securetoken.googleapis.com/v1/token?key=a",
        "POST /www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser?key=a", "GET /v1/projects?key=a", "GET /v1/projects/demo-shop/accounts:batchGet",
        "DELETE /emulator/v1/projects/demo-shop/accounts", "GET /emulator/v1/projects/demo-shop/config", "PATCH /emulator/v1/projects/demo-shop/config",
        "GET /emulator/v1/projects/demo-shop/oobCodes", "GET /emulator/v1/projects/demo-shop/verificationCodes", "GET /emulator/action?mode=resetPassword&oobCode=a",
        "GET /__/auth/action?mode=verifyEmail&oobCode=a", "POST /__/auth/action", "GET /__/auth/action.css", "GET /emulator/auth/handler", "GET /emulator/auth/iframe",
        "POST /v1/projects/demo-shop:createSessionCookie", "GET /v1/sessionCookiePublicKeys", "OPTIONS /v1/accounts:signUp", "GET /nothing",
    ]

    @Test(arguments: [AccountsPort.development, AccountsPort.production])
    func `foreign hosts and foreign pages are rejected on every path`(arguments: [String]) async throws {
        try await AccountsPort.run(arguments) { port in
            for entry in Self.paths {
                let parts = entry.split(separator: " ").map(String.init)
                let page = await port.ask(parts[0], parts[1], ["origin: https://evil.example", "authorization: Bearer owner"], "{}")
                #expect(page.status == 403 && !page.head.contains("access-control-allow-origin"), "\(entry)")
                for origin in ["null", "https://auth.example.com.evil.example", "file://"] {
                    #expect(await port.ask(parts[0], parts[1], ["origin: \(origin)"], "{}").status == 403, "\(entry) \(origin)")
                }
                for host in ["evil.example", "demo-shop.web.app:9099", "auth.example.com.evil.example"] {
                    #expect(await port.ask(parts[0], parts[1], ["host: \(host)", "authorization: Bearer owner"], "{}").status == 421, "\(entry) \(host)")
                }
            }
            // Nothing happened.
            #expect(!port.log.lines.contains { $0.contains("a request for accounts was answered") })
        }
    }

    @Test func `local pages and the pages of the address of the accounts may read answers`() async throws {
        for (arguments, origin) in [(AccountsPort.development, "http://localhost:5173"), (AccountsPort.production, "https://auth.example.com")] {
            try await AccountsPort.run(arguments) { port in
                let preflight = await port.ask(
                    "OPTIONS", Self.prefix + "accounts:signUp?key=a",
                    ["origin: \(origin)", "access-control-request-method: POST", "access-control-request-headers: x-client-version,content-type"], "")
                #expect(preflight.status == 200 && preflight.head.contains("access-control-allow-origin: \(origin)"))
                #expect(preflight.head.contains("access-control-allow-headers: x-client-version,content-type"))
                let answer = await port.post(Self.prefix + "accounts:signUp?key=a", "{}", "origin: \(origin)")
                #expect(answer.status == 200 && answer.head.contains("access-control-allow-origin: \(origin)"))
                // Errors, too.
                let error = await port.post(Self.prefix + "accounts:lookup?key=a", "{}", "origin: \(origin)")
                #expect(error.status == 400 && error.head.contains("access-control-allow-origin: \(origin)"))
            }
        }
    }

    @Test func `the name of the address of the accounts is one of the server's own`() async throws {
        try await AccountsPort.run(AccountsPort.production) { port in
            #expect(await port.post("/v1/accounts:signUp?key=a", "{}", "host: auth.example.com").status == 200)
            #expect(await port.get("/healthz", "host: 10.0.0.9").status == 200)
        }
    }

    // MARK: Callers

    static let callers: [(path: String, headers: [String], development: Int, production: Int)] = [
        ("POST /v1/accounts:signUp", [], 403, 403), ("POST /v1/accounts:signUp?key=", [], 403, 403), ("POST /v1/accounts:signUp?key=a", [], 200, 200),
        ("POST /v1/accounts:signUp", ["authorization: Bearer owner"], 200, 401), ("POST /v1/accounts:signUp", ["authorization: bearer OWNER"], 200, 401),
        ("POST /v1/accounts:signUp?key=a", ["authorization: Bearer ya29.x"], 200, 401), ("POST /v1/accounts:signUp?key=a", ["authorization: Bearer guess"], 401, 401),
        ("POST /v1/accounts:signUp?key=a", ["authorization: Basic owner"], 401, 401), ("POST /v1/accounts:signUp?key=a", ["authorization: Bearer a.user.token"], 401, 401),
        ("POST /v1/accounts:signUp", [OneAdministrator.header], 200, 200), ("POST /v1/projects/demo-shop/accounts", [OneAdministrator.header], 200, 200),
        ("POST /v1/projects/demo-shop/accounts", [], 401, 401), ("POST /v1/projects/demo-shop/accounts?key=a", [], 401, 401),
        ("POST /v1/projects/demo-shop/accounts?key=owner", ["x-goog-api-key: owner"], 401, 401),
        ("GET /v1/projects/demo-shop/accounts:batchGet", ["authorization: Bearer owner"], 200, 401), ("GET /v1/projects/demo-shop/accounts:batchGet", [OneAdministrator.header], 200, 200),
        ("GET /v1/projects/other/accounts:batchGet", [OneAdministrator.header], 200, 404), ("GET /v1/projects/..%2Fother/accounts:batchGet", [OneAdministrator.header], 404, 404),
        ("GET /", [], 200, 404), ("GET /v1/projects?key=a", [], 200, 200), ("GET /v1/projects", [], 403, 403),
        ("GET /emulator/v1/projects/demo-shop/oobCodes", [], 200, 404), ("GET /emulator/v1/projects/demo-shop/oobCodes", [OneAdministrator.header], 200, 200),
        ("GET /emulator/v1/projects/demo-shop/config?key=a", [], 200, 404), ("PATCH /emulator/v1/projects/demo-shop/config", [OneAdministrator.header], 200, 400),
        ("GET /emulator/v1/projects/demo-shop/verificationCodes", [], 200, 404), ("GET /emulator/action?mode=resetPassword&oobCode=a&newPassword=abcdef", [], 400, 404),
        ("GET /emulator/action?mode=verifyEmail&oobCode=a", [OneAdministrator.header], 400, 404), ("DELETE /emulator/v1/projects/demo-shop/accounts", [], 200, 404),
        ("DELETE /emulator/v1/projects/demo-shop/accounts", [OneAdministrator.header], 200, 200), ("GET /.well-known/jwks.json", [], 200, 200),
        ("POST /v1/projects/demo-shop/tenants//accounts:batchCreate", [OneAdministrator.header], 400, 400), ("GET /v1/accounts:signUp?key=a", [], 405, 405),
        ("POST /v1/accounts:nothing?key=a", [], 404, 404), ("POST /v1/projects/demo-shop:createSessionCookie", [OneAdministrator.header], 400, 400),
        ("POST /v1/projects/demo-shop:createSessionCookie?key=a", [], 401, 401), ("POST /v1/projects/other:createSessionCookie", [OneAdministrator.header], 400, 404),
        ("GET /v1/sessionCookiePublicKeys", [], 200, 200), ("GET /identitytoolkit/v3/relyingparty/publicKeys", [], 200, 200),
        ("GET /emulator/auth/handler", [], 200, 501), ("GET /emulator/auth/iframe", [], 200, 501), ("GET /__/auth/handler", [], 200, 501),
    ]

    @Test(arguments: callers.indices)
    func `operations that the emulator allows without proof need the administrator in production`(index: Int) async throws {
        let (entry, headers, development, production) = Self.callers[index]
        let parts = entry.split(separator: " ").map(String.init)
        for (arguments, status) in [(AccountsPort.development, development), (AccountsPort.production, production)] {
            try await AccountsPort.run(arguments, authentication: OneAdministrator()) { port in
                let answer = await port.ask(parts[0], parts[1], headers, "")
                #expect(answer.status == status, "\(entry) \(headers) \(arguments[0]): \(answer.body)")
                if status == 401 { #expect(answer.head.contains("www-authenticate: bearer")) }
            }
        }
    }

    @Test func `without administrator keys production has no administrator`() async throws {
        try await AccountsPort.run(AccountsPort.production) { port in
            for header in ["authorization: Bearer owner", OneAdministrator.header] {
                #expect(await port.get("/v1/projects/demo-shop/accounts:batchGet", header).status == 401)
            }
        }
    }

    @Test(arguments: ["forwarded: for=192.0.2.1", "x-forwarded-for: 127.0.0.1"])
    func `development mode does not answer through proxies`(header: String) async throws {
        try await AccountsPort.run(AccountsPort.development) { port in
            let answer = await port.post("/v1/accounts:signUp?key=a", "{}", header)
            #expect(answer.status == 403 && answer.message.contains("proxy"))
        }
        try await AccountsPort.run(AccountsPort.production) { port in
            #expect(await port.post("/v1/accounts:signUp?key=a", "{}", header).status == 200)
        }
    }

    @Test func `limits count clients behind a trusted proxy one by one, and others by their connection`() async throws {
        let arguments = AccountsPort.production + ["--auth-sign-ups", "2"]
        func signUps(_ port: AccountsPort, _ addresses: [String]) async -> [Int] {
            var statuses: [Int] = []
            for address in addresses { statuses.append(await port.post("/v1/accounts:signUp?key=a", "{}", "x-forwarded-for: \(address)").status) }
            return statuses
        }
        try await AccountsPort.run(arguments, trusting: ["127.0.0.1"]) { port in
            #expect(await signUps(port, ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"]) == [200, 200, 400, 200])
            // Only what the proxy itself has added is used, in any spelling, and a network of IPv6 as one client.
            let others = ["8.8.8.8, 192.0.2.1", "192.0.2.1, 127.0.0.1", "::ffff:192.0.2.1", "2001:db8::1", "2001:db8:0::2", "2001:db8::3"]
            #expect(await signUps(port, others) == [400, 400, 400, 200, 200, 400])
        }
        try await AccountsPort.run(arguments) { port in
            #expect(await signUps(port, ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) == [200, 200, 400])
        }
    }

    // MARK: Documents

    @Test func `the keys of the tokens are published`() async throws {
        try await AccountsPort.run(AccountsPort.production) { port in
            let discovery = await port.get("/.well-known/openid-configuration")
            #expect(discovery.text("issuer") == "https://auth.example.com" && discovery.text("jwks_uri") == "https://auth.example.com/.well-known/jwks.json")
            let keys = await port.get("/.well-known/jwks.json")
            #expect(keys.status == 200 && keys.body.contains(#""alg":"RS256""#) && !keys.body.contains(#""d":"#) && keys.head.contains("max-age"))
            let head = await port.ask("HEAD", "/.well-known/jwks.json", [], "")
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test func `a request before the accounts are open is asked to come back`() async throws {
        let settings = try AccountsPort.settings(of: AccountsPort.development)
        let server = try await AccountsServer(
            try #require(settings.guest(AccountsGuest.self)).accounts, listener: settings.listener, in: .memory, grace: .seconds(1), proxies: settings.plan.trustedProxies, log: RecordedLog().logger)
        let port = AccountsPort(server)
        #expect(await port.post("/v1/accounts:signUp?key=a", "{}").status == 503)
        server.serve()
        #expect(await port.post("/v1/accounts:signUp?key=a", "{}").status == 200)
        await server.stop()
    }
}
