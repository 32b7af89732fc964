// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// `/.well-known/openid-configuration`: where other servers find the keys of this one's tokens.
enum Discovery {
    static func document(_ settings: AccountSettings, base: String) -> JSON {
        .object([
            ("issuer", .string(settings.policy(project: settings.project, base: base).issuer)),
            ("jwks_uri", .string(base + "/.well-known/jwks.json")), ("response_types_supported", .array([.string("id_token")])),
            ("subject_types_supported", .array([.string("public")])),
            ("id_token_signing_alg_values_supported", .array([.string("RS256")])),
        ])
    }
}
