// SPDX-License-Identifier: Apache-2.0

/// Why a token was rejected. The message names the problem and its remedy; it quotes claims shortened, and never the token or a key.
package struct TokenError: Error, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// The text is not a JSON web token in compact form, or a part of it cannot be read.
        case malformed
        case tooLarge
        /// The header names an algorithm that the issuer does not use, `none` included.
        case algorithm
        /// No current key of the issuer belongs to the token.
        case key
        case signature
        case expired
        /// A time of the token is in the future.
        case notYetValid
        case issuer
        case audience
        case subject
        /// Another claim is missing or has the wrong type.
        case claim
        /// The token was valid, but its account was disabled or deleted, or its session ended.
        case revoked
        /// The keys of the issuer could not be fetched; the same token may be accepted later.
        case unavailable
    }

    package let kind: Kind
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// A part of a token for a message.
    package static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(100).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
    }
}

extension TokenError: CustomStringConvertible {
    package var description: String { message }
}
