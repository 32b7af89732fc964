// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import ServerFixtures
import Testing

@testable import FirestoreServer

/// What streams do while it is not known whether their callers may continue.
@Suite(.timeLimit(.minutes(2)))
struct LiveStreamsTests {
    /// A proof about which nothing is in memory until it is asked for.
    private final class Proof: Sendable {
        private struct State {
            var isKnown = false
            var isRevoked = false
        }

        private let state = Mutex(State())

        func change(revoked: Bool) { state.withLock { $0 = State(isKnown: false, isRevoked: revoked) } }

        var identity: CallIdentity {
            CallIdentity(
                .user(id: "ada", claims: FieldMap([])),
                check: IdentityCheck(
                    now: { [self] () throws(FirestoreError) in
                        let now = state.withLock { $0 }
                        if now.isKnown, now.isRevoked { throw FirestoreError(.unauthenticated, "revoked") }
                        return now.isKnown
                    },
                    waiting: { [self] () async throws(FirestoreError) in
                        let isRevoked = state.withLock { state in
                            state.isKnown = true
                            return state.isRevoked
                        }
                        if isRevoked { throw FirestoreError(.unauthenticated, "revoked") }
                    }))
        }
    }

    @Test(arguments: [false, true])
    func `a stream whose account has to be read is judged by a task, and not by the thread that asks`(opensAfter: Bool) async throws {
        let (authentication, proof) = (FakeAuthentication(), Proof())
        let streams = LiveStreams(authentication, clock: ManualClock(microseconds: 1), setsAlarms: false)
        if opensAfter { proof.change(revoked: true) }
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<FirestoreError, Never>) in
            _ = streams.add(proof.identity) { continuation.resume(returning: $0) }
            guard !opensAfter else { return }
            proof.change(revoked: true)
            authentication.revoke("another")
        }
        #expect(error.code == .unauthenticated && streams.count == 0)
    }
}
