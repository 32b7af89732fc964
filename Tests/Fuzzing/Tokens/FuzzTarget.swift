// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import FuzzFrame
import HearthBase

/// The first byte chooses: a key set, a token in compact form, or the three parts of a token before their encoding, separated by zero
/// bytes. `HEARTH_FUZZ_TARGET` is not asked.
@main
enum FuzzTarget: Fuzzer {
    private static let now: Int64 = 1_700_000_000_000_000
    private static let keys: VerificationKeySet? = {
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        return try? VerificationKeySet(document: [UInt8](#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}]}"#.utf8))
    }()
    private static let issuer: TokenIssuer? = keys.map { keys in
        var requirements = TokenRequirements(issuer: "i", audiences: ["a"])
        requirements.algorithms = [.edDSA, .es256, .rs256]
        return TokenIssuer(requirements, keys: IssuerKeys(keys))
    }

    static func run(_ input: [UInt8]) {
        guard let choice = input.first else { return }
        let rest = Array(input.dropFirst())
        switch choice % 3 {
        case 0:
            if let set = try? VerificationKeySet(document: rest) { precondition(!set.keys.isEmpty) }
        case 1: verify(String(decoding: rest, as: UTF8.self))
        default:
            let parts = rest.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            verify(parts.map { Base64.encodeForURL(Array($0)) }.joined(separator: "."))
        }
    }

    private static func verify(_ text: String) {
        do throws(TokenError) {
            let token = try JSONWebToken(text)
            // What is signed is what was sent.
            precondition(text.utf8.starts(with: token.signedBytes))
            if let development = try? TokenVerifier([], mode: .development, clock: ManualClock(microseconds: now)).verifyNow(text) {
                precondition(!development.user.isEmpty)
                _ = development.caller
            }
            if let verified = try issuer?.verifyNow(token, now: now) { preconditionFailure("forged: \(verified.user)") }
        } catch {
            precondition(!error.message.isEmpty && error.message.utf8.count < 4_000)
        }
    }
}
