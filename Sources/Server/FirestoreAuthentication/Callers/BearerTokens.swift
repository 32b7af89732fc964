// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer

/// Identifies callers by their bearer tokens. `memory` is that of the connection that a token came through.
package protocol BearerTokens: Sendable {
    /// The identity, if it is known without waiting; nil if keys have to be fetched first.
    func identifyNow(_ token: Substring, _ memory: ConnectionMemory?) throws(FirestoreError) -> CallIdentity?

    func identify(_ token: Substring, _ memory: ConnectionMemory?) async throws(FirestoreError) -> CallIdentity
}

/// Rejects every token, for a server that accepts none.
package struct NoBearerTokens: BearerTokens {
    private let advice: OperatorAdvice

    package init(advice: OperatorAdvice = .none) { self.advice = advice }

    package func identifyNow(_ token: Substring, _ memory: ConnectionMemory?) throws(FirestoreError) -> CallIdentity? { try refuse() }

    package func identify(_ token: Substring, _ memory: ConnectionMemory?) async throws(FirestoreError) -> CallIdentity {
        try refuse()
    }

    private func refuse() throws(FirestoreError) -> Never {
        throw FirestoreError(.unauthenticated, "this server accepts no tokens of users\(advice(.tokens))")
    }
}
