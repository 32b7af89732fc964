// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import FirestoreCore
import FirestoreRPC
import FirestoreTokens
import Foundation
import HearthBase
import TestSupport
import Testing

@testable import hearth

/// Which tokens a running server takes: the same on every way to call it.
@Suite(.timeLimit(.minutes(3))) struct TokenTableTests {
    private static let now: Int64 = 1_700_000_000
    private static let minute: Int64 = 60_000_000
    private let clock = ManualClock(microseconds: now * 1_000_000)

    private typealias Row = (name: String, token: String?, answer: FirestoreError.Code)

    private func token(_ key: Result<SigningKey, any Error> = TestIssuer.first, _ changes: (name: String, value: JSON?)...) throws -> String {
        try key.get().sign(TestIssuer.claims(at: clock.now() / 1_000_000, changes))
    }

    /// A token whose code is an HMAC with the text of the public key as the secret, the classic confusion.
    private func confused(_ key: SigningKey, secret: Data) -> String {
        let text = TestIssuer.token(header: #"{"alg":"HS256","kid":"\#(key.id)"}"#, TestIssuer.claims(at: clock.now() / 1_000_000)).dropLast()
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret))
        return "\(text).\(Base64.encodeForURL([UInt8](code)))"
    }

    private func rows() throws -> [Row] {
        let (first, second) = (try TestIssuer.first.get(), try TestIssuer.second.get())
        let valid = try token()
        let parts = valid.split(separator: ".").map(String.init)
        let claims = TestIssuer.claims(at: Self.now)
        let signature = Base64.decode(parts[2]) ?? []
        let foreign = try token(TestIssuer.second).split(separator: ".").map(String.init)
        let mallory = Base64.encodeForURL(JSON.object(TestIssuer.claims(at: Self.now, [("role", .string("owner"))])).bytes())
        let publicPEM = try _RSA.Signing.PrivateKey(pemRepresentation: first.pem).publicKey.pemRepresentation
        return [
            ("valid", valid, .ok), ("of another user", try token(TestIssuer.first, ("sub", .string("bob"))), .permissionDenied), ("none", nil, .permissionDenied),
            ("with changed claims", parts[0] + "." + mallory + "." + parts[2], .unauthenticated), ("with another key's signature", parts[0] + "." + parts[1] + "." + foreign[2], .unauthenticated),
            ("without a signature", parts[0] + "." + parts[1] + ".", .unauthenticated), ("of two parts", parts[0] + "." + parts[1], .unauthenticated),
            ("that has expired", try token(TestIssuer.first, ("exp", .number(Self.now - 60))), .unauthenticated), ("that has expired within the skew", try token(TestIssuer.first, ("exp", .number(Self.now - 59))), .ok),
            ("issued in the future", try token(TestIssuer.first, ("iat", .number(Self.now + 61))), .unauthenticated),
            ("issued in the future within the skew", try token(TestIssuer.first, ("iat", .number(Self.now + 60))), .ok),
            ("not valid yet", try token(TestIssuer.first, ("nbf", .number(Self.now + 61))), .unauthenticated), ("not valid yet within the skew", try token(TestIssuer.first, ("nbf", .number(Self.now + 60))), .ok),
            ("of another issuer", try token(TestIssuer.first, ("iss", .string("https://securetoken.google.com/other"))), .unauthenticated),
            ("for another audience", try token(TestIssuer.first, ("aud", .string("other"))), .unauthenticated),
            ("with alg none", TestIssuer.token(header: #"{"alg":"none","typ":"JWT"}"#, claims), .unauthenticated),
            ("with alg none and a key", TestIssuer.token(header: #"{"alg":"none","kid":"\#(first.id)"}"#, claims, signature: signature), .unauthenticated),
            ("with HS256 and the public key in PEM", confused(first, secret: Data(publicPEM.utf8)), .unauthenticated),
            ("with HS256 and the public key as JWK", confused(first, secret: Data(first.jwk.bytes())), .unauthenticated),
            ("with a key that is not published", try second.sign(claims), .unauthenticated), ("that is no token", "x", .unauthenticated), ("owner", "owner", .unauthenticated),
        ]
    }

    private func check(_ rows: [Row], _ server: SecuredServer, _ channel: RPCClientChannel, _ moment: String) async {
        for row in rows {
            for way in CallWay.allCases {
                let answer = await way.outcome(server, channel, token: row.token)
                #expect(answer == row.answer, "\(moment): a token \(row.name), by \(way)")
            }
        }
    }

    private func withServer(_ body: (SecuredServer, KeyServer, RPCClientChannel) async throws -> Void) async throws {
        try await SecuredServer.runWithIssuer(clock: clock) { server, keys in
            try await server.connected { channel in
                // The document that all ask for.
                #expect(await CallWay.write.outcome(server, channel, token: AdministratorKeysTests.first) == .ok)
                try await body(server, keys, channel)
            }
        }
    }

    @Test func `a token is judged alike on every transport`() async throws {
        try await withServer { server, keys, channel in
            await check(try rows(), server, channel, "one key")
            // An unknown key causes no request within a minute of the last one.
            #expect(keys.requests("/keys") == 1)
        }
    }

    @Test func `while two keys are published both are accepted, and a key that is published no more is not`() async throws {
        try await withServer { server, keys, channel in
            let (first, second) = (try TestIssuer.first.get(), try TestIssuer.second.get())
            func rows(_ answers: (FirestoreError.Code, FirestoreError.Code)) throws -> [Row] {
                [("of the first key", try token(TestIssuer.first), answers.0), ("of the second key", try token(TestIssuer.second), answers.1)]
            }
            await check(try rows((.ok, .unauthenticated)), server, channel, "before the rotation")
            keys.publish("/keys", keys: [first, second])
            clock.advance(microseconds: Self.minute)
            await check(try rows((.ok, .ok)), server, channel, "during the rotation")
            keys.publish("/keys", keys: [second])
            // Longer than the keys may be cached.
            clock.advance(microseconds: 61 * Self.minute)
            await check(try rows((.unauthenticated, .ok)), server, channel, "after the rotation")
        }
    }
}
