// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreTokens
import HearthBase
import Testing

@testable import FirestoreAuthentication

/// No connection keeps an identity longer than its token is accepted.
struct VerifiedTokensTests {
    private static let key = Result { try SigningKey.create() }
    private static let now: Int64 = 1_700_000_000

    /// Accounts, as far as tokens depend on them. What is not in memory has to be read.
    private final class Accounts: Sendable {
        enum Standing { case accepted, unread, ended }

        let standing = Mutex(Standing.accepted)

        func check(_ token: VerifiedToken) throws(TokenError) -> Bool {
            switch standing.withLock({ $0 }) {
            case .accepted: return true
            case .unread: return false
            case .ended: throw TokenError(.revoked, "the user's account is disabled")
            }
        }
    }

    private let accounts = Accounts()
    private let clock = ManualClock(microseconds: now * 1_000_000)
    private let verifier: TokenVerifier
    private let tokens: VerifiedTokens
    private let memory = ConnectionMemory()

    init() throws {
        var requirements = TokenRequirements.firebase(project: "demo")
        requirements.skew = 0
        let keys = IssuerKeys(VerificationKeySet([try Self.key.get().publicKey]))
        let standing = StandingCheck(
            now: { [accounts] (token) throws(TokenError) in try accounts.check(token) },
            waiting: { [accounts] (token) async throws(TokenError) in
                accounts.standing.withLock { if $0 == .unread { $0 = .accepted } }
                _ = try accounts.check(token)
            })
        verifier = TokenVerifier([TokenIssuer(requirements, keys: keys, standing: standing)], clock: clock)
        tokens = VerifiedTokens(verifier)
    }

    private static func token(of user: String = "alice", expires: Int64 = now + 3_600) throws -> Substring {
        try key.get().sign([
            ("iss", .string("https://securetoken.google.com/demo")), ("aud", .string("demo")), ("sub", .string(user)), ("iat", .number(now)),
            ("auth_time", .number(now)), ("exp", .number(expires)),
        ])[...]
    }

    /// The user; nil if that has to wait.
    private func user(_ token: Substring, on memory: ConnectionMemory?) throws(FirestoreError) -> String? {
        guard let identity = try tokens.identifyNow(token, memory) else { return nil }
        guard case .user(let id, _) = identity.caller else { throw FirestoreError(.internal, "\(identity.caller)") }
        return id
    }

    private func problem(_ token: Substring, on memory: ConnectionMemory?) -> FirestoreError? {
        do throws(FirestoreError) {
            let user = try user(token, on: memory)
            Issue.record("accepted: \(user ?? "later")")
            return nil
        } catch {
            return error
        }
    }

    @Test func `a connection remembers a token after its first call`() throws {
        let token = try Self.token()
        for _ in 0..<3 { #expect(try user(token, on: memory) == "alice") }
        #expect(memory.count == 1)
        // Another connection starts anew, and a call without one is identified, too.
        let other = ConnectionMemory()
        #expect(other.finding(about: token) == nil)
        #expect(try user(token, on: other) == "alice")
        #expect(try user(token, on: nil) == "alice")
        #expect(other.finding(about: token) != nil)
    }

    @Test func `each token on a connection has its own user`() throws {
        let (alice, bob) = (try Self.token(), try Self.token(of: "bob"))
        for _ in 0..<3 {
            #expect(try user(alice, on: memory) == "alice")
            #expect(try user(bob, on: memory) == "bob")
        }
        #expect(memory.count == 2)
        var forged = String(alice)
        forged.removeLast()
        #expect(problem(forged[...], on: memory)?.code == .unauthenticated)
        #expect(memory.count == 2)
    }

    @Test func `a remembered token ends with its expiry`() throws {
        let token = try Self.token(expires: Self.now + 10)
        #expect(try user(token, on: memory) == "alice")
        clock.set(microseconds: (Self.now + 10) * 1_000_000 - 1)
        #expect(try user(token, on: memory) == "alice")
        clock.set(microseconds: (Self.now + 10) * 1_000_000)
        #expect(problem(token, on: memory)?.message.contains("has expired") == true)
        #expect(memory.count == 0)
    }

    @Test func `a remembered token ends with its account, on every connection`() throws {
        let token = try Self.token()
        let other = ConnectionMemory()
        for memory in [memory, other] { #expect(try user(token, on: memory) == "alice") }
        accounts.standing.withLock { $0 = .ended }
        for memory in [memory, other, ConnectionMemory(), nil] {
            #expect(problem(token, on: memory)?.message == "the user's account is disabled")
            #expect(memory?.finding(about: token) == nil)
        }
    }

    @Test func `a remembered token waits for accounts that were changed`() async throws {
        let token = try Self.token()
        #expect(try user(token, on: memory) == "alice")
        accounts.standing.withLock { $0 = .unread }
        #expect(try user(token, on: memory) == nil)
        _ = try await tokens.identify(token, memory)
        #expect(try user(token, on: memory) == "alice")
    }

    @Test func `a token is remembered once its accounts were read`() async throws {
        let token = try Self.token()
        accounts.standing.withLock { $0 = .unread }
        #expect(try user(token, on: memory) == nil)
        #expect(memory.count == 0)
        _ = try await tokens.identify(token, memory)
        #expect(memory.count == 1)
    }

    @Test func `what one verifier has found does not bind another`() throws {
        let token = try Self.token()
        #expect(try user(token, on: memory) == "alice")
        let strict = VerifiedTokens(TokenVerifier([], clock: clock))
        #expect(throws: FirestoreError.self) { try strict.identifyNow(token, memory) }
    }
}
