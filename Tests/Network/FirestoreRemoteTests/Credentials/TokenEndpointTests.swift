// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation
import TestSupport
import Testing

@testable import FirestoreRemote

/// Tokens from an endpoint over real HTTP: what it is asked, and whatever it answers.
@Suite(.timeLimit(.minutes(3)))
struct TokenEndpointTests {
    private static let now: Int64 = 1_700_000_000_000_000
    private let clock = ManualClock(microseconds: now)
    private let folder: ScratchFolder
    private let sleeps = SleepRecorder()

    init() throws { folder = try ScratchFolder() }

    private func surroundings(_ variables: [String: String] = [:], patience: Duration = .seconds(60)) -> CredentialSurroundings {
        CredentialSurroundings(
            variables: variables, homeFolder: folder.url.path, clock: clock, backoff: sleeps.backoff(first: .milliseconds(1)),
            patience: patience)
    }

    private func serviceAccount(_ host: String, pem: String? = nil) throws -> String {
        try folder.file("key.json", TestKey.get().file(tokenURI: "http://\(host)/token", pem: pem))
    }

    // MARK: What is asked

    @Test(arguments: [false, true]) func `a service account asks with a signature for an hour`(isPKCS1: Bool) async throws {
        let key = try TestKey.get()
        let server = TokenServer { _, _ in .token("from-endpoint") }
        try await server.run { host in
            let file = try serviceAccount(host, pem: isPKCS1 ? TestKey.pkcs1 : TestKey.pkcs8)
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("BEGIN RSA PRIVATE KEY") == isPKCS1)
            let source = try #require(try Credentials.serviceAccount(file: file).tokenSource(surroundings()))
            let token = try await source.token(until: nil)
            #expect(token.value == "from-endpoint" && token.expiry == Self.now + 3_600_000_000)
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1 && request.method == "POST" && request.path == "/token")
            #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(request.form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
            let assertion = try #require(request.form["assertion"])
            let (header, claims) = try #require(try key.verify(assertion))
            #expect(header["alg"]?.text == "RS256" && header["typ"]?.text == "JWT" && header["kid"]?.text == "key-1")
            #expect(claims["iss"]?.text == TestKey.account && claims["aud"]?.text == "http://\(host)/token")
            #expect(claims["scope"]?.text == "https://www.googleapis.com/auth/datastore")
            #expect(claims["iat"]?.whole == 1_700_000_000 && claims["exp"]?.whole == 1_700_003_600)
        }
    }

    @Test func `a self-signed token needs no request`() async throws {
        let key = try TestKey.get()
        let file = try folder.file("key.json", key.file(tokenURI: "http://127.0.0.1:1/token"))
        let source = try #require(try Credentials.serviceAccount(file: file, signing: .selfSigned).tokenSource(surroundings()))
        let token = try await source.token(until: nil)
        let (_, claims) = try #require(try key.verify(token.value))
        #expect(claims["iss"]?.text == TestKey.account && claims["sub"]?.text == TestKey.account)
        #expect(claims["aud"]?.text == "https://firestore.googleapis.com/" && claims["scope"] == nil)
        #expect(claims["exp"]?.whole == 1_700_003_600 && token.expiry == Self.now + 3_600_000_000)
    }

    @Test func `a user asks with a refresh token, and names the project that pays`() async throws {
        let server = TokenServer { _, _ in .token("users", lifetime: 600) }
        try await server.run { host in
            let file = try folder.file(
                "user.json",
                #"{"type": "authorized_user", "client_id": "id", "client_secret": "s&=é", "refresh_token": "r/+", "#
                    + #""quota_project_id": "payer", "token_uri": "http://\#(host)/token"}"#)
            let source = try #require(try Credentials.authorizedUser(file: file).tokenSource(surroundings()))
            #expect(try await source.token(until: nil).value == "users")
            #expect(source.fetcher.quotaProject == "payer")
            let form = try #require(server.requests.first?.form)
            #expect(form == ["grant_type": "refresh_token", "client_id": "id", "client_secret": "s&=é", "refresh_token": "r/+"])
        }
    }

    @Test func `the metadata server is asked with its header`() async throws {
        let server = TokenServer { _, _ in .token("machines") }
        try await server.run { host in
            for credentials in [Credentials.metadataServer, .applicationDefault] {
                let source = try #require(try credentials.tokenSource(surroundings(["GCE_METADATA_HOST": host])))
                #expect(try await source.token(until: nil).value == "machines")
            }
            let request = try #require(server.requests.first)
            #expect(request.method == "GET" && request.headers["metadata-flavor"] == "Google")
            #expect(request.path == "/computeMetadata/v1/instance/service-accounts/default/token")
        }
    }

    // MARK: What is answered

    struct Answer: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: TokenServer.Answer
        let code: FirestoreError.Code
        let requests: Int
        let words: [String]
        var testDescription: String { name }
    }

    static let answers: [Answer] = [
        Answer(
            name: "invalid_grant", answer: .json(400, #"{"error": "invalid_grant", "error_description": "Invalid JWT\nSignature."}"#),
            code: .unauthenticated, requests: 1, words: ["invalid_grant: Invalid JWT Signature.", TestKey.account, "clock"]),
        Answer(name: "401 without JSON", answer: .json(401, "no"), code: .unauthenticated, requests: 1, words: ["HTTP status 401"]),
        Answer(name: "403", answer: .json(403, #"{"error": {"code": 403}}"#), code: .unauthenticated, requests: 1, words: ["HTTP status 403"]),
        Answer(name: "500", answer: .json(500, "oops"), code: .unavailable, requests: 4, words: ["HTTP status 500"]),
        Answer(name: "503", answer: .json(503, "{}"), code: .unavailable, requests: 4, words: ["HTTP status 503"]),
        Answer(name: "429", answer: .json(429, "{}"), code: .unavailable, requests: 4, words: ["HTTP status 429"]),
        Answer(name: "a redirect is not followed", answer: .redirect("http://127.0.0.1:1/"), code: .unavailable, requests: 4, words: ["302"]),
        Answer(name: "no JSON", answer: .json(200, "<html>log in</html>"), code: .unavailable, requests: 4, words: ["its answer is not a token"]),
        Answer(name: "no object", answer: .json(200, "[1]"), code: .unavailable, requests: 4, words: ["its answer is not a token"]),
        Answer(name: "no token", answer: .json(200, #"{"id_token": "x"}"#), code: .unavailable, requests: 4, words: ["its answer is not a token"]),
        Answer(name: "an empty token", answer: .token(""), code: .unavailable, requests: 4, words: ["its answer is not a token"]),
        Answer(name: "a token that is no header", answer: .token(#"a\r\nb"#), code: .unavailable, requests: 4, words: ["its answer is not a token"]),
        Answer(name: "expired", answer: .token("t", lifetime: 0), code: .unavailable, requests: 4, words: ["has expired"]),
        Answer(
            name: "a lifetime that is none", answer: .json(200, #"{"access_token": "t", "expires_in": "soon"}"#), code: .unavailable,
            requests: 4, words: ["has expired"]),
        Answer(
            name: "huge", answer: .json(200, #"{"access_token": ""# + String(repeating: "x", count: 1 << 20) + #""}"#), code: .unavailable,
            requests: 4, words: ["too long"]),
    ]

    @Test(arguments: answers) func `a bad answer of the endpoint fails with its reason, after retries if it may pass`(_ row: Answer) async throws {
        let server = TokenServer { _, _ in row.answer }
        try await server.run { host in
            let source = try #require(try Credentials.file(try serviceAccount(host)).tokenSource(surroundings()))
            let error = try #require(await failure { try await source.token(until: nil) })
            #expect(error.code == row.code)
            for word in row.words { #expect(error.message.contains(word), "\(error.message)") }
            #expect(server.requests.count == row.requests)
            for request in server.requests {
                let assertion = try #require(request.form["assertion"])
                #expect(!error.message.contains(assertion) && !error.message.contains("PRIVATE KEY"))
            }
        }
    }

    @Test func `a lifetime in quotes is one, and none is an hour`() async throws {
        let server = TokenServer { _, number in
            .json(200, number == 0 ? #"{"access_token": "t", "expires_in": "60"}"# : #"{"access_token": "t"}"#)
        }
        try await server.run { host in
            let file = try serviceAccount(host)
            for seconds: Int64 in [60, 3600] {
                let source = try #require(try Credentials.file(file).tokenSource(surroundings()))
                #expect(try await source.token(until: nil).expiry == Self.now + seconds * 1_000_000)
            }
        }
    }

    @Test func `an endpoint that hangs is given up`() async throws {
        let server = TokenServer { _, _ in .nothing }
        try await server.run { host in
            let file = try serviceAccount(host)
            let source = try #require(try Credentials.file(file).tokenSource(surroundings(patience: .milliseconds(50))))
            let error = await failure { try await source.token(until: nil) }
            #expect(error?.code == .unavailable && error?.message.contains("no answer") == true)
        }
    }

    @Test func `an endpoint that is down, then up`() async throws {
        let server = TokenServer { _, number in number < 2 ? .json(503, "") : .token("late") }
        try await server.run { host in
            let source = try #require(try Credentials.file(try serviceAccount(host)).tokenSource(surroundings()))
            #expect(try await source.token(until: nil).value == "late")
        }
    }

    @Test func `without a server at the endpoint a token fails as unavailable`() async throws {
        let file = try serviceAccount("127.0.0.1:1")
        let source = try #require(try Credentials.file(file).tokenSource(surroundings()))
        let error = await failure { try await source.token(until: nil) }
        #expect(error?.code == .unavailable && error?.message.contains("127.0.0.1:1/token") == true)
    }
}
