// SPDX-License-Identifier: Apache-2.0

/// The algorithms that tokens may be signed with. All are asymmetric: a public key never works as a secret.
package enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSA with PKCS #1 v1.5 padding over SHA-256.
    case rs256 = "RS256"
    /// ECDSA on the curve P-256 over SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
}
