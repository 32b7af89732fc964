// SPDX-License-Identifier: Apache-2.0
#if Remote && ServiceAccounts
import FirestoreCore
import FirestoreServer
import FirestoreTokens

/// Identities by JSON web tokens whose signature, issuer, audience and times are verified.
///
/// The identity of a token is remembered, so that a client's next request costs neither a signature nor a hash. What can change, expiry
/// and whether the account is still in force, is checked each time.
final class VerifiedTokens: BearerTokens {
    private let verifier: TokenVerifier
    private let identities: Mutex<[Substring: (identity: CallIdentity, token: VerifiedToken)]>
    private let capacity: Int

    init(_ verifier: TokenVerifier, capacity: Int = 10_000) {
        self.verifier = verifier
        self.capacity = capacity
        identities = Mutex([:])
    }

    func identifyNow(_ token: Substring) throws(FirestoreError) -> CallIdentity? {
        if let known = identities.withLock({ $0[token] }) {
            do throws(TokenError) {
                // Otherwise `identify` reads the accounts, which an event loop must not wait for.
                return try verifier.isStillValidNow(known.token) ? known.identity : nil
            } catch {
                identities.withLock { $0[token] = nil }
            }
        }
        do throws(TokenError) {
            return try verifier.verifyNow(token).map { remember(token, $0) }
        } catch {
            throw FirestoreError(error)
        }
    }

    func identify(_ token: Substring) async throws(FirestoreError) -> CallIdentity {
        if let identity = try identifyNow(token) { return identity }
        do throws(TokenError) {
            return remember(token, try await verifier.verify(token))
        } catch {
            throw FirestoreError(error)
        }
    }

    private func remember(_ token: Substring, _ verified: VerifiedToken) -> CallIdentity {
        let identity = CallIdentity(verified.caller, lastUse: verified.lastUse) { [verifier] () throws(FirestoreError) in
            do throws(TokenError) {
                try verifier.isStillValid(verified)
            } catch {
                throw FirestoreError(error)
            }
        }
        // A copy: the text is a part of a header that would be kept as a whole.
        let key = Substring(String(token))
        identities.withLock { identities in
            if identities.count >= capacity { identities.removeAll(keepingCapacity: true) }
            identities[key] = (identity, verified)
        }
        return identity
    }
}

extension FirestoreError {
    /// Keys that cannot be fetched are no fault of the caller, who may try again.
    init(_ error: TokenError) {
        self.init(error.kind == .unavailable ? .unavailable : .unauthenticated, error.message)
    }
}
#endif
