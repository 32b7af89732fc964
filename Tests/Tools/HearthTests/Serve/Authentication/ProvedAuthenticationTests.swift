// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreTokens
import Foundation
import HearthBase
import Logging
import ServerTestSupport
import TestSupport
import Testing

@testable import hearth

/// Who calls a server in production, with keys from a server on this machine.
@Suite(.timeLimit(.minutes(2))) struct ProvedAuthenticationTests {
    private static let now: Int64 = 1_700_000_000
    private let clock = ManualClock(microseconds: now * 1_000_000)
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func security(_ arguments: [String], usesTLS: Bool = false) throws -> ServerSecurity {
        let tls = usesTLS ? ["--tls-cert", "cert.pem", "--tls-key", "key.pem"] : []
        let settings = try ServeSettings(words: arguments + tls, environment: [:])
        let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        return try ServerSecurity(
            try #require(settings.guest(SecurityGuest.self)).security, ServerStart(settings, clock: clock, log: log))
    }

    private static func call(_ authorization: String?, peer: String = "127.0.0.1:5", _ more: [(name: String, value: String)] = []) -> RPCCallInfo {
        RPCCallInfo(path: "/x", metadata: RPCMetadata((authorization.map { [("authorization", $0)] } ?? []) + more), peer: peer)
    }

    private static func user(_ identity: CallIdentity) -> String {
        switch identity.caller {
        case .administrator: "administrator"
        case .anonymous: "anonymous"
        case .user(let id, _): id
        }
    }

    /// The user, or the code of the error and its text.
    private static func outcome(_ authentication: any CallAuthentication, _ call: RPCCallInfo) async -> String {
        do throws(FirestoreError) {
            let identity = try await authentication.identify(call)
            // Once the keys are there nothing is waited for.
            guard let immediate = try authentication.identifyNow(call), user(immediate) == user(identity) else { return "not immediate" }
            return user(identity)
        } catch {
            return "\(error.code): \(error.message)"
        }
    }

    private func withKeys(_ body: (KeyServer) async throws -> Void) async throws {
        let server = try await KeyServer()
        server.publish("/keys", keys: [try TestIssuer.first.get()])
        do { try await body(server) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func firebase(_ server: KeyServer, _ more: String...) throws -> ServerSecurity {
        try security(["--firebase-project", TestIssuer.project, "--firebase-keys-url", server.url("/keys")] + more)
    }

    // MARK: Headers and administrators

    static let headers: [(authorization: String?, peer: String, more: [(name: String, value: String)], arguments: [String], outcome: String)] = [
        (nil, "192.0.2.1:5", [], [], "anonymous"), ("Bearer KEY", "127.0.0.1:5", [], [], "administrator"), ("bearer  KEY", "127.0.0.1:5", [], [], "administrator"), ("Bearer KEY", "::1:5", [], [], "administrator"),
        ("Bearer OTHER", "127.0.0.1:5", [], [], "administrator"), ("Bearer KEYx", "127.0.0.1:5", [], [], "unauthenticated: the bearer token is neither"),
        ("Bearer KEY", "192.0.2.1:5", [], [], "unauthenticated: administrator keys are accepted over TLS"), ("Bearer wrong", "192.0.2.1:5", [], [], "unauthenticated: administrator keys are accepted over TLS"),
        ("Bearer KEY", "192.0.2.1:5", [], ["tls"], "administrator"), ("Bearer KEY", "192.0.2.1:5", [], ["--trusted-proxy", "192.0.2.0/24"], "administrator"),
        ("Bearer KEY", "127.0.0.1:5", [("x-forwarded-for", "203.0.113.1")], [], "unauthenticated: administrator keys are accepted over TLS"),
        ("Bearer KEY", "127.0.0.1:5", [("forwarded", "for=203.0.113.1")], [], "unauthenticated: administrator keys"),
        ("Bearer KEY", "127.0.0.1:5", [("x-forwarded-for", "203.0.113.1")], ["--trusted-proxy", "127.0.0.1"], "administrator"),
        ("Bearer KEY", "loopback", [], [], "unauthenticated: administrator keys"), ("Bearer owner", "127.0.0.1:5", [], [], "unauthenticated: \"owner\" is the administrator in development mode only"),
        ("Bearer OWNER", "127.0.0.1:5", [], ["tls"], "unauthenticated: \"owner\""), ("Bearer ya29.a", "127.0.0.1:5", [], [], "unauthenticated: access tokens of Google"),
        ("Bearer", "127.0.0.1:5", [], [], "unauthenticated: the authorization header must be"),
        ("Bearer ", "127.0.0.1:5", [], [], "unauthenticated: the authorization header must be"), ("", "127.0.0.1:5", [], [], "unauthenticated: the authorization header must be"),
        ("Basic KEY", "127.0.0.1:5", [], [], "unauthenticated: the authorization header must be"),
        ("Bearer KEY KEY", "127.0.0.1:5", [], [], "unauthenticated: the authorization header must be"),
        ("Bearer KEY", "127.0.0.1:5", [("authorization", "Bearer KEY")], [], "unauthenticated: the request has two authorization headers"),
        ("Bearer a.b.c", "127.0.0.1:5", [], [], "unauthenticated: this server accepts no tokens of users"), ("Bearer KEY", "127.0.0.1:5", [], ["no key"], "unauthenticated: the bearer token is not a JSON web token"),
    ]

    @Test(arguments: headers.indices)
    func `administrators present a key that crossed no network in the clear`(index: Int) async throws {
        var (authorization, peer, more, arguments, outcome) = Self.headers[index]
        let file = try AdministratorKeysTests.file(folder, AdministratorKeysTests.first + "\n" + AdministratorKeysTests.second)
        func filled(_ text: String) -> String {
            text.replacing("KEY", with: AdministratorKeysTests.first).replacing("OTHER", with: AdministratorKeysTests.second)
        }
        let hasKey = arguments != ["no key"]
        let usesTLS = arguments == ["tls"]
        if usesTLS || !hasKey { arguments = [] }
        let security = try security(arguments + (hasKey ? ["--admin-key-file", file] : ["--issuer", try issuerFile("https://127.0.0.1:1")]), usesTLS: usesTLS)
        more = more.map { ($0.name, filled($0.value)) }
        var found = await Self.outcome(security.authentication, Self.call(authorization.map(filled), peer: peer, more))
        if !hasKey { outcome = outcome.replacing("this server accepts no tokens of users", with: "") }
        found = String(found.prefix(outcome.count))
        #expect(found == outcome)
    }

    @Test func `a key that was removed ends its streams`() async throws {
        let file = try AdministratorKeysTests.file(folder)
        let security = try security(["--admin-key-file", file])
        let notices = Mutex(0)
        security.authentication.observe { notices.withLock { $0 += 1 } }
        let identity = try #require(try security.authentication.identifyNow(Self.call("Bearer \(AdministratorKeysTests.first)")))
        security.reload()
        var isKnown = try identity.check.now()
        #expect(isKnown)
        _ = try AdministratorKeysTests.file(folder, AdministratorKeysTests.second)
        security.reload()
        #expect(throws: FirestoreError.self) { isKnown = try identity.check.now() }
        #expect(notices.withLock { $0 } == 2)
        // A file that cannot be used changes nothing.
        _ = try AdministratorKeysTests.file(folder, "broken")
        security.reload()
        #expect(await Self.outcome(security.authentication, Self.call("Bearer \(AdministratorKeysTests.second)")) == "administrator")
    }

    // MARK: Firebase ID tokens

    static let tokens: [(name: String, changes: [(name: String, value: JSON?)], outcome: String)] = [
        ("valid", [], "alice"), ("expired within the skew", [("exp", .number(now - 59))], "alice"), ("expired", [("exp", .number(now - 60))], "unauthenticated: the token has expired"),
        ("of another project", [("aud", .string("other"))], "unauthenticated: the token is for \"other\""),
        ("of another issuer", [("iss", .string("https://evil.example"))], "unauthenticated: this server does not accept tokens issued by"),
        ("without an issuer", [("iss", nil)], "unauthenticated: the token's claim \"iss\" is missing"),
        ("a session cookie", [("iss", .string("https://session.firebase.google.com/demo-tokens"))], "unauthenticated: this server does not"),
        ("from the future within the skew", [("iat", .number(now + 60))], "alice"), ("from the future", [("iat", .number(now + 61))], "unauthenticated: the token's claim \"iat\" is"),
        ("signed in in the future", [("auth_time", .number(now + 61))], "unauthenticated: the token's claim \"auth_time\""),
        ("without a user", [("sub", .string(""))], "unauthenticated: the token does not name a user"),
        ("with a long user id", [("sub", .string(String(repeating: "a", count: 129)))], "unauthenticated: the user's id is longer"),
        ("without expiry", [("exp", nil)], "unauthenticated: the token's claim \"exp\" is missing"),
        ("without auth_time", [("auth_time", nil)], "unauthenticated: the token's claim \"auth_time\" is missing"),
    ]

    @Test func `ID tokens of a configured project are verified`() async throws {
        try await withKeys { server in
            let authentication = try firebase(server).authentication
            for (name, changes, outcome) in Self.tokens {
                let token = try TestIssuer.first.get().sign(TestIssuer.claims(at: Self.now, changes))
                let found = await Self.outcome(authentication, Self.call("Bearer \(token)", peer: "192.0.2.1:5"))
                #expect(found.hasPrefix(outcome), "\(name): \(found)")
            }
            // All of them with one request for keys.
            #expect(server.requests("/keys") == 1)
        }
    }

    @Test func `forged tokens are rejected`() async throws {
        try await withKeys { server in
            let authentication = try firebase(server).authentication
            let (key, claims) = (try TestIssuer.first.get(), TestIssuer.claims(at: Self.now))
            let valid = try key.sign(claims)
            let parts = valid.split(separator: ".").map(String.init)
            let other = try TestIssuer.second.get().sign(claims).split(separator: ".").map(String.init)
            let changed = Base64.encodeForURL(JSON.object(TestIssuer.claims(at: Self.now, [("sub", .string("mallory"))])).bytes())
            let signature = Base64.decode(parts[2]) ?? []
            let forged: [(token: String, part: String)] = [
                (parts[0] + "." + changed + "." + parts[2], "signature is wrong"), (parts[0] + "." + parts[1] + "." + other[2], "signature is wrong"), (parts[0] + "." + parts[1] + ".", "signature is wrong"),
                (TestIssuer.token(header: #"{"alg":"none","typ":"JWT"}"#, claims), "is signed with \"none\""),
                (TestIssuer.token(header: #"{"alg":"none","kid":"\#(key.id)"}"#, claims, signature: signature), "is signed with \"none\""),
                (TestIssuer.token(header: #"{"alg":"HS256","kid":"\#(key.id)"}"#, claims, signature: signature), "is signed with \"HS256\""),
                (TestIssuer.token(header: #"{"alg":"rs256","kid":"\#(key.id)"}"#, claims, signature: signature), "is signed with \"rs256\""),
                (TestIssuer.token(header: #"{"alg":"RS256"}"#, claims, signature: signature), "\"kid\" is missing"),
                (TestIssuer.token(header: #"{"alg":"RS256","kid":"\#(key.id)","jku":"https://evil.example"}"#, claims, signature: signature), "signature is wrong"),
                (parts[0] + "." + parts[1], "parts instead of three"), ("a.b.c", "malformed"), (valid + "=", "malformed"), (valid + ".x", "4 parts"), ("..", "malformed"),
            ]
            #expect(await Self.outcome(authentication, Self.call("Bearer \(valid)")) == "alice")
            for (token, part) in forged {
                let found = await Self.outcome(authentication, Self.call("Bearer \(token)"))
                #expect(found.hasPrefix("unauthenticated") && found.contains(part), "\(found)")
            }
        }
    }

    @Test func `keys rotate, and unknown ones cause one request a minute`() async throws {
        try await withKeys { server in
            let authentication = try firebase(server).authentication
            let (first, second) = (try TestIssuer.first.get(), try TestIssuer.second.get())
            func outcome(_ key: SigningKey) async throws -> String {
                let now = clock.now() / 1_000_000
                return await Self.outcome(authentication, Self.call("Bearer \(try key.sign(TestIssuer.claims(at: now)))"))
            }
            #expect(try await outcome(first) == "alice")
            server.publish("/keys", keys: [first, second])
            // The keys were fetched a moment ago.
            for _ in 0..<5 { #expect(try await outcome(second).contains("which its issuer does not have")) }
            #expect(server.requests("/keys") == 1)
            clock.advance(microseconds: 60_000_000)
            #expect(try await outcome(second) == "alice")
            #expect(try await outcome(first) == "alice")
            #expect(server.requests("/keys") == 2)
            // The issuer is out of order: the keys stay.
            server.publish("/keys", .init(status: 500))
            clock.advance(microseconds: 7_200_000_000)
            #expect(try await outcome(first) == "alice")
            server.publish("/keys", keys: [second])
            clock.advance(microseconds: 60_000_000)
            #expect(try await outcome(first).contains("which its issuer does not have"))
            #expect(try await outcome(second) == "alice")
        }
    }

    @Test func `a token that was accepted ends when it expires`() async throws {
        try await withKeys { server in
            let authentication = try firebase(server, "--token-skew", "10").authentication
            let call = Self.call("Bearer \(try TestIssuer.first.get().sign(TestIssuer.claims(at: Self.now)))")
            let identity = try await authentication.identify(call)
            #expect(identity.lastUse == (Self.now + 3_590 + 10) * 1_000_000)
            guard case .user(_, let claims) = identity.caller, case .string(let role)? = claims["role"] else { throw CocoaError(.coderValueNotFound) }
            #expect(role == "editor")
            clock.set(microseconds: identity.lastUse - 1)
            try await identity.check.waiting()
            #expect(await Self.outcome(authentication, call) == "alice")
            clock.set(microseconds: identity.lastUse)
            await #expect(throws: FirestoreError.self) { try await identity.check.waiting() }
            #expect(await Self.outcome(authentication, call).hasPrefix("unauthenticated: the token has expired"))
        }
    }

    // MARK: OpenID issuers

    private func issuerFile(_ issuer: String, _ more: String = "") throws -> String {
        try folder.file("issuer.json", #"{"issuer": "\#(issuer)", "audiences": ["app", "app2"]\#(more)}"#)
    }

    @Test func `an OpenID issuer is found by its description, and its users have a prefix`() async throws {
        try await withKeys { server in
            let issuer = server.url("")
            server.publish("/.well-known/openid-configuration", #"{"issuer": "\#(issuer)", "jwks_uri": "\#(server.url("/keys"))"}"#)
            let file = try issuerFile(issuer, #", "userPrefix": "corp:", "userClaim": "email""#)
            let authentication = try security(["--issuer", file]).authentication
            let claims = TestIssuer.claims(at: Self.now, [("iss", .string(issuer)), ("aud", .array([.string("x"), .string("app2")])), ("email", .string("a@b.c")), ("auth_time", nil)])
            #expect(await Self.outcome(authentication, Self.call("Bearer \(try TestIssuer.first.get().sign(claims))")) == "corp:a@b.c")
            let other = claims.map { ($0.name, $0.name == "aud" ? JSON.string("other") : $0.value) }
            #expect(await Self.outcome(authentication, Self.call("Bearer \(try TestIssuer.first.get().sign(other))")).contains("the token is for \"other\""))
        }
    }

    @Test func `keys come from configured addresses only`() async throws {
        try await withKeys { server in
            let issuer = server.url("")
            let token = try TestIssuer.first.get().sign(TestIssuer.claims(at: Self.now, [("iss", .string(issuer)), ("aud", .string("app"))]))
            let pages: [(path: String, page: KeyServer.Page)] = [
                ("/moved", .init(status: 302, location: server.url("/keys"))), ("/gone", .init(status: 404)), ("/text", .init(body: [UInt8]("keys".utf8))),
                ("/large", .init(body: [UInt8](repeating: 0x20, count: (1 << 20) + 1))),
            ]
            for (path, page) in pages {
                server.publish(path, page)
                let authentication = try security(["--issuer", try issuerFile(issuer, #", "keys": "\#(server.url(path))""#)]).authentication
                let found = await Self.outcome(authentication, Self.call("Bearer \(token)"))
                #expect(found.hasPrefix("unavailable: the keys of") && server.requests(path) == 1, "\(path): \(found)")
            }
            // A description that leads to another host.
            server.publish("/.well-known/openid-configuration", #"{"issuer": "\#(issuer)", "jwks_uri": "\#(server.url("/keys", host: "localhost"))"}"#)
            let elsewhere = try security(["--issuer", try issuerFile(issuer)]).authentication
            #expect(await Self.outcome(elsewhere, Self.call("Bearer \(token)")).hasPrefix("unavailable"))
            server.publish("/.well-known/openid-configuration", #"{"issuer": "https://other.example", "jwks_uri": "\#(server.url("/keys"))"}"#)
            let other = try security(["--issuer", try issuerFile(issuer)]).authentication
            #expect(await Self.outcome(other, Self.call("Bearer \(token)")).hasPrefix("unavailable"))
            #expect(server.requests("/keys") == 0)
        }
    }

    static let issuerRefusals: [(text: String, part: String)] = [
        ("", "malformed"), ("{}", "\"issuer\" is missing"), (#"{"issuer": "https://a.example"}"#, "\"audiences\" is missing"), (#"{"issuer": "https://a.example", "audiences": []}"#, "at least one"),
        (#"{"issuer": "https://a.example", "audiences": ["x"], "algorithms": ["HS256"]}"#, "\"HS256\" is not accepted"),
        (#"{"issuer": "https://a.example", "audiences": ["x"], "algorithms": ["none"]}"#, "\"none\" is not accepted"),
        (#"{"issuer": "http://a.example", "audiences": ["x"]}"#, "must begin with https"), (#"{"issuer": "https://a.example", "audiences": ["x"], "keys": "http://a.example/keys"}"#, "must begin with https"),
        (#"{"issuer": "a", "audiences": ["x"]}"#, "is not an address of keys"), (#"{"issuer": "https://a.example", "audiences": ["x"], "keys": "ftp://a.example"}"#, "is not an address of keys"),
        (#"{"issuer": "https://a.example", "audiences": ["x"], "keys": "https://u:p@a.example"}"#, "is not an address of keys"), (#"{"iss": "https://a.example"}"#, "unknown member \"iss\""),
    ]

    @Test(arguments: issuerRefusals.indices)
    func `the description of an issuer that is wrong stops the start`(index: Int) throws {
        let file = try folder.file("issuer.json", Self.issuerRefusals[index].text)
        let refusal = #expect(throws: StartRefusal.self) { try security(["--issuer", file]) }
        #expect(refusal?.lines.first?.contains(Self.issuerRefusals[index].part) == true && refusal?.lines.first?.contains(file) == true, "\(refusal?.lines ?? [])")
    }

    @Test func `two issuers neither share users nor keys`() throws {
        let plain = try folder.write(#"{"issuer": "https://a.example", "audiences": ["x"]}"#.utf8, to: "1.json")
        let same = try folder.write(#"{"issuer": "https://b.example", "audiences": ["x"]}"#.utf8, to: "2.json")
        let again = try folder.write(#"{"issuer": "https://a.example", "audiences": ["x"], "userPrefix": "b:"}"#.utf8, to: "3.json")
        let google = try folder.write(#"{"issuer": "https://securetoken.google.com/p", "audiences": ["p"], "userPrefix": "c:"}"#.utf8, to: "4.json")
        for (arguments, part) in [
            (["--issuer", plain, "--issuer", same], "same \"userPrefix\""), (["--issuer", plain, "--firebase-project", "p"], "same \"userPrefix\""), (["--issuer", plain, "--issuer", again], "is configured twice"),
            (["--firebase-project", "p", "--firebase-project", "p"], "is configured twice"), (["--firebase-project", "p", "--issuer", google], "is configured twice"),
        ] {
            let refusal = #expect(throws: StartRefusal.self) { try security(arguments) }
            #expect(refusal?.lines.first?.contains(part) == true, "\(refusal?.lines ?? [])")
        }
        // Two persons could have one id, which is for the operator to know.
        for (projects, isWarned) in [(["p"], false), (["p", "q"], true)] {
            let log = RecordedLog()
            let settings = try SecuritySettingsTests.settings(projects.flatMap { ["--firebase-project", $0] })
            _ = try AcceptedIssuers.make(settings.issuers, own: [], clock: clock, log: log.logger)
            #expect(log.lines.contains { $0.hasPrefix("warning") && $0.contains("request.auth.token.aud") } == isWarned, "\(log.lines)")
        }
        // Accounts of this server for a project whose tokens Google signs.
        let own = TokenIssuer(.firebase(project: "p"), keys: IssuerKeys(VerificationKeySet([])))
        let settings = try SecuritySettingsTests.settings(["--firebase-project", "p"])
        #expect(throws: StartRefusal.self) {
            try AcceptedIssuers.make(settings.issuers, own: [own], clock: clock, log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        }
    }
}
