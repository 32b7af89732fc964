// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer
package import FirestoreTokens

/// Identities by JSON web tokens whose signature, issuer, audience and times are verified.
///
/// The identity of a token is cached by the hash of its text, so that a client's next request costs no signature, and in the memory of the
/// connection that it came through, so that it costs no hash either. The properties that can change, expiry and whether the account still
/// accepts the token, are checked each time.
package final class VerifiedTokens: BearerTokens {
    /// A token that was verified, and the identity that it proves.
    private final class KnownToken: Sendable {
        let identity: CallIdentity
        let token: VerifiedToken
        let verifier: TokenVerifier

        init(_ identity: CallIdentity, _ token: VerifiedToken, by verifier: TokenVerifier) {
            self.identity = identity
            self.token = token
            self.verifier = verifier
        }
    }

    private let verifier: TokenVerifier
    private let tokens = Mutex<[TokenDigest: KnownToken]>([:])
    private let capacity: Int

    package init(_ verifier: TokenVerifier, capacity: Int = 10_000) {
        self.verifier = verifier
        self.capacity = capacity
    }

    package func identifyNow(_ token: Substring, _ memory: ConnectionMemory?) throws(FirestoreError) -> CallIdentity? {
        if let memory, let known = memory.finding(about: token) as? KnownToken, known.verifier === verifier {
            do throws(TokenError) {
                // Otherwise `identify` reads the accounts, which an event loop must not wait for.
                return try verifier.isStillValidNow(known.token) ? known.identity : nil
            } catch {
                memory.forget(token)
            }
        }
        let digest = TokenDigest(token)
        if let known = tokens.withLock({ $0[digest] }) {
            do throws(TokenError) {
                guard try verifier.isStillValidNow(known.token) else { return nil }
                memory?.keep(known, about: token)
                return known.identity
            } catch {
                tokens.withLock { $0[digest] = nil }
            }
        }
        do throws(TokenError) {
            guard let verified = try verifier.verifyNow(token) else { return nil }
            return keep(verified, of: token, digest, memory)
        } catch {
            throw FirestoreError(error)
        }
    }

    package func identify(_ token: Substring, _ memory: ConnectionMemory?) async throws(FirestoreError) -> CallIdentity {
        if let identity = try identifyNow(token, memory) { return identity }
        do throws(TokenError) {
            return keep(try await verifier.verify(token), of: token, TokenDigest(token), memory)
        } catch {
            throw FirestoreError(error)
        }
    }

    private func keep(_ verified: VerifiedToken, of text: Substring, _ digest: TokenDigest, _ memory: ConnectionMemory?) -> CallIdentity {
        let known = KnownToken(identity(of: verified), verified, by: verifier)
        tokens.withLock { tokens in
            if tokens.count >= capacity { tokens.removeAll(keepingCapacity: true) }
            tokens[digest] = known
        }
        memory?.keep(known, about: text)
        return known.identity
    }

    private func identity(of verified: VerifiedToken) -> CallIdentity {
        let check = IdentityCheck(
            now: { [verifier] () throws(FirestoreError) in
                do throws(TokenError) {
                    return try verifier.isStillValidNow(verified)
                } catch {
                    throw FirestoreError(error)
                }
            },
            waiting: { [verifier] () async throws(FirestoreError) in
                do throws(TokenError) {
                    try await verifier.isStillValid(verified)
                } catch {
                    throw FirestoreError(error)
                }
            })
        return CallIdentity(verified.caller, lastUse: verified.lastUse, check: check)
    }
}

extension FirestoreError {
    /// Keys that cannot be fetched are `UNAVAILABLE`, because the caller can try again.
    package init(_ error: TokenError) {
        self.init(error.kind == .unavailable ? .unavailable : .unauthenticated, error.message)
    }
}
