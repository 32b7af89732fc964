// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreServer
package import FirestoreTokens

/// Identities by JSON web tokens whose signature, issuer, audience and times are verified.
///
/// The identity of a token is cached by the hash of its text, so that a client's next request costs no signature. The properties that can
/// change, expiry and whether the account still accepts the token, are checked each time.
package final class VerifiedTokens: BearerTokens {
    private let verifier: TokenVerifier
    private let identities: Mutex<[TokenDigest: (identity: CallIdentity, token: VerifiedToken)]>
    private let capacity: Int

    package init(_ verifier: TokenVerifier, capacity: Int = 10_000) {
        self.verifier = verifier
        self.capacity = capacity
        identities = Mutex([:])
    }

    package func identifyNow(_ token: Substring) throws(FirestoreError) -> CallIdentity? {
        let digest = TokenDigest(token)
        if let known = identities.withLock({ $0[digest] }) {
            do throws(TokenError) {
                // Otherwise `identify` reads the accounts, which an event loop must not wait for.
                return try verifier.isStillValidNow(known.token) ? known.identity : nil
            } catch {
                identities.withLock { $0[digest] = nil }
            }
        }
        do throws(TokenError) {
            return try verifier.verifyNow(token).map { remember(digest, $0) }
        } catch {
            throw FirestoreError(error)
        }
    }

    package func identify(_ token: Substring) async throws(FirestoreError) -> CallIdentity {
        if let identity = try identifyNow(token) { return identity }
        do throws(TokenError) {
            return remember(TokenDigest(token), try await verifier.verify(token))
        } catch {
            throw FirestoreError(error)
        }
    }

    private func remember(_ digest: TokenDigest, _ verified: VerifiedToken) -> CallIdentity {
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
        let identity = CallIdentity(verified.caller, lastUse: verified.lastUse, check: check)
        identities.withLock { identities in
            if identities.count >= capacity { identities.removeAll(keepingCapacity: true) }
            identities[digest] = (identity, verified)
        }
        return identity
    }
}

extension FirestoreError {
    /// Keys that cannot be fetched are `UNAVAILABLE`, because the caller can try again.
    package init(_ error: TokenError) {
        self.init(error.kind == .unavailable ? .unavailable : .unauthenticated, error.message)
    }
}
