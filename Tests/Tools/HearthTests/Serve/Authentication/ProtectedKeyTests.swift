// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreTokens
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import hearth

/// Administrator keys and tokens of users on the ways that reach a running server under rules: TLS, loopback, a proxy.
@Suite(.timeLimit(.minutes(3))) struct ProtectedKeyTests {
    @Test func `over TLS keys and tokens are accepted, and rules decide`() async throws {
        let folder = try ScratchFolder()
        let files = try TestCertificate.localhost.files(in: folder.url)
        let clock = ManualClock(microseconds: 1_700_000_000_000_000)
        let arguments = ["--tls-cert", files.certificateFile, "--tls-key", files.keyFile]
        try await SecuredServer.runWithIssuer(arguments, clock: clock) { server, _ in
            try await server.connected(trustFile: files.certificateFile) { channel in
                func token(_ user: String, _ expiry: Int64 = 60) throws -> String {
                    let changes: [(name: String, value: JSON?)] = [("sub", .string(user)), ("exp", .number(1_700_000_000 + expiry))]
                    return try TestIssuer.first.get().sign(TestIssuer.claims(at: 1_700_000_000, changes))
                }
                let rows: [(token: String?, answer: FirestoreError.Code)] = [
                    (AdministratorKeysTests.first, .ok), (try token("alice"), .ok), (try token("bob"), .permissionDenied), (nil, .permissionDenied),
                    (AdministratorKeysTests.second, .unauthenticated), ("owner", .unauthenticated), (try token("alice", -60), .unauthenticated),
                ]
                for way in [CallWay.write, .listen, .unary] {
                    for (index, row) in rows.enumerated() {
                        #expect(await way.outcome(server, channel, token: row.token) == row.answer, "row \(index) by \(way)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ([], [], true), ([], ["x-forwarded-for: 203.0.113.1"], false), ([], ["forwarded: for=203.0.113.1"], false),
        (["--trusted-proxy", "127.0.0.1"], ["x-forwarded-for: 203.0.113.1"], true), (["--trusted-proxy", "127.0.0.1"], [], true),
        (["--trusted-proxy", "192.0.2.1"], ["x-forwarded-for: 203.0.113.1"], false),
    ] as [([String], [String], Bool)])
    func `a key that came through an unknown proxy is rejected, without saying whether it is right`(
        arguments: [String], headers: [String], isAccepted: Bool
    ) async throws {
        try await SecuredServer.run(arguments) { server in
            func answer(_ key: String) async -> String {
                await CallWay.restAnswer(server, key, headers)
            }
            let right = await answer(AdministratorKeysTests.first)
            #expect(right.hasPrefix(isAccepted ? "HTTP/1.1 404" : "HTTP/1.1 401"), "\(right)")
            let wrong = await answer(AdministratorKeysTests.second)
            #expect(wrong.hasPrefix("HTTP/1.1 401"))
            if !isAccepted { #expect(Self.body(right) == Self.body(wrong)) }
        }
    }

    private static func body(_ answer: String) -> String { answer.components(separatedBy: "\r\n\r\n").dropFirst().joined() }
}
