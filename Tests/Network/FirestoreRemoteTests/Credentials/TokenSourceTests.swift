// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRemote

/// One token for all calls, renewed in time (LS-41).
@Suite(.timeLimit(.minutes(2)))
struct TokenSourceTests {
    private let clock = ManualClock(microseconds: 1_000_000_000_000)
    private let sleeps = SleepRecorder()

    private func source(_ fetcher: ScriptedTokens) -> TokenSource {
        TokenSource(fetcher, clock: clock, backoff: sleeps.backoff(first: .seconds(1)))
    }


    @Test func `a hundred waiting calls cause one request`() async throws {
        let gate = Gate()
        let fetcher = ScriptedTokens(gate: gate) { [clock] in .success(AccessToken("t\($0)", expiry: clock.now() + 3_600_000_000)) }
        let source = source(fetcher)
        #expect(source.ready() == nil)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await source.token(until: nil).value } }
            await until { fetcher.count == 1 }
            gate.open()
            for try await token in group { #expect(token == "t0") }
        }
        #expect(fetcher.count == 1)
        #expect(source.ready()?.value == "t0")
    }

    @Test func `five minutes before its end a token is replaced in the background`() async throws {
        let gate = Gate()
        let fetcher = ScriptedTokens { [clock] in .success(AccessToken("t\($0)", expiry: clock.now() + 3_600_000_000)) }
        let source = source(fetcher)
        #expect(try await source.token(until: nil).value == "t0")
        clock.advance(microseconds: 3_299_000_000)
        #expect(source.ready()?.value == "t0" && fetcher.count == 1)
        fetcher.hold(gate)
        clock.advance(microseconds: 2_000_000)
        for _ in 0..<10 { #expect(try await source.token(until: nil).value == "t0") }
        gate.open()
        await until { source.ready()?.value == "t1" }
        #expect(fetcher.count == 2)
    }

    @Test func `an expired token is waited for; nearly expired is expired`() async throws {
        let fetcher = ScriptedTokens { [clock] in .success(AccessToken("t\($0)", expiry: clock.now() + 3_600_000_000)) }
        let source = source(fetcher)
        _ = try await source.token(until: nil)
        clock.advance(microseconds: 3_595_000_000)
        #expect(source.ready() == nil)
        #expect(try await source.token(until: nil).value == "t1")
    }

    @Test func `a transient failure is retried, with longer and longer delays`() async throws {
        let fetcher = ScriptedTokens { [clock] in
            $0 < 3 ? .failure(FirestoreError(.unavailable, "down")) : .success(AccessToken("t", expiry: clock.now() + 3_600_000_000))
        }
        #expect(try await source(fetcher).token(until: nil).value == "t")
        #expect(fetcher.count == 4)
        #expect(sleeps.durations == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test func `a no is not asked for twice, and not for ever`() async throws {
        let fetcher = ScriptedTokens { [clock] in
            $0 == 0 ? .failure(FirestoreError(.unauthenticated, "no")) : .success(AccessToken("t", expiry: clock.now() + 3_600_000_000))
        }
        let source = source(fetcher)
        for _ in 0..<3 {
            #expect(await failure { try await source.token(until: nil) }?.code == .unauthenticated)
        }
        #expect(fetcher.count == 1 && sleeps.durations.isEmpty)
        clock.advance(microseconds: 2_000_001)
        #expect(try await source.token(until: nil).value == "t")
    }

    @Test func `an early renewal that fails affects no call, and is tried again later`() async throws {
        let fetcher = ScriptedTokens { [clock] in
            $0 == 1 ? .failure(FirestoreError(.unauthenticated, "no")) : .success(AccessToken("t\($0)", expiry: clock.now() + 3_600_000_000))
        }
        let source = source(fetcher)
        _ = try await source.token(until: nil)
        clock.advance(microseconds: 3_400_000_000)
        #expect(source.ready()?.value == "t0")
        await until { fetcher.count == 2 }
        // Asks once in a while, not with every call.
        await until { source.ready()?.value == "t0" }
        clock.advance(microseconds: 3_000_000)
        await until {
            // The failure may be noted only now, and the delay begins then.
            if fetcher.count == 2 { clock.advance(microseconds: 10_000) }
            return source.ready()?.value == "t2"
        }
    }

    @Test func `a token that is rejected is replaced once, however many were rejected with it`() async throws {
        let fetcher = ScriptedTokens { [clock] in .success(AccessToken("t\($0)", expiry: clock.now() + 3_600_000_000)) }
        let source = source(fetcher)
        let first = try await source.token(until: nil)
        for _ in 0..<50 {
            source.rejected(first)
            #expect(try await source.token(until: nil).value == "t1")
        }
        #expect(fetcher.count == 2)
    }

    @Test func `a call that is cancelled or out of time stops waiting, the others do not`() async throws {
        let gate = Gate()
        let fetcher = ScriptedTokens(gate: gate) { [clock] in .success(AccessToken("t\($0)", expiry: clock.now() + 3_600_000_000)) }
        let source = source(fetcher)
        let patient = Task { try await source.token(until: nil).value }
        let cancelled = Task { await failure { try await source.token(until: nil) }?.code }
        await until { fetcher.count == 1 }
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled)
        #expect(await failure { try await source.token(until: .now + .milliseconds(1)) }?.code == .deadlineExceeded)
        #expect(await failure { try await source.token(until: .now - .seconds(1)) }?.code == .deadlineExceeded)
        gate.open()
        #expect(try await patient.value == "t0")
    }

    @Test func `the end of the connection is the end of waiting`() async throws {
        let gate = Gate()
        let fetcher = ScriptedTokens(gate: gate) { [clock] in .success(AccessToken("t\($0)", expiry: clock.now() + 3_600_000_000)) }
        let source = source(fetcher)
        let waiting = Task { await failure { try await source.token(until: nil) }?.code }
        await until { fetcher.count == 1 }
        source.shutDown()
        #expect(await waiting.value == .failedPrecondition)
        gate.open()
        #expect(await failure { try await source.token(until: nil) }?.code == .failedPrecondition)
        #expect(source.ready() == nil)
    }

    @Test func `a closure's own error is distinguished from ours`() async throws {
        struct Broken: Error {}
        let tokens = ProvidedTokens(provider: TokenProvider { throw Broken() })
        let error = await failure { try await tokens.fetch() }
        #expect(error?.code == .unauthenticated && error?.cause is Broken)
    }
}

/// Tokens by the number of the request.
private final class ScriptedTokens: TokenFetching {
    private struct State {
        var count = 0
        var gate: Gate?
    }

    private let state: Mutex<State>
    private let script: @Sendable (Int) -> Result<AccessToken, FirestoreError>

    init(gate: Gate? = nil, _ script: @escaping @Sendable (Int) -> Result<AccessToken, FirestoreError>) {
        state = Mutex(State(gate: gate))
        self.script = script
    }

    var account: String { "the test" }
    var count: Int { state.withLock { $0.count } }
    func hold(_ gate: Gate) { state.withLock { $0.gate = gate } }

    func fetch() async throws(FirestoreError) -> AccessToken {
        let (number, gate) = state.withLock { state in
            defer { state.count += 1 }
            return (state.count, state.gate)
        }
        await gate?.wait()
        return try script(number).get()
    }
}
