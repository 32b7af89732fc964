// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreTokens
import TestSupport
import Testing

@testable import hearth

/// From the port of the accounts to the streams of the port of the documents: what ends an account's tokens ends its streams immediately.
@Suite(.timeLimit(.minutes(3))) struct EndedAccountTests {
    private static let signedIn = RulesCommandTests.rules("match /{all=**} { allow read, write: if request.auth != null; }")

    private static let accounts = [
        "--auth", "0", "--auth-url", "https://auth.example.com", "--auth-project", TestIssuer.project, "--auth-providers", "password,anonymous",
    ]

    /// What is done to an account, by its user or by an administrator.
    enum Step: CaseIterable {
        case disabled, deletedByAdministrator, deletedByUser, passwordChangedByUser, passwordChangedByAdministrator, tokensRevoked
    }

    private static func end(_ user: AccountsPort.Answer, by step: Step, _ port: AccountsPort, administrator: String) async -> Int {
        let (id, token) = (user.text("localId"), user.text("idToken"))
        let project = "/v1/projects/\(TestIssuer.project)"
        func manage(_ method: String, _ member: String) async -> Int {
            await port.post("\(project)/accounts:\(method)", #"{"localId":"\#(id)"\#(member)}"#, "authorization: Bearer " + administrator).status
        }
        switch step {
        case .disabled: return await manage("update", #","disableUser":true"#)
        case .deletedByAdministrator: return await manage("delete", "")
        case .deletedByUser: return await port.post("/v1/accounts:delete?key=a", #"{"idToken":"\#(token)"}"#).status
        case .passwordChangedByUser:
            return await port.post("/v1/accounts:update?key=a", #"{"idToken":"\#(token)","password":"another1","returnSecureToken":true}"#).status
        case .passwordChangedByAdministrator: return await manage("update", #","password":"another1""#)
        case .tokensRevoked:
            // As firebase-admin's `revoke_refresh_tokens`: everything issued before this second, in which the token must not be issued.
            let second = SystemClock().now() / 1_000_000
            await eventually("the next second") { SystemClock().now() / 1_000_000 > second }
            return await manage("update", #","validSince":"\#(SystemClock().now() / 1_000_000)""#)
        }
    }

    @Test(arguments: Step.allCases)
    func `streams end with the account`(step: Step) async throws {
        try await SecuredServer.run(Self.accounts, rules: Self.signedIn) { server in
            let port = try #require(server.accounts)
            try await server.connected { channel in
                let user = await port.post("/v1/accounts:signUp?key=a", #"{"email":"ada@example.com","password":"secret1","returnSecureToken":true}"#)
                let other = await port.post("/v1/accounts:signUp?key=a", #"{"returnSecureToken":true}"#)
                let (token, others) = (user.text("idToken"), other.text("idToken"))
                let ending = [await CallWay.write(channel, token), await CallWay.listen(channel, token)]
                let staying = [await CallWay.write(channel, others), await CallWay.listen(channel, others), await CallWay.listen(channel, AdministratorKeysTests.first)]
                #expect((ending + staying).map(\.refusal) == [nil, nil, nil, nil, nil])
                #expect(await Self.end(user, by: step, port, administrator: AdministratorKeysTests.first) == 200)
                await eventually("the ends of the streams") { ending.allSatisfy(\.stream.hasEnded) }
                #expect(ending.map(\.stream.end) == [.unauthenticated, .unauthenticated])
                // Nor is the token good for anything else.
                for way in CallWay.allCases {
                    #expect(await way.outcome(server, channel, token: token) == .unauthenticated, "\(way)")
                    #expect(await way.outcome(server, channel, token: others) == .ok, "\(way)")
                }
                #expect(staying.allSatisfy { !$0.stream.hasEnded })
            }
        }
    }

    @Test func `with the new password the user comes back`() async throws {
        try await SecuredServer.run(Self.accounts, rules: Self.signedIn) { server in
            let port = try #require(server.accounts)
            try await server.connected { channel in
                let user = await port.post("/v1/accounts:signUp?key=a", #"{"email":"ada@example.com","password":"secret1","returnSecureToken":true}"#)
                #expect(await Self.end(user, by: .passwordChangedByUser, port, administrator: AdministratorKeysTests.first) == 200)
                let again = await port.post(
                    "/v1/accounts:signInWithPassword?key=a", #"{"email":"ada@example.com","password":"another1","returnSecureToken":true}"#)
                for way in [CallWay.write, .listen, .unary, .rest] {
                    #expect(await way.outcome(server, channel, token: again.text("idToken")) == .ok, "\(way)")
                }
            }
        }
    }
}
