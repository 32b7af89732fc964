// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreTokens
import FirestoreWire
import TestSupport
import Testing

@testable import hearth

/// Listen and Write streams of a running server end with the token that opened them (AU-12).
@Suite(.timeLimit(.minutes(3))) struct ExpiringStreamTests {
    private static func token(_ user: String, at now: Int64, expiry: Int64) throws -> String {
        try TestIssuer.first.get().sign(TestIssuer.claims(at: now, [("sub", .string(user)), ("exp", .number(expiry))]))
    }

    @Test func `a stream ends when its token does, and others continue`() async throws {
        let now: Int64 = 1_700_000_000
        let clock = ManualClock(microseconds: now * 1_000_000)
        try await SecuredServer.runWithIssuer(["--token-skew", "0"], clock: clock) { server, _ in
            try await server.connected { channel in
                let (short, long) = (try Self.token("alice", at: now, expiry: now + 100), try Self.token("alice", at: now, expiry: now + 1_000))
                #expect(await CallWay.write.outcome(server, channel, token: short) == .ok)
                let ending = [await CallWay.listen(channel, short), await CallWay.write(channel, short)]
                let staying = [await CallWay.listen(channel, long), await CallWay.write(channel, long), await CallWay.write(channel, AdministratorKeysTests.first)]
                #expect((ending + staying).allSatisfy { $0.refusal == nil })
                clock.advance(microseconds: 99_999_999)
                server.security.identitiesChanged()
                #expect((ending + staying).allSatisfy { !$0.stream.hasEnded })
                clock.advance(microseconds: 1)
                server.security.identitiesChanged()
                await eventually("the ends of the streams") { ending.allSatisfy(\.stream.hasEnded) }
                #expect(ending.map(\.stream.end) == [.unauthenticated, .unauthenticated])
                // What is asked over the same connection afterwards is answered after the streams have ended.
                #expect(await CallWay.unary.outcome(server, channel, token: short) == .unauthenticated)
                #expect(await CallWay.unary.outcome(server, channel, token: long) == .ok)
                #expect(staying.allSatisfy { !$0.stream.hasEnded })
            }
        }
    }

    /// By the clock of the machine and without anything that would remind the server.
    @Test func `the server notices by itself`() async throws {
        try await SecuredServer.runWithIssuer(["--token-skew", "0"], clock: SystemClock()) { server, _ in
            try await server.connected { channel in
                #expect(await CallWay.write.outcome(server, channel, token: AdministratorKeysTests.first) == .ok)
                // On a machine so slow that a token expires before its streams are open, the next one lives longer.
                var (streams, life): ([CallWay.Opened], Int64) = ([], 1)
                repeat {
                    life *= 3
                    let now = SystemClock().now() / 1_000_000
                    let token = try Self.token("alice", at: now, expiry: now + life)
                    streams = [await CallWay.listen(channel, token), await CallWay.write(channel, token)]
                } while streams.contains { $0.refusal != nil } && life < 100
                await eventually("the ends of the streams") { streams.allSatisfy(\.stream.hasEnded) }
                #expect(streams.map(\.stream.end) == [.unauthenticated, .unauthenticated])
            }
        }
    }
}
