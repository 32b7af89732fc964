// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// A JSON web token in compact form (RFC 7515), taken apart. Nothing in it is trusted until a verifier has checked the signature.
package struct JSONWebToken: Sendable {
    /// ID tokens with the most custom claims have about 3 KB, and headers of requests have less than this.
    package static let maximumBytes = 16_384

    /// Security rules compare claims recursively, on threads with small stacks.
    static let maximumNesting = 100

    /// The name of the algorithm as the header states it. It never selects how a token is verified.
    package let algorithm: String
    /// The key that the header names.
    package let keyID: String?
    package let claims: TokenClaims
    /// The bytes that are signed: header and claims as sent.
    package let signedBytes: [UInt8]
    package let signature: [UInt8]

    package init(_ text: some StringProtocol) throws(TokenError) {
        var text = String(text)
        let bytes = text.withUTF8 { [UInt8]($0.prefix(Self.maximumBytes + 1)) }
        guard bytes.count <= Self.maximumBytes else { throw Self.tooLarge }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw TokenError(.malformed, "the token is malformed: it has \(parts.count) parts instead of three separated by dots")
        }
        let header = try Self.object(parts[0], "header")
        guard case .string(let algorithm)? = header["alg"] else {
            throw TokenError(.malformed, "the token's header is malformed: \"alg\" is missing or not a string")
        }
        self.algorithm = algorithm
        switch header["kid"] {
        case nil: keyID = nil
        case .string(let text)?: keyID = text
        default: throw TokenError(.malformed, "the token's header is malformed: \"kid\" is not a string")
        }
        // Extensions that have to be understood; none are. Keys that the token itself brings (jku, jwk, x5u, x5c) are ignored.
        guard header["crit"] == nil else {
            throw TokenError(.malformed, "the token's header requires an extension (\"crit\"), and none is supported")
        }
        claims = TokenClaims(members: try Self.object(parts[1], "payload").members)
        signature = try Self.decoded(parts[2], "signature")
        signedBytes = [UInt8](bytes[..<parts[1].endIndex])
    }

    static let tooLarge = TokenError(.tooLarge, "the token has more than \(maximumBytes) bytes; put less into its claims")

    private static func decoded(_ part: ArraySlice<UInt8>, _ name: String) throws(TokenError) -> [UInt8] {
        // The one spelling of the bytes: the other alphabet, padding and unused bits are rejected, so that no two texts are the same token.
        let text = String(decoding: part, as: UTF8.self)
        guard let bytes = Base64.decode(text), Base64.encodeForURL(bytes).utf8.elementsEqual(text.utf8) else {
            throw TokenError(.malformed, "the token's \(name) is malformed: it is not base64url without padding")
        }
        return bytes
    }

    private static func object(_ part: ArraySlice<UInt8>, _ name: String) throws(TokenError) -> TokenClaims {
        let json: JSON
        do {
            json = try JSON(try decoded(part, name))
        } catch let error as TokenError {
            throw error
        } catch {
            throw TokenError(.malformed, "the token's \(name) is malformed: it is not JSON in UTF-8")
        }
        guard case .object(let members) = json else {
            throw TokenError(.malformed, "the token's \(name) is malformed: it is not a JSON object")
        }
        guard json.isNested(atMost: maximumNesting) else {
            throw TokenError(.malformed, "the token's \(name) is malformed: its values are nested more than \(maximumNesting) levels deep")
        }
        // Readers disagree about which of two members with one name they take; a token must mean the same to all of them.
        var names: Set<[UInt8]> = []
        for member in members where !names.insert([UInt8](member.name.utf8)).inserted {
            throw TokenError(.malformed, "the token's \(name) is malformed: it has two members \(TokenError.quoted(member.name))")
        }
        return TokenClaims(members: members)
    }
}

extension JSON {
    fileprivate func isNested(atMost levels: Int) -> Bool {
        switch self {
        case .array(let elements): levels > 0 && elements.allSatisfy { $0.isNested(atMost: levels - 1) }
        case .object(let members): levels > 0 && members.allSatisfy { $0.value.isNested(atMost: levels - 1) }
        default: true
        }
    }
}
