// SPDX-License-Identifier: Apache-2.0
import Crypto
package import FirestoreCore
import Foundation

/// Verifies bearer tokens. The claim `iss` selects the issuer, and the issuer decides the algorithm, the keys and the other claims; what
/// the header says about the algorithm only has to agree.
///
/// Valid signatures are remembered until the token expires, so that a client's next request costs a hash.
package final class TokenVerifier: Sendable {
    /// Whether tokens are accepted without proof, as by the emulators (AU-11). For development mode on loopback only.
    package enum Mode: Sendable {
        case production
        case development
    }

    private let issuers: [TokenIssuer]
    private let mode: Mode
    private let clock: any WallClock
    private let verdicts: Mutex<VerdictCache>

    package init(_ issuers: [TokenIssuer], mode: Mode = .production, clock: any WallClock, rememberedTokens: Int = 10_000) {
        self.issuers = issuers
        self.mode = mode
        self.clock = clock
        verdicts = Mutex(VerdictCache(capacity: rememberedTokens))
    }

    /// Verifies a token without waiting; nil if keys have to be fetched or accounts to be read, for which `verify` waits.
    package func verifyNow(_ text: some StringProtocol) throws(TokenError) -> VerifiedToken? {
        let now = clock.now()
        guard text.utf8.count <= JSONWebToken.maximumBytes else { throw JSONWebToken.tooLarge }
        let key = VerdictCache.Key(text)
        if let known = verdicts.withLock({ $0.verdict(for: key, now: now) }) {
            return try isInForce(known.token, issuers[known.issuer], mayWait: false) ? known.token : nil
        }
        let token = try JSONWebToken(text)
        if mode == .development {
            let verified = try VerifiedToken(unproved: token)
            return try isAccepted(verified, token, mayWait: false) ? verified : nil
        }
        let index = try issuer(of: token)
        guard let verified = try issuers[index].verifyNow(token, now: now) else { return nil }
        remember(verified, index, key, now)
        return try isInForce(verified, issuers[index], mayWait: false) ? verified : nil
    }

    package func verify(_ text: some StringProtocol) async throws(TokenError) -> VerifiedToken {
        if let verified = try verifyNow(text) { return verified }
        let now = clock.now()
        let key = VerdictCache.Key(text)
        if let known = verdicts.withLock({ $0.verdict(for: key, now: now) }) {
            _ = try isInForce(known.token, issuers[known.issuer], mayWait: true)
            return known.token
        }
        let token = try JSONWebToken(text)
        if mode == .development {
            let verified = try VerifiedToken(unproved: token)
            _ = try isAccepted(verified, token, mayWait: true)
            return verified
        }
        let index = try issuer(of: token)
        let verified = try await issuers[index].verify(token, now: now)
        remember(verified, index, key, now)
        _ = try isInForce(verified, issuers[index], mayWait: true)
        return verified
    }

    /// Whether a token that was accepted may still be used: for streams, which outlive a request. Costs no signature.
    package func isStillValid(_ verified: VerifiedToken) throws(TokenError) { _ = try isStillValid(verified, mayWait: true) }

    /// The same without waiting; false if accounts have to be read, for which `verify` waits.
    package func isStillValidNow(_ verified: VerifiedToken) throws(TokenError) -> Bool { try isStillValid(verified, mayWait: false) }

    private func isStillValid(_ verified: VerifiedToken, mayWait: Bool) throws(TokenError) -> Bool {
        guard clock.now() < verified.lastUse else {
            throw TokenError(.expired, "the token has expired; open the stream again with a new one")
        }
        let named = issuers.first { $0.requirements.issuer.map { equalUTF8($0, verified.issuer) } ?? false }
        guard let issuer = named ?? unnamed else { return true }
        return try isInForce(verified, issuer, mayWait: mayWait)
    }

    /// Forgets which signatures are valid: after keys were removed from the configuration.
    package func forgetVerdicts() { verdicts.withLock { $0.removeAll() } }

    /// The issuer without a name, which is asked in development mode about tokens that no other one has issued: accounts of projects that
    /// come to exist while the server runs.
    private var unnamed: TokenIssuer? { mode == .development ? issuers.first { $0.requirements.issuer == nil } : nil }

    private func issuer(of token: JSONWebToken) throws(TokenError) -> Int {
        guard let name = try token.claims.string("iss") else { throw TokenError(.issuer, "the token's claim \"iss\" is missing") }
        guard let index = issuers.firstIndex(where: { $0.requirements.issuer.map { equalUTF8($0, name) } ?? false }) else {
            throw TokenError(.issuer, "this server does not accept tokens issued by \(TokenError.quoted(name))")
        }
        return index
    }

    private func remember(_ verified: VerifiedToken, _ issuer: Int, _ key: VerdictCache.Key, _ now: Int64) {
        verdicts.withLock { $0.insert(verified, issuer: issuer, for: key, now: now) }
    }

    private func isInForce(_ verified: VerifiedToken, _ issuer: TokenIssuer, mayWait: Bool) throws(TokenError) -> Bool {
        guard let check = issuer.isInForce else { return true }
        return try check(verified, mayWait)
    }

    /// Development mode: an account of this server that was disabled stays disabled.
    private func isAccepted(_ verified: VerifiedToken, _ token: JSONWebToken, mayWait: Bool) throws(TokenError) -> Bool {
        guard let issuer = (try? issuer(of: token)).map({ issuers[$0] }) ?? unnamed else { return true }
        return try isInForce(verified, issuer, mayWait: mayWait)
    }
}

/// Tokens whose signature is known to be valid, by the hash of their text.
struct VerdictCache {
    struct Key: Hashable {
        let digest: SHA256Digest

        init(_ text: some StringProtocol) {
            var hash = SHA256()
            hash.update(data: Data(text.utf8))
            digest = hash.finalize()
        }
    }

    private var verdicts: [Key: (token: VerifiedToken, issuer: Int)] = [:]
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    mutating func verdict(for key: Key, now: Int64) -> (token: VerifiedToken, issuer: Int)? {
        guard let verdict = verdicts[key] else { return nil }
        guard now < verdict.token.lastUse else {
            verdicts[key] = nil
            return nil
        }
        return verdict
    }

    mutating func insert(_ token: VerifiedToken, issuer: Int, for key: Key, now: Int64) {
        if verdicts.count >= capacity {
            verdicts = verdicts.filter { now < $0.value.token.lastUse }
            // All are in use: half of them are verified again when they come back.
            if verdicts.count >= capacity { verdicts = Dictionary(uniqueKeysWithValues: verdicts.dropFirst(capacity / 2 + 1).map(\.self)) }
        }
        guard capacity > 0 else { return }
        verdicts[key] = (token, issuer)
    }

    mutating func removeAll() { verdicts.removeAll() }
}
