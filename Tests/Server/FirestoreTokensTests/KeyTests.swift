// SPDX-License-Identifier: Apache-2.0
import Crypto
import FirestoreCore
import Foundation
import HearthBase
import Testing

@testable import FirestoreTokens

/// Reading keys, and how keys that were rotated are found.
struct KeyTests {
    private let first: SigningKey
    private let second: SigningKey

    init() throws {
        first = try TestTokens.first.get()
        second = try TestTokens.second.get()
    }

    @Test func `a published key set is read again`() throws {
        let set = try TestTokens.keySet(first, second)
        #expect(set.keys.map(\.id) == [first.id, second.id] && set.keys.allSatisfy { $0.algorithm == .rs256 })
        #expect(first.id.utf8.count == 43 && first.id != second.id)
        let again = try SigningKey(pem: first.pem)
        #expect(again.id == first.id)
    }

    static let rows: [(document: String, words: String?)] = [
        ("", "not a JSON web key set"),
        ("[]", "not a JSON web key set"),
        (#"{"keys":[]}"#, "no key for signatures"),
        (#"{"keys":[{"kty":"oct","k":"AAAA"}]}"#, "no key for signatures"),
        (#"{"keys":[{"kty":"RSA","use":"enc","n":"AQAB","e":"AQAB"}]}"#, "no key for signatures"),
        (#"{"keys":[{"kty":"RSA","alg":"RS512","n":"AQAB","e":"AQAB"}]}"#, "no key for signatures"),
        (#"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#, "2048 to 8192 bits"),
        (#"{"keys":[{"kty":"RSA","e":"AQAB"}]}"#, "\"n\" of a key is missing"),
        (#"{"keys":[{"kty":"RSA","kid":7}]}"#, "\"kid\" of a key is not a string"),
        (#"{"keys":[{"kty":"EC","crv":"P-256","x":"AQAB","y":"AQAB"}]}"#, "not a point"),
        (#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AQAB"}]}"#, "not an Ed25519 key"),
        (#"{"keys":[7]}"#, "no key for signatures"),
    ]

    @Test(arguments: rows) func `key sets that are not usable are rejected`(row: (document: String, words: String?)) {
        let error = #expect(throws: VerificationKey.Refusal.self) { _ = try VerificationKeySet(document: [UInt8](row.document.utf8)) }
        #expect(error?.message.contains(row.words ?? "") == true, "\(error?.message ?? "")")
    }

    @Test func `exponents that are not safe are rejected`() throws {
        guard case .object(let members) = first.jwk else { return }
        for exponent in [[1], [2], [0], [1, 0, 1, 0, 1, 0, 1]] as [[UInt8]] {
            let changed = members.map { equalUTF8($0.name, "e") ? ("e", JSON.string(Base64.encodeForURL(exponent))) : $0 }
            #expect(throws: VerificationKey.Refusal.self) { _ = try VerificationKey(.object(changed)) }
        }
    }

    @Test func `public keys are read in PEM form, and private ones are not`() throws {
        let elliptic = P256.Signing.PrivateKey()
        let key = try VerificationKey(pem: elliptic.publicKey.pemRepresentation)
        #expect(key.algorithm == .es256 && key.id == nil)
        for text in ["", "secret", TestTokens.firstPEM] {
            #expect(throws: VerificationKey.Refusal.self) { _ = try VerificationKey(pem: text) }
        }
        #expect(throws: SigningKey.Refusal.self) { _ = try SigningKey(pem: "secret") }
    }

    @Test func `a file of keys is a key set or PEM`() throws {
        let pem = try Self.publicPEM(first) + "\n" + Self.publicPEM(second)
        let (fromPEM, fromJSON) = (
            try VerificationKeySet(file: pem.utf8), try VerificationKeySet(file: [0x0A] + SigningKey.document(of: [first]).bytes())
        )
        #expect(fromPEM.keys.count == 2 && fromJSON.keys.count == 1)
        for text in ["", "keys", TestTokens.firstPEM, pem + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            let error = #expect(throws: VerificationKey.Refusal.self) { _ = try VerificationKeySet(file: text.utf8) }
            #expect(error?.message.contains("PRIVATE") == false)
        }
    }

    @Test func `an Ed25519 key verifies`() async throws {
        let key = Curve25519.Signing.PrivateKey()
        let x = Base64.encodeForURL([UInt8](key.publicKey.rawRepresentation))
        let set = try VerificationKeySet(document: [UInt8](#"{"keys":[{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","x":"\#(x)"}]}"#.utf8))
        var requirements = TokenRequirements(issuer: "https://id.example.com", audiences: [TestTokens.project])
        requirements.algorithms = [.edDSA]
        let claims = TestTokens.claims([("iss", .string("https://id.example.com"))])
        let text = TestTokens.token(header: #"{"alg":"EdDSA"}"#, claims: claims).dropLast()
        let token = text + "." + Base64.encodeForURL([UInt8](try key.signature(for: Data(text.utf8))))
        let issuer = TokenIssuer(requirements, keys: IssuerKeys(set))
        let verified = try await issuer.verify(try JSONWebToken(token), now: TestTokens.now * 1_000_000)
        #expect(verified.user == "alice")
        let forged = try JSONWebToken(text + "." + Base64.encodeForURL([UInt8](repeating: 1, count: 64)))
        await #expect(throws: TokenError.self) { _ = try await issuer.verify(forged, now: TestTokens.now * 1_000_000) }
    }

    // MARK: Rotation

    private final class Endpoint: Sendable {
        struct Down: Error {}
        let state = Mutex((keys: [SigningKey](), isDown: false, fetches: 0))

        func fetch() throws -> IssuerKeys.Fetched {
            try state.withLock { state in
                state.fetches += 1
                if state.isDown { throw Down() }
                return IssuerKeys.Fetched(document: SigningKey.document(of: state.keys).bytes(), lifetime: 600)
            }
        }

        func set(_ keys: SigningKey..., isDown: Bool = false) { state.withLock { $0 = (keys, isDown, $0.fetches) } }
        var fetches: Int { state.withLock { $0.fetches } }
    }

    @Test func `an unknown key is looked for once a minute, and old keys stay while the issuer is down`() async throws {
        let clock = TestTokens.clock()
        let endpoint = Endpoint()
        endpoint.set(first)
        let keys = IssuerKeys(clock: clock) { try endpoint.fetch() }
        let verifier = TokenVerifier(
            [TokenIssuer(.firebase(project: TestTokens.project), keys: keys)], clock: clock, rememberedTokens: 0)
        func kind(_ key: SigningKey, _ user: String = "alice") async -> TokenError.Kind? {
            do throws(TokenError) {
                _ = try await verifier.verify(try key.sign(TestTokens.claims([("sub", .string(user))])))
                return nil
            } catch {
                return error.kind
            }
        }
        let before = try verifier.verifyNow(try first.sign(TestTokens.claims()))
        #expect(before == nil, "the keys have to be fetched first")
        #expect(await kind(first) == nil)
        #expect(endpoint.fetches == 1)
        // Unknown, and fetched a moment ago: no second request for it.
        #expect(await kind(second) == .key)
        #expect(endpoint.fetches == 1)
        // Rotated: found with one request.
        endpoint.set(first, second)
        clock.advance(microseconds: 60_000_000)
        #expect(await kind(second) == nil)
        #expect(await kind(first) == nil)
        #expect(endpoint.fetches == 2)
        // The issuer is down when the keys are due: they stay.
        endpoint.set(isDown: true)
        clock.advance(microseconds: 700_000_000)
        #expect(await kind(first) == nil)
        #expect(await kind(first) == nil)
        #expect(endpoint.fetches == 3)
        // The first key is withdrawn.
        endpoint.set(second)
        clock.advance(microseconds: 60_000_000)
        #expect(await kind(first) == .key)
        #expect(endpoint.fetches == 4)
    }

    @Test func `without keys a token is rejected as unavailable`() async throws {
        let clock = TestTokens.clock()
        let endpoint = Endpoint()
        endpoint.set(isDown: true)
        let issuer = TokenIssuer(.firebase(project: TestTokens.project), keys: IssuerKeys(clock: clock) { try endpoint.fetch() })
        let token = try JSONWebToken(try first.sign(TestTokens.claims()))
        for _ in 0..<3 {
            let error = await #expect(throws: TokenError.self) { _ = try await issuer.verify(token, now: clock.now()) }
            #expect(error?.kind == .unavailable)
        }
        #expect(endpoint.fetches == 1)
        // A token for another project causes no request.
        let other = try JSONWebToken(try first.sign(TestTokens.claims([("aud", .string("other"))])))
        let fresh = TokenIssuer(.firebase(project: TestTokens.project), keys: IssuerKeys(clock: clock) { try endpoint.fetch() })
        await #expect(throws: TokenError.self) { _ = try await fresh.verify(other, now: clock.now()) }
        #expect(endpoint.fetches == 1)
    }

    @Test func `a custom token is signed by the account that it names, for an hour at most`() async throws {
        let issuer = TokenIssuer(.customTokens, keys: IssuerKeys(VerificationKeySet([try VerificationKey(pem: try Self.publicPEM(first))])))
        let account = JSON.string("admin@demo.iam.gserviceaccount.com")
        func claims(_ changes: [(name: String, value: JSON?)] = []) -> [(name: String, value: JSON)] {
            TestTokens.claims([
                ("iss", account), ("sub", account), ("aud", .string(TokenRequirements.customTokenAudience)), ("uid", .string("bob")),
                ("auth_time", nil),
            ] + changes)
        }
        func kind(_ claims: [(name: String, value: JSON)]) async -> TokenError.Kind? {
            do throws(TokenError) {
                let verified = try await issuer.verify(try JSONWebToken(try first.sign(claims)), now: TestTokens.now * 1_000_000)
                #expect(verified.user == "bob")
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(await kind(claims()) == nil)
        #expect(await kind(claims([("uid", nil)])) == .subject)
        #expect(await kind(claims([("sub", .string("other"))])) == .issuer)
        #expect(await kind(claims([("aud", .string("app"))])) == .audience)
        #expect(await kind(claims([("exp", .number(TestTokens.now + 3_591))])) == .claim)
    }

    private static func publicPEM(_ key: SigningKey) throws -> String {
        // The prefix of a SubjectPublicKeyInfo for RSA keys of 2048 bits with the exponent 65537.
        guard case .string(let text)? = key.jwk["n"], let modulus = Base64.decode(text) else { return "" }
        let head: [UInt8] = [
            0x30, 0x82, 0x01, 0x22, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00, 0x03, 0x82, 0x01,
            0x0F, 0x00, 0x30, 0x82, 0x01, 0x0A, 0x02, 0x82, 0x01, 0x01, 0x00,
        ]
        var letters = Substring(Base64.encode(head + modulus + [0x02, 0x03, 0x01, 0x00, 0x01]))
        var body = ""
        while !letters.isEmpty {
            body += (body.isEmpty ? "" : "\n") + letters.prefix(64)
            letters = letters.dropFirst(64)
        }
        return "-----BEGIN PUBLIC KEY-----\n\(body)\n-----END PUBLIC KEY-----\n"
    }
}
