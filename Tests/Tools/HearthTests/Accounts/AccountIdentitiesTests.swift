// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreCore
import FirestoreRPC
import FirestoreTokens
import Foundation
import TestSupport
import Testing

@testable import hearth

/// Projects, what verifies their tokens, and what stays on the disk.
@Suite(.timeLimit(.minutes(2)))
struct AccountIdentitiesTests {
    private static let owner = "authorization: Bearer owner"

    private static func verifier(_ port: AccountsPort, _ mode: TokenVerifier.Mode) -> TokenVerifier {
        TokenVerifier(port.server.accounts.issuers, mode: mode, clock: SystemClock())
    }

    private static func problem(_ verifier: TokenVerifier, _ token: String) async -> TokenError.Kind? {
        do throws(TokenError) {
            _ = try await verifier.verify(token)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `production's own tokens are verified, until their account is disabled`() async throws {
        try await AccountsPort.run(AccountsPort.production, authentication: OneAdministrator()) { port in
            let verifier = Self.verifier(port, .production)
            let changes = Mutex(0)
            port.server.accounts.observe { changes.withLock { $0 += 1 } }
            let up = await port.post("/v1/accounts:signUp?key=a", "{}")
            let token = up.text("idToken")
            let verified = try await verifier.verify(token)
            #expect(verified.user == up.text("localId") && verified.issuer == "https://auth.example.com")
            #expect(changes.withLock(\.self) == 0)
            let update = await port.post(
                "/v1/projects/demo-shop/accounts:update", #"{"localId":"\#(verified.user)","disableUser":true}"#, OneAdministrator.header)
            #expect(update.status == 200 && changes.withLock(\.self) == 1)
            #expect(await Self.problem(verifier, token) == .revoked)
            await #expect(throws: TokenError.self) { try await verifier.isStillValid(verified) }
            // A development server's token has no signature.
            #expect(await Self.problem(verifier, UnsignedToken.make([("iss", .string("https://auth.example.com")), ("sub", .string("x"))])) != nil)
        }
    }

    @Test func `a remembered token waits for the accounts once they have changed`() async throws {
        try await AccountsPort.run(AccountsPort.production, authentication: OneAdministrator()) { port in
            let tokens = VerifiedTokens(Self.verifier(port, .production))
            let memory = ConnectionMemory()
            let up = await port.post("/v1/accounts:signUp?key=a", "{}")
            let token = up.text("idToken")[...]
            func change(_ member: String) async -> Int {
                await port.post("/v1/projects/demo-shop/accounts:update", #"{"localId":"\#(up.text("localId"))",\#(member)}"#, OneAdministrator.header).status
            }
            for _ in 0..<2 {
                let unknown = try tokens.identifyNow(token, memory)
                #expect(unknown == nil)
                _ = try await tokens.identify(token, memory)
                let known = try tokens.identifyNow(token, memory)
                #expect(known != nil)
                #expect(await change(#""displayName":"A""#) == 200)
            }
            #expect(await change(#""disableUser":true"#) == 200)
            await #expect(throws: FirestoreError.self) { try await tokens.identify(token, memory) }
            #expect(throws: FirestoreError.self) { try tokens.identifyNow(token, memory) }
        }
    }

    @Test(arguments: ["demo-shop", "another-project"])
    func `development mode rejects tokens of accounts that were disabled or whose sessions ended, in every project`(project: String) async throws {
        try await AccountsPort.run(AccountsPort.development) { port in
            let verifier = Self.verifier(port, .development)
            let changes = Mutex(0)
            port.server.accounts.observe { changes.withLock { $0 += 1 } }
            let path = "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts"
            #expect(await port.post(path, #"{"localId":"alice"}"#, Self.owner).text("localId") == "alice")
            let issuer = JSON.string("https://securetoken.google.com/\(project)")
            let now = SystemClock().now() / 1_000_000
            func token(_ user: String, issued: Int64) -> String { UnsignedToken.make([("iss", issuer), ("sub", .string(user)), ("iat", .number(issued))]) }
            let (fresh, old) = (token("alice", issued: now + 5), token("alice", issued: now - 100))
            #expect(await Self.problem(verifier, fresh) == nil)
            #expect(await Self.problem(verifier, old) == .revoked)
            // Test SDKs make tokens for users without accounts, and for projects without any.
            #expect(await Self.problem(verifier, token("nobody", issued: 1)) == nil)
            #expect(await Self.problem(verifier, UnsignedToken.make([("sub", .string("x"))])) == nil)
            #expect(await Self.problem(verifier, UnsignedToken.make([("iss", .string("https://securetoken.google.com/none")), ("sub", .string("x"))])) == nil)
            let known = try await verifier.verify(fresh)
            #expect(await port.post(path + ":update", #"{"localId":"alice","disableUser":true}"#, Self.owner).status == 200)
            #expect(changes.withLock(\.self) == 1)
            #expect(await Self.problem(verifier, fresh) == .revoked)
            await #expect(throws: TokenError.self) { try await verifier.isStillValid(known) }
        }
    }

    @Test func `projects have separate accounts`() async throws {
        try await AccountsPort.run(AccountsPort.development) { port in
            let admin = "/identitytoolkit.googleapis.com/v1/projects/"
            for project in ["one", "two"] {
                let answer = await port.post(admin + project + "/accounts", #"{"localId":"same","email":"a@b.c","displayName":"\#(project)"}"#, Self.owner)
                #expect(answer.status == 200)
            }
            #expect(await port.ask("DELETE", "/emulator/v1/projects/one/accounts", [], "").status == 200)
            #expect(await port.post(admin + "one/accounts:lookup", #"{"localId":["same"]}"#, Self.owner).json["users"] == nil)
            #expect(await port.post(admin + "two/accounts:lookup", #"{"localId":["same"]}"#, Self.owner).body.contains(#""displayName":"two""#))
            // The number of projects is bounded.
            for number in 0..<AccountProjects.maximumProjects { _ = await port.get(admin + "p\(number)/accounts:batchGet", Self.owner) }
            #expect(await port.get(admin + "one-more/accounts:batchGet", Self.owner).message.hasPrefix("QUOTA_EXCEEDED"))
            #expect(await port.get(admin + "two/accounts:batchGet", Self.owner).status == 200)
        }
    }

    // MARK: On the disk

    private static func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `accounts and the key survive a restart, and other users of the machine cannot read them`() async throws {
        let folder = try ScratchFolder()
        var (token, refresh) = ("", "")
        try await AccountsPort.run(AccountsPort.production, data: folder.path) { port in
            let up = await port.post("/v1/accounts:signUp?key=a", #"{"email":"a@b.c","password":"secret1"}"#)
            (token, refresh) = (up.text("idToken"), up.text("refreshToken"))
        }
        let accounts = folder.path + "/hearth.accounts"
        for folder in [accounts, accounts + "/demo-shop"] { #expect(try Self.mode(folder) == 0o700) }
        for name in try FileManager.default.contentsOfDirectory(atPath: accounts + "/demo-shop") {
            #expect(try Self.mode(accounts + "/demo-shop/" + name) == 0o600, "\(name)")
        }
        try await AccountsPort.run(AccountsPort.production, data: folder.path) { port in
            #expect(await Self.problem(Self.verifier(port, .production), token) == nil)
            #expect(await port.post("/v1/token?key=a", #"{"grantType":"refresh_token","refreshToken":"\#(refresh)"}"#).status == 200)
            // One process at a time.
            let second = await #expect(throws: FirestoreError.self) { _ = try await AccountsPort(AccountsPort.production, data: folder.path) }
            #expect("\(second.map { "\($0)" } ?? "")".contains("another process"))
        }
        // Keys are rotated by renaming the file: tokens of both are accepted.
        try FileManager.default.moveItem(atPath: accounts + "/demo-shop/signing-key.pem", toPath: accounts + "/demo-shop/previous-signing-key.pem")
        try await AccountsPort.run(AccountsPort.production, data: folder.path) { port in
            let verifier = Self.verifier(port, .production)
            let new = await port.post("/v1/token?key=a", #"{"grantType":"refresh_token","refreshToken":"\#(refresh)"}"#).text("id_token")
            #expect(await Self.problem(verifier, token) == nil)
            #expect(await Self.problem(verifier, new) == nil)
            let keys = await port.get("/.well-known/jwks.json")
            #expect(keys.body.components(separatedBy: "\"kid\"").count == 3, "two keys")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: accounts)
        let open = await #expect(throws: FirestoreError.self) { _ = try await AccountsPort(AccountsPort.production, data: folder.path) }
        #expect("\(open.map { "\($0)" } ?? "")".contains("chmod 700"))
    }

    @Test func `development mode opens the projects of the data directory again`() async throws {
        let folder = try ScratchFolder()
        let path = "/v1/projects/kept/accounts"
        try await AccountsPort.run(AccountsPort.development, data: folder.path) { port in
            _ = await port.post(path, #"{"localId":"alice"}"#, Self.owner)
            #expect(await port.post(path + ":update", #"{"localId":"alice","disableUser":true}"#, Self.owner).status == 200)
        }
        try await AccountsPort.run(AccountsPort.development, data: folder.path) { port in
            let token = UnsignedToken.make([("iss", .string("https://securetoken.google.com/kept")), ("sub", .string("alice"))])
            #expect(await Self.problem(Self.verifier(port, .development), token) == .revoked)
        }
        // Nothing is signed in development mode.
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/hearth.accounts/kept/signing-key.pem"))
    }

    @Test func `a port in use is named`() async throws {
        try await AccountsPort.run(AccountsPort.development) { port in
            let arguments = ["--development", "--auth", "\(port.server.address.port)"]
            let error = await #expect(throws: FirestoreError.self) { _ = try await AccountsPort(arguments) }
            #expect("\(error.map { "\($0)" } ?? "")".contains("accounts"))
        }
    }
}
