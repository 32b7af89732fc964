// SPDX-License-Identifier: Apache-2.0
import Crypto
import FirestoreCore
import Foundation
import HearthBase
import TestSupport
import Testing

@testable import FirestoreTokens

/// What is verified of a Firebase ID token (AU-3): nothing that was changed, and nothing that is meant for another server, passes.
struct VerificationTests {
    private let first: SigningKey
    private let second: SigningKey

    init() throws {
        first = try TestTokens.first.get()
        second = try TestTokens.second.get()
    }

    private func verifier(_ keys: SigningKey..., skew: Int64 = 60, after seconds: Int64 = 0) throws -> TokenVerifier {
        var requirements = TokenRequirements.firebase(project: TestTokens.project)
        requirements.skew = skew
        let set = VerificationKeySet(keys.map(\.publicKey))
        return TokenVerifier([TokenIssuer(requirements, keys: IssuerKeys(set))], clock: TestTokens.clock(after: seconds))
    }

    private func kind(_ token: String, _ verifier: TokenVerifier) async -> TokenError.Kind? {
        do throws(TokenError) {
            _ = try await verifier.verify(token)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `a token of the project is accepted, with user and claims`() async throws {
        let token = try first.sign(TestTokens.claims())
        let verified = try await verifier(first).verify(token)
        #expect(verified.user == "alice" && verified.expiry == TestTokens.now + 3_590 && verified.authenticated == TestTokens.now - 20)
        guard case .user("alice", let claims) = verified.caller, case .string("editor")? = claims["role"] else {
            Issue.record("\(verified.caller)")
            return
        }
    }

    static let claimRows: [(name: String, value: JSON?, kind: TokenError.Kind?)] = [
        ("iss", .string("https://securetoken.google.com/other"), .issuer),
        ("iss", .string("https://session.firebase.google.com/demo-tokens"), .issuer),
        ("iss", .number(1), .claim),
        ("iss", nil, .issuer),
        ("aud", .string("other"), .audience),
        ("aud", .array([.string("other"), .string("demo-tokens")]), nil),
        ("aud", .array([]), .audience),
        ("aud", nil, .audience),
        ("sub", .string(""), .subject),
        ("sub", nil, .subject),
        ("sub", .number(7), .claim),
        ("sub", .string(String(repeating: "x", count: 128)), nil),
        ("sub", .string(String(repeating: "x", count: 129)), .subject),
        ("exp", .number(TestTokens.now - 59), nil),
        ("exp", .number(TestTokens.now - 60), .expired),
        ("exp", nil, .claim),
        ("exp", .string("never"), .claim),
        ("iat", .number(TestTokens.now + 60), nil),
        ("iat", .number(TestTokens.now + 61), .notYetValid),
        ("iat", nil, .claim),
        ("auth_time", .number(TestTokens.now + 61), .notYetValid),
        ("auth_time", nil, .claim),
        ("nbf", .number(TestTokens.now + 61), .notYetValid),
    ]

    @Test(arguments: claimRows) func `claims are checked`(row: (name: String, value: JSON?, kind: TokenError.Kind?)) async throws {
        let token = try first.sign(TestTokens.claims([(row.name, row.value)]))
        #expect(await kind(token, try verifier(first)) == row.kind)
    }

    static let skewRows: [(skew: Int64, after: Int64, kind: TokenError.Kind?)] = [
        (0, 3_589, nil), (0, 3_590, .expired), (60, 3_649, nil), (60, 3_650, .expired), (300, 3_889, nil), (300, 3_890, .expired),
        // At most five minutes, and none below zero.
        (9_999, 3_890, .expired), (-60, 3_589, nil), (0, -11, .notYetValid), (60, -70, nil), (60, -71, .notYetValid),
    ]

    @Test(arguments: skewRows) func `clocks may differ by the tolerated skew`(row: (skew: Int64, after: Int64, kind: TokenError.Kind?)) async throws {
        let token = try first.sign(TestTokens.claims())
        #expect(await kind(token, try verifier(first, skew: row.skew, after: row.after)) == row.kind)
    }

    @Test func `a changed token is forged`() async throws {
        let parts = try first.sign(TestTokens.claims()).split(separator: ".").map(String.init)
        let other = try first.sign(TestTokens.claims([("sub", .string("bob"))])).split(separator: ".").map(String.init)
        let verifier = try verifier(first)
        #expect(await kind("\(parts[0]).\(other[1]).\(parts[2])", verifier) == .signature)
        #expect(await kind("\(parts[0]).\(parts[1]).", verifier) == .signature)
        #expect(await kind("\(parts[0]).\(parts[1]).AQID", verifier) == .signature)
        let zero = Base64.encodeForURL([UInt8](repeating: 0, count: 256))
        #expect(await kind("\(parts[0]).\(parts[1]).\(zero)", verifier) == .signature)
        // The name of the right key under the signature of another one.
        let header = #"{"alg":"RS256","kid":"\#(first.id)"}"#
        let signed = try #require(Base64.decode(try second.sign(TestTokens.claims()).split(separator: ".").map(String.init)[2]))
        #expect(await kind(TestTokens.token(header: header, signature: signed), verifier) == .signature)
    }

    @Test func `no change of a single byte is accepted`() throws {
        let token = [UInt8](try first.sign(TestTokens.claims()).utf8)
        let issuer = TokenIssuer(.firebase(project: TestTokens.project), keys: IssuerKeys(VerificationKeySet([first.publicKey])))
        var generator = SeededGenerator(seed: 14)
        let letters = [UInt8]("ABCDwxyz0189-_.=+/ \u{0}é{\"".utf8)
        for _ in 0..<3_000 {
            var changed = token
            let place = Int.random(in: token.indices, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: changed[place] = letters.randomElement(using: &generator) ?? 0
            case 1: changed.remove(at: place)
            default: changed.insert(letters.randomElement(using: &generator) ?? 0, at: place)
            }
            guard changed != token else { continue }
            let text = String(decoding: changed, as: UTF8.self)
            #expect(throws: TokenError.self, "\(text)") { _ = try issuer.verifyNow(try JSONWebToken(text), now: TestTokens.now * 1_000_000) }
        }
    }

    static let algorithms = ["none", "None", "HS256", "RS512", "PS256", "ES256", "EdDSA", ""]

    @Test(arguments: algorithms) func `the header never selects the algorithm`(algorithm: String) async throws {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(first.id)","jku":"https://evil.example/keys"}"#
        // With the public key as the secret of an HMAC, the classic confusion.
        let text = TestTokens.token(header: header).dropLast()
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: Data(first.jwk.bytes())))
        for signature in ["", Base64.encodeForURL([UInt8](code))] {
            #expect(await kind("\(text).\(signature)", try verifier(first)) == .algorithm)
        }
    }

