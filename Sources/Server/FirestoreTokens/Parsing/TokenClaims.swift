// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The claims of a token in their order.
package struct TokenClaims: Sendable {
    package let members: [(name: String, value: JSON)]

    package init(members: [(name: String, value: JSON)]) { self.members = members }

    package subscript(name: String) -> JSON? { members.first { equalUTF8($0.name, name) }?.value }

    /// A claim that is a string; nil if it is missing.
    package func string(_ name: String) throws(TokenError) -> String? {
        switch self[name] {
        case nil: return nil
        case .string(let text)?: return text
        default: throw TokenError(.claim, "the token's claim \"\(name)\" is not a string")
        }
    }

    /// A claim that is a time, in seconds since 1970; nil if it is missing. Fractions are dropped.
    package func seconds(_ name: String) throws(TokenError) -> Int64? {
        guard let value = self[name] else { return nil }
        guard case .number(let text) = value, let number = Double(text), number >= 0, number < 1e12 else {
            throw TokenError(.claim, "the token's claim \"\(name)\" is not a time in seconds since 1970")
        }
        return Int64(number)
    }

    /// The claims as security rules see them: whole numbers are integers, in any notation.
    package var fields: FieldMap { FieldMap(members.map { ($0.name, Value(claim: $0.value)) }) }
}
