// SPDX-License-Identifier: Apache-2.0
#if ServiceAccounts
    import Crypto
    import CryptoExtras
    import Foundation
#endif

/// Signs with an RSA key: PKCS #1 v1.5 over SHA-256, called RS256 in JSON web tokens.
///
/// The only code that uses swift-crypto. Without the trait `ServiceAccounts` the package is not built, and keys cannot be read.
struct RSASigner: Sendable {
    enum Rejection: Error {
        /// The text is not an RSA key of at least 2048 bits in PEM form. The library's message is left out, because it might quote the
        /// key.
        case notAKey
        case notSigned
        /// This build does not have swift-crypto.
        case unavailable
    }

    #if ServiceAccounts
        private let key: _RSA.Signing.PrivateKey

        init(pem: String) throws(Rejection) {
            do {
                key = try _RSA.Signing.PrivateKey(pemRepresentation: pem)
            } catch {
                throw .notAKey
            }
        }

        func signature(for text: String) throws(Rejection) -> [UInt8] {
            do {
                return [UInt8](try key.signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5).rawRepresentation)
            } catch {
                throw .notSigned
            }
        }
    #else
        init(pem: String) throws(Rejection) { throw .unavailable }

        func signature(for text: String) throws(Rejection) -> [UInt8] { throw .unavailable }
    #endif
}
