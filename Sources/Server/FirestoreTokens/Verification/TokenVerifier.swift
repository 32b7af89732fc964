// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

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
        let key = TokenDigest(text)
        if let known = verdicts.withLock({ $0.verdict(for: key, now: now) }) {
            return try isInForceNow(known.token, issuers[known.issuer]) ? known.token : nil
        }
        let token = try JSONWebToken(text)
        if mode == .development {
            let verified = try VerifiedToken(unproved: token)
            return try isInForceNow(verified, issuerOfUnproved(token)) ? verified : nil
        }
        let index = try issuer(of: token)
        guard let verified = try issuers[index].verifyNow(token, now: now) else { return nil }
        remember(verified, index, key, now)
        return try isInForceNow(verified, issuers[index]) ? verified : nil
    }

    package func verify(_ text: some StringProtocol) async throws(TokenError) -> VerifiedToken {
        if let verified = try verifyNow(text) { return verified }
        let now = clock.now()
        let key = TokenDigest(text)
        if let known = verdicts.withLock({ $0.verdict(for: key, now: now) }) {
            try await checkInForce(known.token, issuers[known.issuer])
            return known.token
        }
        let token = try JSONWebToken(text)
        if mode == .development {
            let verified = try VerifiedToken(unproved: token)
            try await checkInForce(verified, issuerOfUnproved(token))
            return verified
        }
        let index = try issuer(of: token)
        let verified = try await issuers[index].verify(token, now: now)
        remember(verified, index, key, now)
        try await checkInForce(verified, issuers[index])
        return verified
    }

    /// Whether a token that was accepted may still be used: for streams, which outlive a request. Costs no signature.
    package func isStillValid(_ verified: VerifiedToken) async throws(TokenError) {
        try checkExpiry(verified)
        try await checkInForce(verified, issuer(of: verified))
    }

    /// Checks a token like `isStillValid`, but without waiting; false if accounts have to be read, for which `isStillValid` waits.
    package func isStillValidNow(_ verified: VerifiedToken) throws(TokenError) -> Bool {
        try checkExpiry(verified)
        return try isInForceNow(verified, issuer(of: verified))
    }

    private func checkExpiry(_ verified: VerifiedToken) throws(TokenError) {
        guard clock.now() < verified.lastUse else {
            throw TokenError(.expired, "the token has expired; open the stream again with a new one")
        }
    }

    /// The issuer without a name, which is asked in development mode about tokens that no other one has issued: accounts of projects that
    /// come to exist while the server runs.
    private var unnamed: TokenIssuer? { mode == .development ? issuers.first { $0.requirements.issuer == nil } : nil }

    private func issuer(of verified: VerifiedToken) -> TokenIssuer? {
        issuers.first { $0.requirements.issuer.map { equalUTF8($0, verified.issuer) } ?? false } ?? unnamed
    }

    /// Development mode: an account of this server that was disabled stays disabled.
    private func issuerOfUnproved(_ token: JSONWebToken) -> TokenIssuer? { (try? issuer(of: token)).map { issuers[$0] } ?? unnamed }

    private func issuer(of token: JSONWebToken) throws(TokenError) -> Int {
        guard let name = try token.claims.string("iss") else { throw TokenError(.issuer, "the token's claim \"iss\" is missing") }
        guard let index = issuers.firstIndex(where: { $0.requirements.issuer.map { equalUTF8($0, name) } ?? false }) else {
            throw TokenError(.issuer, "this server does not accept tokens issued by \(TokenError.quoted(name))")
        }
        return index
    }

    private func remember(_ verified: VerifiedToken, _ issuer: Int, _ key: TokenDigest, _ now: Int64) {
        verdicts.withLock { $0.insert(verified, issuer: issuer, for: key, now: now) }
    }

    private func isInForceNow(_ verified: VerifiedToken, _ issuer: TokenIssuer?) throws(TokenError) -> Bool {
        guard let standing = issuer?.standing else { return true }
        return try standing.now(verified)
    }

    private func checkInForce(_ verified: VerifiedToken, _ issuer: TokenIssuer?) async throws(TokenError) {
        guard let standing = issuer?.standing else { return }
        try await standing.waiting(verified)
    }
}

/// Tokens whose signature is known to be valid.
struct VerdictCache {
    private var verdicts: [TokenDigest: (token: VerifiedToken, issuer: Int)] = [:]
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    mutating func verdict(for key: TokenDigest, now: Int64) -> (token: VerifiedToken, issuer: Int)? {
        guard let verdict = verdicts[key] else { return nil }
        guard now < verdict.token.lastUse else {
            verdicts[key] = nil
            return nil
        }
        return verdict
    }

    mutating func insert(_ token: VerifiedToken, issuer: Int, for key: TokenDigest, now: Int64) {
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