    @Test func `any of two keys verifies, an unknown one does not`() async throws {
        let both = try verifier(first, second)
        #expect(await kind(try first.sign(TestTokens.claims()), both) == nil)
        #expect(await kind(try second.sign(TestTokens.claims()), both) == nil)
        #expect(await kind(try second.sign(TestTokens.claims()), try verifier(first)) == .key)
        let withoutID = TestTokens.token(header: #"{"alg":"RS256"}"#)
        #expect(await kind(withoutID, both) == .key)
    }

    @Test func `the issuer is found by its name, and no other answers for it`() async throws {
        var oidc = TokenRequirements(issuer: "https://id.example.com", audiences: ["app"])
        oidc.algorithms = [.es256]
        oidc.userPrefix = "example:"
        let key = P256.Signing.PrivateKey()
        let point = [UInt8](key.publicKey.x963Representation)
        let jwk = JSON.object([
            ("kty", .string("EC")), ("crv", .string("P-256")), ("kid", .string("ec")), ("x", .string(Base64.encodeForURL([UInt8](point[1...32])))),
            ("y", .string(Base64.encodeForURL([UInt8](point[33...])))),
        ])
        let set = try VerificationKeySet(document: JSON.object([("keys", .array([jwk]))]).bytes())
        let verifier = TokenVerifier(
            [
                TokenIssuer(.firebase(project: TestTokens.project), keys: IssuerKeys(VerificationKeySet([first.publicKey]))),
                TokenIssuer(oidc, keys: IssuerKeys(set)),
            ], clock: TestTokens.clock())
        func sign(_ claims: [(name: String, value: JSON)]) throws -> String {
            let text = TestTokens.token(header: #"{"alg":"ES256","kid":"ec"}"#, claims: claims).dropLast()
            return text + "." + Base64.encodeForURL([UInt8](try key.signature(for: Data(text.utf8)).rawRepresentation))
        }
        let own = TestTokens.claims([("iss", .string("https://id.example.com")), ("aud", .string("app"))])
        let verified = try await verifier.verify(try sign(own))
        #expect(verified.user == "example:alice")
        // A key of one issuer proves nothing about another.
        #expect(await kind(try sign(TestTokens.claims()), verifier) == .algorithm)
        #expect(await kind(try first.sign(own), verifier) == .algorithm)
    }

    @Test func `errors name the found and the expected value`() async throws {
        let token = try first.sign(TestTokens.claims([("aud", .string("prod"))]))
        let error = await #expect(throws: TokenError.self) { _ = try await verifier(first).verify(token) }
        #expect(error?.message == "the token is for \"prod\" instead of \"demo-tokens\"")
        let old = await #expect(throws: TokenError.self) { _ = try await verifier(first, after: 9_000).verify(first.sign(TestTokens.claims())) }
        #expect(old?.message == "the token has expired 5410 seconds ago; get a new one with the refresh token")
    }

    @Test func `accepted tokens are remembered until they expire, and can be revoked`() async throws {
        let clock = TestTokens.clock()
        let revoked = Mutex(false)
        @Sendable func check() throws(TokenError) {
            if revoked.withLock(\.self) { throw TokenError(.revoked, "the account is disabled") }
        }
        let standing = StandingCheck(
            now: { (_) throws(TokenError) in
                try check()
                return true
            },
            waiting: { (_) async throws(TokenError) in try check() })
        let issuer = TokenIssuer(.firebase(project: TestTokens.project), keys: IssuerKeys(VerificationKeySet([first.publicKey])), standing: standing)
        let verifier = TokenVerifier([issuer], clock: clock, rememberedTokens: 2)
        let token = try first.sign(TestTokens.claims())
        let verified = try await verifier.verify(token)
        for name in ["bob", "carol", "dave"] {
            #expect(await kind(try first.sign(TestTokens.claims([("sub", .string(name))])), verifier) == nil)
        }
        #expect(await kind(token, verifier) == nil)
        revoked.withLock { $0 = true }
        #expect(await kind(token, verifier) == .revoked)
        await #expect(throws: TokenError.self) { try await verifier.isStillValid(verified) }
        revoked.withLock { $0 = false }
        try await verifier.isStillValid(verified)
        clock.advance(microseconds: 3_650 * 1_000_000)
        #expect(await kind(token, verifier) == .expired)
        await #expect(throws: TokenError.self) { try await verifier.isStillValid(verified) }
    }

    @Test(arguments: [TokenVerifier.Mode.production, .development])
    func `an account that is not in memory is waited for`(mode: TokenVerifier.Mode) async throws {
        let isKnown = Mutex(false)
        let standing = StandingCheck(
            now: { (_) throws(TokenError) in isKnown.withLock { $0 } },
            waiting: { (_) async throws(TokenError) in isKnown.withLock { $0 = true } })
        let issuer = TokenIssuer(.firebase(project: TestTokens.project), keys: IssuerKeys(VerificationKeySet([first.publicKey])), standing: standing)
        let verifier = TokenVerifier([issuer], mode: mode, clock: TestTokens.clock())
        let token = try first.sign(TestTokens.claims())
        for _ in 0..<2 {
            isKnown.withLock { $0 = false }
            var now = try verifier.verifyNow(token)
            #expect(now == nil)
            let verified = try await verifier.verify(token)
            now = try verifier.verifyNow(token)
            #expect(now?.user == "alice")
            let isValid = try verifier.isStillValidNow(verified)
            isKnown.withLock { $0 = false }
            let isValidLater = try verifier.isStillValidNow(verified)
            #expect(isValid && !isValidLater)
            // Streams wait.
            try await verifier.isStillValid(verified)
            let isLoaded = isKnown.withLock { $0 }
            #expect(isLoaded)
        }
    }

    @Test func `development mode takes claims without proof`() async throws {
        let issuers = [TokenIssuer(.firebase(project: TestTokens.project), keys: IssuerKeys(VerificationKeySet([first.publicKey])))]
        let development = TokenVerifier(issuers, mode: .development, clock: TestTokens.clock(after: 99_999))
        let production = TokenVerifier(issuers, clock: TestTokens.clock())
        let unsigned = UnsignedToken.make(TestTokens.claims())
        #expect(await kind(unsigned, development) == nil)
        #expect(await kind(unsigned, production) == .algorithm)
        #expect(await kind(UnsignedToken.make([("sub", .string("u"))]), development) == nil)
        #expect(await kind(UnsignedToken.make([("user_id", .string("u"))]), development) == .subject)
        #expect(await kind("x.y", development) == .malformed)
    }
}
